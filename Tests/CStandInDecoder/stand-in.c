#define _GNU_SOURCE
#include "StandInDecoder.h"
#include "surfaces.h"

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>
#include <stdlib.h>
#include <string.h>

#define WIDTHS "width=[1,16384],height=[1,16384]"

static const char *setting(const char *name, const char *otherwise)
{
    const char *text = getenv(name);
    return text ? text : otherwise;
}

static const char *decodes(void) { return setting("STAND_IN_DECODES", "NV12:0x0100000000000002"); }
static const char *writes(void) { return setting("STAND_IN_WRITES", "NV12"); }

static gboolean fails(const char *way) { return strstr(setting("STAND_IN_FAILS", ""), way) != NULL; }

static guint dies_after(void) { return (guint)strtoul(setting("STAND_IN_DIES", "0"), NULL, 10); }

static char *layouts(const char *list)
{
    char **each = g_strsplit(list, ",", 0);
    GString *text = g_string_new(NULL);
    for (char **one = each; *one; one++) g_string_append_printf(text, "%s(string)\"%s\"", one == each ? "" : ",", *one);
    g_strfreev(each);
    return g_string_free(text, FALSE);
}

// As the plugin's own templates have it: VA-API's memory first, layouts, then plain memory.
static GstCaps *source_caps(const char *list)
{
    char *each = layouts(list);
    char *text = g_strdup_printf(
        "video/x-raw(memory:VAMemory),format={NV12,P010_10LE}," WIDTHS
        ";video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format={%s}," WIDTHS
        ";video/x-raw,format={NV12,P010_10LE}," WIDTHS,
        each);
    GstCaps *caps = gst_caps_from_string(text);
    g_free(text);
    g_free(each);
    return caps;
}

static const char *way_of(GstCaps *caps)
{
    GstCapsFeatures *features = gst_caps_get_features(caps, 0);
    if (gst_caps_features_contains(features, "memory:VAMemory")) return "processed";
    return gst_caps_features_contains(features, "memory:DMABuf") ? "untouched" : "downloaded";
}

// --- The decoder -----------------------------------------------------------------------------------------------------

typedef struct {
    GstVideoDecoder parent;
    GstVideoCodecState *input;
    Surface surface;
    const char *way;
    gboolean fails;
    GList *waiting;
    guint number;
} StandIn;
typedef struct {
    GstVideoDecoderClass parent;
} StandInClass;

GType stand_in_get_type(void);
G_DEFINE_TYPE(StandIn, stand_in, GST_TYPE_VIDEO_DECODER)

// Chooses as the plugin does: VA-API's memory, then a layout of the right depth, then plain memory; and plain memory where nobody
// answers.
static GstCaps *choose(GstPad *pad, gboolean is_deep)
{
    static const char *const features[] = {"memory:VAMemory", "memory:DMABuf", "memory:SystemMemory"};
    GstCaps *peer = gst_pad_peer_query_caps(pad, NULL);
    gboolean is_any = gst_caps_is_any(peer);
    gst_caps_unref(peer);
    GstCaps *allowed = gst_pad_get_allowed_caps(pad), *chosen = NULL;
    if (!allowed) allowed = gst_pad_get_pad_template_caps(pad);
    for (guint f = is_any ? 2 : 0; f < G_N_ELEMENTS(features) && !chosen; f++)
        for (guint i = 0; i < gst_caps_get_size(allowed) && !chosen; i++) {
            if (!gst_caps_features_contains(gst_caps_get_features(allowed, i), features[f])) continue;
            GstStructure *structure = gst_structure_copy(gst_caps_get_structure(allowed, i));
            if (f == 1) {
                const GValue *list = gst_structure_get_value(structure, "drm-format");
                const char *found = NULL;
                guint count = list && GST_VALUE_HOLDS_LIST(list) ? gst_value_list_get_size(list) : 1;
                for (guint n = 0; list && n < count && !found; n++) {
                    const GValue *one = GST_VALUE_HOLDS_LIST(list) ? gst_value_list_get_value(list, n) : list;
                    if (g_str_has_prefix(g_value_get_string(one), is_deep ? "P010" : "NV12")) found = g_value_get_string(one);
                }
                char *copy = g_strdup(found);
                if (copy) gst_structure_set(structure, "drm-format", G_TYPE_STRING, copy, NULL);
                g_free(copy);
                if (!found) {
                    gst_structure_free(structure);
                    continue;
                }
                gst_structure_set(structure, "format", G_TYPE_STRING, "DMA_DRM", NULL);
            } else {
                gst_structure_set(structure, "format", G_TYPE_STRING, is_deep ? "P010_10LE" : "NV12", NULL);
            }
            chosen = gst_caps_new_full(structure, NULL);
            gst_caps_set_features_simple(chosen, gst_caps_features_new(features[f], NULL));
        }
    gst_caps_unref(allowed);
    return chosen;
}

