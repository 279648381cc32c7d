#include "MediaProbe.h"
#include "Frames.h"
#include "Manifests.h"

#include <gst/pbutils/pbutils.h>
#include <gst/video/video.h>

// Finds the decoder of the highest rank for these caps, which playback would use.
static void find_decoder(GstCaps *caps, vit_probe_stream *stream)
{
    GList *all = gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
    // Decoders of the whole caps first: one for a variant only (VP8 with alpha) decodes just a part of all VP8.
    GList *fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, TRUE);
    if (!fitting)
        fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, FALSE);
    fitting = g_list_sort(fitting, gst_plugin_feature_rank_compare_func);
    if (fitting) {
        GstElementFactory *factory = fitting->data;
        g_strlcpy(stream->decoder, GST_OBJECT_NAME(factory), VIT_PROBE_TEXT);
        const char *klass = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
        stream->is_hardware = klass && strstr(klass, "Hardware");
    }
    gst_plugin_feature_list_free(fitting);
    gst_plugin_feature_list_free(all);
}

static void copy_text(char *to, const char *text)
{
    g_strlcpy(to, text ? text : "", VIT_PROBE_TEXT);
}

// The codec in words; the caps' name where there are none.
static void describe(GstCaps *caps, char *to)
{
    char *words = gst_caps_is_fixed(caps) ? gst_pb_utils_get_codec_description(caps) : NULL;
    copy_text(to, words ? words : gst_structure_get_name(gst_caps_get_structure(caps, 0)));
    g_free(words);
}

static void take_caps(GstCaps *caps, vit_probe_stream *stream)
{
    GstStructure *structure = gst_caps_get_structure(caps, 0);
    describe(caps, stream->codec);
    copy_text(stream->format, gst_structure_get_name(structure));
    gst_structure_get_int(structure, "mpegversion", &stream->mpeg_version);
    copy_text(stream->profile, gst_structure_get_string(structure, "profile"));
    copy_text(stream->level, gst_structure_get_string(structure, "level"));
    copy_text(stream->chroma, gst_structure_get_string(structure, "chroma-format"));
    gst_structure_get_uint(structure, "bit-depth-luma", &stream->bits);
    GstVideoColorimetry colour;
    const char *name = gst_structure_get_string(structure, "colorimetry");
    if (name && gst_video_colorimetry_from_string(&colour, name)) {
        stream->is_pq = colour.transfer == GST_VIDEO_TRANSFER_SMPTE2084;
        stream->is_hlg = colour.transfer == GST_VIDEO_TRANSFER_ARIB_STD_B67;
    }
    find_decoder(caps, stream);
}

// Reads the orientation of the stream itself, else of the whole medium: containers have it in either place.
static void take_orientation(GstDiscovererStreamInfo *info, const GstTagList *outer, vit_probe_stream *stream)
{
    const GstTagList *lists[] = { gst_discoverer_stream_info_get_tags(info), outer };
    for (size_t i = 0; i < G_N_ELEMENTS(lists); i++) {
        char *word = NULL;
        if (!lists[i] || !gst_tag_list_get_string(lists[i], GST_TAG_IMAGE_ORIENTATION, &word))
            continue;
        if (!g_str_equal(word, "rotate-0"))
            copy_text(stream->orientation, word);
        g_free(word);
        return;
    }
}

static void take_title(GstDiscovererStreamInfo *info, vit_probe_stream *stream)
{
    const GstTagList *tags = gst_discoverer_stream_info_get_tags(info);
    char *title = NULL;
    if (!tags || !gst_tag_list_get_string(tags, GST_TAG_TITLE, &title)) return;
    copy_text(stream->title, title);
    g_free(title);
}

static void take_stream(GstDiscovererStreamInfo *info, const GstTagList *outer, vit_probe_result *result)
{
    if (result->stream_count >= VIT_PROBE_STREAMS)
        return;
    vit_probe_stream stream = { 0 };
    if (GST_IS_DISCOVERER_VIDEO_INFO(info)) {
        GstDiscovererVideoInfo *video = GST_DISCOVERER_VIDEO_INFO(info);
        stream.kind = gst_discoverer_video_info_is_image(video) ? VIT_PROBE_PICTURE : VIT_PROBE_VIDEO;
        stream.width = gst_discoverer_video_info_get_width(video);
        stream.height = gst_discoverer_video_info_get_height(video);
        stream.rate_numerator = gst_discoverer_video_info_get_framerate_num(video);
        stream.rate_denominator = gst_discoverer_video_info_get_framerate_denom(video);
        stream.pixel_width = gst_discoverer_video_info_get_par_num(video);
        stream.pixel_height = gst_discoverer_video_info_get_par_denom(video);
        stream.is_interlaced = gst_discoverer_video_info_is_interlaced(video);
        take_orientation(info, outer, &stream);
    } else if (GST_IS_DISCOVERER_AUDIO_INFO(info)) {
        GstDiscovererAudioInfo *audio = GST_DISCOVERER_AUDIO_INFO(info);
        stream.kind = VIT_PROBE_AUDIO;
        stream.channels = gst_discoverer_audio_info_get_channels(audio);
        stream.sample_rate = gst_discoverer_audio_info_get_sample_rate(audio);
        copy_text(stream.language, gst_discoverer_audio_info_get_language(audio));
        take_title(info, &stream);
    } else if (GST_IS_DISCOVERER_SUBTITLE_INFO(info)) {
        stream.kind = VIT_PROBE_SUBTITLE;
        copy_text(stream.language, gst_discoverer_subtitle_info_get_language(GST_DISCOVERER_SUBTITLE_INFO(info)));
    } else {
        return;
    }
    GstCaps *caps = gst_discoverer_stream_info_get_caps(info);
    if (caps) {
        take_caps(caps, &stream);
        gst_caps_unref(caps);
    }
    result->streams[result->stream_count++] = stream;
}

