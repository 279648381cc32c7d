#include "DecodeCheck.h"

#include <gst/video/video.h>
#include <string.h>

typedef struct {
    vit_decode_result *result;
    void (*frame)(const char *sum, void *data);
    void *data;
} decoding;

void vit_best_decoder(const char *text, char *name, size_t size, gboolean *is_hardware)
{
    g_strlcpy(name, "", size);
    *is_hardware = FALSE;
    GstCaps *caps = gst_caps_from_string(text);
    if (!caps)
        return;
    GList *all = gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_DECODER, GST_RANK_MARGINAL);
    // Whole caps first: a decoder for one flavour only takes part of what there may be.
    GList *fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, TRUE);
    if (!fitting)
        fitting = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, FALSE);
    fitting = g_list_sort(fitting, gst_plugin_feature_rank_compare_func);
    if (fitting) {
        GstElementFactory *factory = fitting->data;
        g_strlcpy(name, GST_OBJECT_NAME(factory), size);
        const char *klass = gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS);
        *is_hardware = klass && strstr(klass, "Hardware");
    }
    gst_plugin_feature_list_free(fitting);
    gst_plugin_feature_list_free(all);
    gst_caps_unref(caps);
}

// One colour of one frame; its samples are `step` bytes apart.
static void sum_component(GChecksum *sum, GstVideoFrame *frame, guint component)
{
    const int width = GST_VIDEO_FRAME_COMP_WIDTH(frame, component), height = GST_VIDEO_FRAME_COMP_HEIGHT(frame, component);
    const int stride = GST_VIDEO_FRAME_COMP_STRIDE(frame, component);
    const int step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component);
    const guint8 *first = GST_VIDEO_FRAME_COMP_DATA(frame, component);
    guint8 *row = g_malloc((gsize)width);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) row[x] = first[(gssize)y * stride + (gssize)x * step];
        g_checksum_update(sum, row, width);
    }
    g_free(row);
}

static gboolean is_readable(const GstVideoInfo *info)
{
    switch (GST_VIDEO_INFO_FORMAT(info)) {
    case GST_VIDEO_FORMAT_I420:
    case GST_VIDEO_FORMAT_YV12:
    case GST_VIDEO_FORMAT_NV12:
    case GST_VIDEO_FORMAT_NV21: return TRUE;
    default: return FALSE;
    }
}

// On the streaming thread.
static void take_frame(GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
    (void)sink;
    decoding *run = data;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    GstVideoInfo info;
    GstVideoFrame frame;
    gboolean is_known = caps && gst_video_info_from_caps(&info, caps);
    if (is_known)
        g_strlcpy(run->result->format, GST_VIDEO_INFO_NAME(&info), VIT_DECODE_TEXT);
    GstMemory *memory = gst_buffer_n_memory(buffer) > 0 ? gst_buffer_peek_memory(buffer, 0) : NULL;
    run->result->is_shared = memory && gst_memory_is_type(memory, "dmabuf");
    if (is_known && is_readable(&info) && gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ)) {
        GChecksum *sum = g_checksum_new(G_CHECKSUM_MD5);
        for (guint component = 0; component < 3; component++) sum_component(sum, &frame, component);
        run->frame(g_checksum_get_string(sum), run->data);
        g_checksum_free(sum);
        gst_video_frame_unmap(&frame);
    } else {
        run->result->unreadable++;
    }
    if (caps)
        gst_caps_unref(caps);
}

static void link_pad(GstElement *source, GstPad *pad, gpointer data)
{
    (void)source;
    GstPad *sink = gst_element_get_static_pad(data, "sink");
    if (!gst_pad_is_linked(sink))
        gst_pad_link(pad, sink);
    gst_object_unref(sink);
}