// As vah264dec has it: what may hold fields is mixed, and each frame tells. Parsers of H.264 tell of fields, not of a mode.
static GstVideoInterlaceMode mode_of(const GstVideoCodecState *input)
{
    const char *coded = gst_structure_get_string(gst_caps_get_structure(input->caps, 0), "coded-picture-structure");
    return g_strcmp0(coded, "field") == 0 ? GST_VIDEO_INTERLACE_MODE_MIXED : input->info.interlace_mode;
}

static gboolean stand_in_negotiate(GstVideoDecoder *decoder)
{
    StandIn *self = (StandIn *)decoder;
    guint depth = 8;
    gst_structure_get_uint(gst_caps_get_structure(self->input->caps, 0), "bit-depth-luma", &depth);
    GstCaps *caps = choose(GST_VIDEO_DECODER_SRC_PAD(decoder), depth > 8);
    if (!caps) return FALSE;
    const GstVideoInfo *info = &self->input->info;
    gst_caps_set_simple(
        caps, "width", G_TYPE_INT, info->width, "height", G_TYPE_INT, info->height, "framerate", GST_TYPE_FRACTION,
        info->fps_n, info->fps_d, "pixel-aspect-ratio", GST_TYPE_FRACTION, info->par_n, info->par_d, "interlace-mode",
        G_TYPE_STRING, gst_video_interlace_mode_to_string(mode_of(self->input)), NULL);
    self->surface = surface_of(info->width, info->height, depth > 8);
    self->way = way_of(caps);
    self->fails = fails(self->way);
    GstVideoCodecState *state = gst_video_decoder_set_output_state(
        decoder, self->surface.format, (guint)info->width, (guint)info->height, self->input);
    gst_caps_take(&state->caps, caps);
    gst_video_codec_state_unref(state);
    return GST_VIDEO_DECODER_CLASS(stand_in_parent_class)->negotiate(decoder);
}

static gboolean stand_in_decide(GstVideoDecoder *decoder, GstQuery *query)
{
    StandIn *self = (StandIn *)decoder;
    gboolean is_shared = strcmp(self->way, "untouched") == 0;
    // A layout of its own goes nowhere where nobody says that any strides will do.
    if (is_shared && !gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL)) return FALSE;
    GstBufferPool *pool = surfaces_new(&self->surface, is_shared);
    guint size = (guint)surface_size(&self->surface);
    if (gst_query_get_n_allocation_pools(query) > 0) gst_query_set_nth_allocation_pool(query, 0, pool, size, 0, 0);
    else gst_query_add_allocation_pool(query, pool, size, 0, 0);
    gst_object_unref(pool);
    return TRUE;
}

static gboolean stand_in_set_format(GstVideoDecoder *decoder, GstVideoCodecState *state)
{
    StandIn *self = (StandIn *)decoder;
    g_clear_pointer(&self->input, gst_video_codec_state_unref);
    self->input = gst_video_codec_state_ref(state);
    return gst_video_decoder_negotiate(decoder);
}

// As many pictures as a stream may put in another order than that in which they are shown.
enum { MOST_WAITING = 4 };

static gint by_time(gconstpointer a, gconstpointer b)
{
    const GstVideoCodecFrame *first = a, *second = b;
    return first->pts < second->pts ? -1 : first->pts > second->pts;
}

static GstFlowReturn show(GstVideoDecoder *decoder)
{
    StandIn *self = (StandIn *)decoder;
    GstVideoCodecFrame *frame = self->waiting->data;
    self->waiting = g_list_delete_link(self->waiting, self->waiting);
    GstFlowReturn result = gst_video_decoder_allocate_output_frame(decoder, frame);
    if (result != GST_FLOW_OK || !surface_paint(frame->output_buffer, &self->surface, self->number++)) {
        gst_video_decoder_drop_frame(decoder, frame);
        return result == GST_FLOW_OK ? GST_FLOW_ERROR : result;
    }
    if (mode_of(self->input) != GST_VIDEO_INTERLACE_MODE_PROGRESSIVE)
        GST_BUFFER_FLAG_SET(frame->output_buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED | GST_VIDEO_BUFFER_FLAG_TFF);
    return gst_video_decoder_finish_frame(decoder, frame);
}