static void take_container(GstDiscovererInfo *info, vit_probe_result *result)
{
    GstDiscovererStreamInfo *outer = gst_discoverer_info_get_stream_info(info);
    if (outer && GST_IS_DISCOVERER_CONTAINER_INFO(outer)) {
        GstCaps *caps = gst_discoverer_stream_info_get_caps(outer);
        if (caps) {
            describe(caps, result->container);
            gst_caps_unref(caps);
        }
    }
    if (outer)
        gst_discoverer_stream_info_unref(outer);
}

typedef struct {
    GstBus *own;
    GstBus *top;
} Buses;

static void forget_buses(gpointer data)
{
    Buses *buses = data;
    gst_object_unref(buses->own);
    gst_object_unref(buses->top);
    g_free(buses);
}

static GstBusSyncReply pass_on(GstBus *bus, GstMessage *message, gpointer data)
{
    Buses *buses = data;
    (void)bus;
    if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) gst_bus_post(buses->top, gst_message_ref(message));
    gst_bus_post(buses->own, message);
    return GST_BUS_DROP;
}

void vit_pass_on_errors(GstElement *pipeline, GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    if (!factory || !gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DEMUXER)) return;
    GstBus *own = gst_element_get_bus(element);
    GstBus *top = gst_element_get_bus(pipeline);
    if (own && top) {
        Buses *buses = g_new0(Buses, 1);
        *buses = (Buses) { own, top };
        GstBus *bus = gst_bus_new();
        gst_bus_set_sync_handler(bus, pass_on, buses, forget_buses);
        gst_element_set_bus(element, bus);
        gst_object_unref(bus);
    } else {
        g_clear_object(&own);
        g_clear_object(&top);
    }
}

static void meet_element(GstBin *bin, GstBin *inner, GstElement *element, gpointer data)
{
    (void)inner;
    (void)data;
    vit_prepare_stateless(element);
    vit_pass_on_errors(GST_ELEMENT_CAST(bin), element);
}

// The discoverer makes its own decodebin, inside of a pipeline that isn't accessible before.
typedef struct {
    const vit_probe_item *item;
    GstContext *context;
    // The pipeline, once it is known.
    GstElement *pipeline;
    vit_probe_result *result;
} Wishes;

// Handles a source's message about the first bytes, on the source's thread, while the discoverer waits for it.
static void meet_message(GstBus *bus, GstMessage *message, gpointer data)
{
    Wishes *wishes = data;
    (void)bus;
    const GstStructure *structure = gst_message_get_structure(message);
    if (!structure || !gst_structure_has_name(structure, VIT_MEDIUM_MESSAGE) || wishes->result->list) return;
    const GValue *list = gst_structure_get_value(structure, "list");
    if (!list) return;
    wishes->result->list = g_value_dup_boxed(list);
    gst_structure_get_uint(structure, "medium", &wishes->result->list_medium);
    gst_structure_get_uint(structure, "reach", &wishes->result->list_reach);
}

static void meet_pipeline(GstDiscoverer *discoverer, GstElement *source, gpointer data)
{
    Wishes *wishes = data;
    (void)discoverer;
    GstObject *top = gst_object_ref(source);
    for (GstObject *parent; (parent = gst_object_get_parent(top)); top = parent) gst_object_unref(top);
    if (GST_IS_BIN(top)) {
        GstElement *pipeline = GST_ELEMENT_CAST(top);
        g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(meet_element), NULL);
        gst_element_set_context(pipeline, wishes->context);
        vit_hold_sources(pipeline, wishes->item->uri, wishes->item->parts, wishes->item->named_from);
        if (wishes->item->is_alone) vit_refuse_manifests(pipeline);
        if (!wishes->pipeline) {
            wishes->pipeline = gst_object_ref(pipeline);
            GstBus *bus = gst_element_get_bus(pipeline);
            if (bus) {
                gst_bus_enable_sync_message_emission(bus);
                g_signal_connect(bus, "sync-message::element", G_CALLBACK(meet_message), wishes);
                gst_object_unref(bus);
            }
        }
    }
    gst_object_unref(top);
}

