#include "DecodeCheck.h"

#include "Frames.h"

#include <gst/video/video.h>
#include <string.h>

// On the heap: a decoder that is late goes on after the caller has returned.
typedef struct {
    GMutex lock;
    gboolean is_over;
    vit_decode_result result;
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
    // Decoders of the whole caps first: others decode only a variant of the format.
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

void vit_avoid_hardware_decoders(void)
{
    GList *all = gst_element_factory_list_get_elements(
        GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_HARDWARE, GST_RANK_MARGINAL);
    for (GList *link = all; link; link = link->next) {
        // The element types above match any of them, not all.
        const char *klass = gst_element_factory_get_metadata(link->data, GST_ELEMENT_METADATA_KLASS);
        if (klass && strstr(klass, "Decoder") && strstr(klass, "Hardware"))
            gst_plugin_feature_set_rank(link->data, GST_RANK_NONE);
    }
    gst_plugin_feature_list_free(all);
}

void vit_leave_out_sinks(void)
{
    GList *all = gst_element_factory_list_get_elements(GST_ELEMENT_FACTORY_TYPE_AUDIOVIDEO_SINKS, GST_RANK_MARGINAL);
    for (GList *link = all; link; link = link->next) gst_plugin_feature_set_rank(link->data, GST_RANK_NONE);
    gst_plugin_feature_list_free(all);
}

// Adds one component of a frame to the checksum; its samples are `step` bytes apart.
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

// Runs on the streaming thread.
static void take_frame(GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
    (void)sink;
    decoding *run = data;
    GstCaps *caps = gst_pad_get_current_caps(pad);
    GstVideoInfo info;
    GstVideoFrame frame;
    gboolean is_known = caps && vit_video_info(&info, caps);
    GstMemory *memory = gst_buffer_n_memory(buffer) > 0 ? gst_buffer_peek_memory(buffer, 0) : NULL;
    gboolean is_shared = memory && gst_memory_is_type(memory, "dmabuf");
    GChecksum *sum = NULL;
    if (is_known && is_readable(&info) && gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ)) {
        sum = g_checksum_new(G_CHECKSUM_MD5);
        for (guint component = 0; component < 3; component++) sum_component(sum, &frame, component);
        gst_video_frame_unmap(&frame);
    }
    g_mutex_lock(&run->lock);
    if (!run->is_over) {
        if (is_known)
            g_strlcpy(run->result.format, GST_VIDEO_INFO_NAME(&info), VIT_DECODE_TEXT);
        run->result.is_shared = is_shared;
        if (sum)
            run->frame(g_checksum_get_string(sum), run->data);
        else
            run->result.unreadable++;
    }
    g_mutex_unlock(&run->lock);
    if (sum)
        g_checksum_free(sum);
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

static void note_element(GstBin *bin, GstBin *inner, GstElement *element, gpointer data)
{
    (void)bin;
    (void)inner;
    decoding *run = data;
    GstElementFactory *factory = gst_element_get_factory(element);
    const char *klass = factory ? gst_element_factory_get_metadata(factory, GST_ELEMENT_METADATA_KLASS) : NULL;
    if (!klass || !strstr(klass, "Decoder") || !strstr(klass, "Video"))
        return;
    vit_prepare_stateless(element);
    // The property of stateless elements, then that of stateful ones.
    const char *names[] = { "video-device", "device" };
    char *device = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(names) && !device; i++) {
        GParamSpec *property = g_object_class_find_property(G_OBJECT_GET_CLASS(element), names[i]);
        if (property && property->value_type == G_TYPE_STRING && property->flags & G_PARAM_READABLE)
            g_object_get(element, names[i], &device, NULL);
    }
    g_mutex_lock(&run->lock);
    if (!run->is_over) {
        g_strlcpy(run->result.decoder, GST_OBJECT_NAME(factory), VIT_DECODE_TEXT);
        run->result.is_hardware = strstr(klass, "Hardware") != NULL;
        // The device of this decoder: an earlier decoder's is dropped.
        g_strlcpy(run->result.device, device ? device : "", VIT_DECODE_TEXT);
    }
    g_mutex_unlock(&run->lock);
    g_free(device);
}

void vit_decode(
    const char *uri, uint64_t limit, vit_decode_result *told, void (*frame)(const char *sum, void *data), void *data)
{
    memset(told, 0, sizeof *told);
    GstElement *pipeline = gst_pipeline_new("self-test");
    GstElement *source = gst_element_factory_make("uridecodebin", NULL);
    GstElement *sink = gst_element_factory_make("fakesink", NULL);
    if (!source || !sink) {
        told->has_failed = TRUE;
        g_strlcpy(told->message, "uridecodebin or fakesink is missing", VIT_DECODE_TEXT);
        if (source)
            gst_object_unref(source);
        if (sink)
            gst_object_unref(sink);
        gst_object_unref(pipeline);
        return;
    }
    decoding *run = g_new0(decoding, 1);
    g_mutex_init(&run->lock);
    run->frame = frame;
    run->data = data;
    g_object_set(source, "uri", uri, NULL);
    g_object_set(sink, "sync", FALSE, "signal-handoffs", TRUE, NULL);
    gst_bin_add_many(GST_BIN(pipeline), source, sink, NULL);
    g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(note_element), run);
    g_signal_connect(source, "pad-added", G_CALLBACK(link_pad), sink);
    g_signal_connect(sink, "handoff", G_CALLBACK(take_frame), run);
    GstBus *bus = gst_element_get_bus(pipeline);
    gboolean has_failed = gst_element_set_state(pipeline, GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE;
    GstMessage *end = gst_bus_timed_pop_filtered(bus, has_failed ? 0 : limit, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    gboolean has_timed_out = !end && !has_failed;
    char message[VIT_DECODE_TEXT] = "";
    if (end && GST_MESSAGE_TYPE(end) == GST_MESSAGE_ERROR) {
        GError *problem = NULL;
        gst_message_parse_error(end, &problem, NULL);
        has_failed = TRUE;
        g_strlcpy(message, problem ? problem->message : "", VIT_DECODE_TEXT);
        g_clear_error(&problem);
    }
    if (end)
        gst_message_unref(end);
    gst_object_unref(bus);
    // A decoder that hangs can't be shut down: it is left to the end of the process.
    if (!has_timed_out) {
        gst_element_set_state(pipeline, GST_STATE_NULL);
        gst_object_unref(pipeline);
    }
    g_mutex_lock(&run->lock);
    run->is_over = TRUE;
    *told = run->result;
    g_mutex_unlock(&run->lock);
    told->has_failed = has_failed;
    told->has_timed_out = has_timed_out;
    g_strlcpy(told->message, message, VIT_DECODE_TEXT);
    if (!has_timed_out) {
        g_mutex_clear(&run->lock);
        g_free(run);
    }
}