static GstFlowReturn stand_in_frame(GstVideoDecoder *decoder, GstVideoCodecFrame *frame)
{
    StandIn *self = (StandIn *)decoder;
    if (self->fails || (dies_after() && self->number >= dies_after())) {
        GST_ELEMENT_ERROR(decoder, STREAM, DECODE, (NULL), ("%s: told to fail", self->way));
        gst_video_decoder_drop_frame(decoder, frame);
        return GST_FLOW_ERROR;
    }
    self->waiting = g_list_insert_sorted(self->waiting, frame, by_time);
    return g_list_length(self->waiting) > MOST_WAITING ? show(decoder) : GST_FLOW_OK;
}

static GstFlowReturn stand_in_drain(GstVideoDecoder *decoder)
{
    StandIn *self = (StandIn *)decoder;
    GstFlowReturn result = GST_FLOW_OK;
    while (self->waiting && result == GST_FLOW_OK) result = show(decoder);
    return result;
}

static gboolean stand_in_flush(GstVideoDecoder *decoder)
{
    StandIn *self = (StandIn *)decoder;
    g_list_free_full(g_steal_pointer(&self->waiting), (GDestroyNotify)gst_video_codec_frame_unref);
    return TRUE;
}

static gboolean stand_in_stop(GstVideoDecoder *decoder)
{
    StandIn *self = (StandIn *)decoder;
    stand_in_flush(decoder);
    g_clear_pointer(&self->input, gst_video_codec_state_unref);
    return TRUE;
}

static void add_template(GstElementClass *class, GstPadDirection direction, GstCaps *caps)
{
    gst_element_class_add_pad_template(
        class, gst_pad_template_new(direction == GST_PAD_SRC ? "src" : "sink", direction, GST_PAD_ALWAYS, caps));
    gst_caps_unref(caps);
}

static void stand_in_class_init(StandInClass *class)
{
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    gst_element_class_set_static_metadata(
        element, "Stand-in for a decoder", "Codec/Decoder/Video/Hardware", "Gives grey frames", "Vitrine");
    GstVideoDecoderClass *decoder = GST_VIDEO_DECODER_CLASS(class);
    decoder->set_format = stand_in_set_format;
    decoder->negotiate = stand_in_negotiate;
    decoder->decide_allocation = stand_in_decide;
    decoder->handle_frame = stand_in_frame;
    decoder->stop = stand_in_stop;
    decoder->flush = stand_in_flush;
    decoder->drain = decoder->finish = stand_in_drain;
}

// Of one codec.
static void codec_class_init(gpointer class, gpointer sink_caps)
{
    add_template(class, GST_PAD_SINK, gst_caps_from_string(sink_caps));
    add_template(class, GST_PAD_SRC, source_caps(decodes()));
}

static gboolean register_codec(GstPlugin *plugin, guint rank, const char *name, const char *sink_caps)
{
    GTypeQuery base;
    g_type_query(stand_in_get_type(), &base);
    const GTypeInfo info = {
        .class_size = (guint16)base.class_size, .instance_size = (guint16)base.instance_size, .class_init = codec_class_init,
        .class_data = sink_caps,
    };
    char *type_name = g_strdup_printf("StandIn-%s", name);
    GType type = g_type_from_name(type_name);
    if (!type) type = g_type_register_static(stand_in_get_type(), type_name, &info, 0);
    g_free(type_name);
    return gst_element_register(plugin, name, rank, type);
}

static void stand_in_init(StandIn *self) { gst_video_decoder_set_packetized(GST_VIDEO_DECODER(self), TRUE); }

// --- The processor ---------------------------------------------------------------------------------------------------

typedef struct {
    GstBaseTransform parent;
    GstBufferPool *pool;
    Surface surface;
    guint number;
} Processor;
typedef struct {
    GstBaseTransformClass parent;
} ProcessorClass;

GType processor_get_type(void);
G_DEFINE_TYPE(Processor, processor, GST_TYPE_BASE_TRANSFORM)