// A parser of sound estimates the length when it has seen some frames. The discoverer asks for a tenth of a second, in
// which the parser may get no turn on a busy machine. Reads on, as fast as the file can be read, until the length is
// known or the file ends. Returns 0 for a file that never tells.
static uint64_t find_length(const Wishes *wishes, gint64 deadline)
{
    gint64 length = -1;
    GstElement *playbin = gst_element_factory_make("playbin", NULL);
    GstElement *sink = gst_element_factory_make("fakesink", NULL);
    if (!playbin || !sink) {
        g_clear_pointer(&playbin, gst_object_unref);
        g_clear_pointer(&sink, gst_object_unref);
        return 0;
    }
    gst_object_ref_sink(playbin);
    g_object_set(playbin, "uri", wishes->item->uri, "audio-sink", sink, NULL);
    gst_util_set_object_arg(G_OBJECT(playbin), "flags", "audio");
    gst_element_set_context(playbin, wishes->context);
    g_signal_connect(playbin, "deep-element-added", G_CALLBACK(meet_element), NULL);
    vit_hold_sources(playbin, wishes->item->uri, wishes->item->parts, wishes->item->named_from);
    vit_refuse_manifests(playbin);
    GstBus *bus = gst_element_get_bus(playbin);
    GstMessage *end = NULL;
    gst_element_set_state(playbin, GST_STATE_PLAYING);
    while (!end && length <= 0 && g_get_monotonic_time() < deadline) {
        // A parser doesn't tell when it knows.
        end = gst_bus_timed_pop_filtered(bus, 20 * GST_MSECOND, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
        gst_element_query_duration(playbin, GST_FORMAT_TIME, &length);
    }
    gst_clear_message(&end);
    gst_element_set_state(playbin, GST_STATE_NULL);
    gst_object_unref(bus);
    gst_object_unref(playbin);
    return length > 0 ? (uint64_t)length : 0;
}

// Sound, maybe with a cover.
static gboolean is_sound(const vit_probe_result *result)
{
    gboolean has_sound = FALSE;
    for (int32_t i = 0; i < result->stream_count; i++) {
        if (result->streams[i].kind == VIT_PROBE_VIDEO) return FALSE;
        if (result->streams[i].kind == VIT_PROBE_AUDIO) has_sound = TRUE;
    }
    return has_sound;
}

void vit_probe(
    const vit_probe_item *item, uint64_t timeout, GstContext *context, vit_probe_result *result)
{
    Wishes wishes = { item, context, NULL, result };
    memset(result, 0, sizeof *result);
    const gint64 deadline = g_get_monotonic_time() + (gint64)(timeout / GST_USECOND);
    GError *problem = NULL;
    GstDiscovererResult outcome = GST_DISCOVERER_ERROR;
    GstDiscoverer *discoverer = gst_discoverer_new(timeout, &problem);
    if (discoverer) g_signal_connect(discoverer, "source-setup", G_CALLBACK(meet_pipeline), &wishes);
    GstDiscovererInfo *info = discoverer ? gst_discoverer_discover_uri(discoverer, item->uri, &problem) : NULL;
    if (info) {
        outcome = gst_discoverer_info_get_result(info);
        result->has_failed = outcome != GST_DISCOVERER_OK;
        result->has_timed_out = outcome == GST_DISCOVERER_TIMEOUT;
        result->is_live = gst_discoverer_info_get_live(info);
        take_container(info, result);
        const GstTagList *tags = gst_discoverer_info_get_tags(info);
        GList *streams = gst_discoverer_info_get_stream_list(info);
        for (GList *next = streams; next; next = next->next)
            take_stream(next->data, tags, result);
        gst_discoverer_stream_info_list_free(streams);
        GstClockTime duration = gst_discoverer_info_get_duration(info);
        result->duration = GST_CLOCK_TIME_IS_VALID(duration) ? duration : 0;
        // What comes from a server may be a station, which has no end.
        if (result->duration == 0 && !result->has_failed && is_sound(result) && g_str_has_prefix(item->uri, "file:"))
            result->duration = find_length(&wishes, deadline);
        gst_discoverer_info_unref(info);
    } else {
        result->has_failed = TRUE;
    }
    if (problem) {
        result->has_failed = TRUE;
        result->domain = problem->domain;
        result->code = problem->code;
        g_strlcpy(result->message, problem->message, VIT_PROBE_TEXT);
        g_error_free(problem);
    } else if (info && outcome == GST_DISCOVERER_MISSING_PLUGINS) {
        result->domain = GST_STREAM_ERROR;
        result->code = GST_STREAM_ERROR_CODEC_NOT_FOUND;
    }
    if (wishes.pipeline) {
        // The discoverer drops the details of an error, so they are read here.
        result->refusal = vit_refusal_of(wishes.pipeline);
        GstBus *bus = gst_element_get_bus(wishes.pipeline);
        if (bus) {
            g_signal_handlers_disconnect_by_data(bus, &wishes);
            gst_bus_disable_sync_message_emission(bus);
            gst_object_unref(bus);
        }
    }
    g_clear_object(&wishes.pipeline);
    if (discoverer)
        g_object_unref(discoverer);
}