// GStreamer 1.22's stateless decoders fail when they are asked for their format again, which linking behind them does. What
// they give stays what it was.
static GstPadProbeReturn ask_once(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)data;
    GstEvent *event = gst_pad_probe_info_get_event(info);
    // Looks, and has it be forgotten.
    if (event && GST_EVENT_TYPE(event) == GST_EVENT_RECONFIGURE && gst_pad_has_current_caps(pad))
        gst_pad_check_reconfigure(pad);
    return GST_PAD_PROBE_OK;
}

void vit_ask_once(GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    if (!factory || !g_str_has_prefix(GST_OBJECT_NAME(factory), "v4l2sl"))
        return;
    GstPad *out = gst_element_get_static_pad(element, "src");
    if (!out)
        return;
    gst_pad_add_probe(out, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, ask_once, NULL, NULL);
    gst_object_unref(out);
}

static void note_element(GstBin *bin, GstBin *inner, GstElement *element, gpointer data)
{
    (void)bin;
    (void)inner;
    vit_decode_result *result = data;
    GstElementFactory *factory = gst_element_get_factory(element);
    const char *klass = factory ? gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS) : NULL;
    if (!klass || !strstr(klass, "Decoder") || !strstr(klass, "Video"))
        return;
    g_strlcpy(result->decoder, GST_OBJECT_NAME(factory), VIT_DECODE_TEXT);
    result->is_hardware = strstr(klass, "Hardware") != NULL;
    vit_ask_once(element);
    // Stateless elements, then stateful ones.
    const char *names[] = { "video-device", "device" };
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(element), names[i]);
        char *device = NULL;
        if (property && property->value_type == G_TYPE_STRING && property->flags & G_PARAM_READABLE)
            g_object_get(element, names[i], &device, NULL);
        if (device)
            g_strlcpy(result->device, device, VIT_DECODE_TEXT);
        g_free(device);
    }
}

void vit_decode(
    const char *uri, uint64_t limit, vit_decode_result *result, void (*frame)(const char *sum, void *data), void *data)
{
    memset(result, 0, sizeof *result);
    decoding run = { .result = result, .frame = frame, .data = data };
    GstElement *pipeline = gst_pipeline_new("self-test");
    GstElement *source = gst_element_factory_make("uridecodebin", NULL);
    GstElement *sink = gst_element_factory_make("fakesink", NULL);
    if (!source || !sink) {
        result->has_failed = TRUE;
        g_strlcpy(result->message, "uridecodebin or fakesink is missing", VIT_DECODE_TEXT);
        if (source)
            gst_object_unref(source);
        if (sink)
            gst_object_unref(sink);
        gst_object_unref(pipeline);
        return;
    }
    g_object_set(source, "uri", uri, NULL);
    g_object_set(sink, "sync", FALSE, "signal-handoffs", TRUE, NULL);
    gst_bin_add_many(GST_BIN(pipeline), source, sink, NULL);
    g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(note_element), result);
    g_signal_connect(source, "pad-added", G_CALLBACK(link_pad), sink);
    g_signal_connect(sink, "handoff", G_CALLBACK(take_frame), &run);
    GstBus *bus = gst_element_get_bus(pipeline);
    if (gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE)
        result->has_failed = TRUE;
    GstMessage *end = gst_bus_timed_pop_filtered(
        bus, result->has_failed ? 0 : limit, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    if (!end && !result->has_failed)
        result->has_timed_out = TRUE;
    if (end && GST_MESSAGE_TYPE(end) == GST_MESSAGE_ERROR) {
        GError *problem = NULL;
        gst_message_parse_error(end, &problem, NULL);
        result->has_failed = TRUE;
        g_strlcpy(result->message, problem ? problem->message : "", VIT_DECODE_TEXT);
        g_clear_error(&problem);
    }
    if (end)
        gst_message_unref(end);
    gst_object_unref(bus);
    // A decoder that hangs doesn't come down either: the process ends with what it has.
    if (!result->has_timed_out) {
        gst_element_set_state(pipeline, GST_STATE_NULL);
        gst_object_unref(pipeline);
    }
}