static GstCaps *processor_transform_caps(GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
    // Any size and any memory; what else is told of frames stays.
    GstCaps *other = gst_pad_get_pad_template_caps(
        direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD(trans) : GST_BASE_TRANSFORM_SINK_PAD(trans));
    const GValue *rate = gst_structure_get_value(gst_caps_get_structure(caps, 0), "framerate");
    other = gst_caps_make_writable(other);
    if (rate) gst_caps_set_value(other, "framerate", rate);
    if (!filter) return other;
    GstCaps *both = gst_caps_intersect_full(filter, other, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(other);
    return both;
}

static GstCaps *processor_fixate(GstBaseTransform *trans, GstPadDirection direction, GstCaps *caps, GstCaps *other)
{
    (void)trans, (void)direction;
    const GstStructure *from = gst_caps_get_structure(caps, 0);
    gint width = 0, height = 0;
    gst_structure_get_int(from, "width", &width);
    gst_structure_get_int(from, "height", &height);
    GstCaps *fixed = gst_caps_truncate(gst_caps_make_writable(other));
    GstStructure *structure = gst_caps_get_structure(fixed, 0);
    gst_structure_fixate_field_nearest_int(structure, "width", width);
    gst_structure_fixate_field_nearest_int(structure, "height", height);
    if (!gst_structure_has_field(structure, "pixel-aspect-ratio"))
        gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, NULL);
    return gst_caps_fixate(fixed);
}

static gboolean processor_set_caps(GstBaseTransform *trans, GstCaps *from, GstCaps *to)
{
    (void)from;
    Processor *self = (Processor *)trans;
    const GstStructure *structure = gst_caps_get_structure(to, 0);
    gint width = 0, height = 0;
    gst_structure_get_int(structure, "width", &width);
    gst_structure_get_int(structure, "height", &height);
    const char *layout = gst_structure_get_string(structure, "drm-format");
    self->surface = surface_of(width, height, layout && g_str_has_prefix(layout, "P010"));
    surfaces_drop(&self->pool);
    self->pool = surfaces_new(&self->surface, TRUE);
    return TRUE;
}

static GstFlowReturn processor_prepare(GstBaseTransform *trans, GstBuffer *in, GstBuffer **out)
{
    GstFlowReturn result = gst_buffer_pool_acquire_buffer(((Processor *)trans)->pool, out, NULL);
    if (result == GST_FLOW_OK) gst_buffer_copy_into(*out, in, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    return result;
}

static GstFlowReturn processor_transform(GstBaseTransform *trans, GstBuffer *in, GstBuffer *out)
{
    (void)in;
    Processor *self = (Processor *)trans;
    return surface_paint(out, &self->surface, self->number++) ? GST_FLOW_OK : GST_FLOW_ERROR;
}

static gboolean processor_decide(GstBaseTransform *trans, GstQuery *query)
{
    (void)trans, (void)query;
    return TRUE;
}

static gboolean processor_stop(GstBaseTransform *trans)
{
    surfaces_drop(&((Processor *)trans)->pool);
    return TRUE;
}

static void processor_class_init(ProcessorClass *class)
{
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    gst_element_class_set_static_metadata(
        element, "Stand-in for a processor", "Converter/Filter/Colorspace/Scaler/Video/Hardware", "Gives grey frames", "Vitrine");
    add_template(element, GST_PAD_SINK, source_caps(decodes()));
    add_template(element, GST_PAD_SRC, source_caps(writes()));
    GstBaseTransformClass *transform = GST_BASE_TRANSFORM_CLASS(class);
    transform->transform_caps = processor_transform_caps;
    transform->fixate_caps = processor_fixate;
    transform->set_caps = processor_set_caps;
    transform->prepare_output_buffer = processor_prepare;
    transform->transform = processor_transform;
    transform->decide_allocation = processor_decide;
    transform->stop = processor_stop;
}

static void processor_init(Processor *self) { (void)self; }

gboolean stand_in_register(GstPlugin *plugin, guint rank)
{
    if (!register_codec(plugin, rank, "vah264dec", "video/x-h264,stream-format={avc,byte-stream},alignment=au") ||
        !register_codec(plugin, rank, "vah265dec", "video/x-h265,stream-format={hvc1,hev1,byte-stream},alignment=au") ||
        !register_codec(plugin, rank, "vavp9dec", "video/x-vp9,alignment=frame"))
        return FALSE;
    return !*writes() || gst_element_register(plugin, "vapostproc", GST_RANK_NONE, processor_get_type());
}

// As high as the plugin's own.
static gboolean plugin_init(GstPlugin *plugin) { return stand_in_register(plugin, GST_RANK_PRIMARY + 1); }

#define PACKAGE "vitrine"
GST_PLUGIN_DEFINE(
    GST_VERSION_MAJOR, GST_VERSION_MINOR, standin, "Stand-ins for decoders of VA-API", plugin_init, "1", "LGPL",
    PACKAGE, "tests")
