#include "CGStreamerShims.h"

#include <string.h>

// On the heap: a decoder that is late goes on after the caller has returned.
struct vit_poster {
    GstElement *pipeline;
    GstBus *bus;
    gboolean is_late;
    GMutex lock;
    // The latest frame, its caps, and its time in the film.
    GstBuffer *buffer;
    GstCaps *caps;
    uint64_t time;
};

static void forget_frame(vit_poster *poster)
{
    g_mutex_lock(&poster->lock);
    gst_clear_buffer(&poster->buffer);
    gst_clear_caps(&poster->caps);
    g_mutex_unlock(&poster->lock);
}

// Runs on the streaming thread, for the frame that a paused sink waits with.
static void take_frame(GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
    (void)sink;
    vit_poster *poster = data;
    forget_frame(poster);
    g_mutex_lock(&poster->lock);
    poster->buffer = gst_buffer_ref(buffer);
    poster->caps = gst_pad_get_current_caps(pad);
    poster->time = vit_stream_time(pad, buffer);
    g_mutex_unlock(&poster->lock);
}

static void link_pad(GstElement *source, GstPad *pad, gpointer data)
{
    (void)source;
    GstPad *sink = gst_element_get_static_pad(data, "sink");
    if (!gst_pad_is_linked(sink))
        gst_pad_link(pad, sink);
    gst_object_unref(sink);
}

static GstPadProbeReturn repair_caps(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad;
    (void)data;
    vit_repair_caps(info);
    return GST_PAD_PROBE_OK;
}

static void meet_element(GstBin *bin, GstBin *inner, GstElement *element, gpointer data)
{
    (void)inner;
    (void)data;
    vit_prepare_stateless(element);
    vit_pass_on_errors(GST_ELEMENT_CAST(bin), element);
    vit_leave_pictures_out(element);
}

// Waits for the frame of the first start or of a seek.
static vit_poster_outcome wait_for_frame(vit_poster *poster, uint64_t timeout)
{
    GstMessage *message = gst_bus_timed_pop_filtered(poster->bus, timeout, GST_MESSAGE_ASYNC_DONE | GST_MESSAGE_ERROR);
    if (!message) {
        poster->is_late = TRUE;
        return VIT_POSTER_LATE;
    }
    gboolean has_failed = GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR;
    gst_message_unref(message);
    if (has_failed) return VIT_POSTER_FAILED;
    g_mutex_lock(&poster->lock);
    gboolean has_frame = poster->buffer && poster->caps;
    g_mutex_unlock(&poster->lock);
    return has_frame ? VIT_POSTER_FRAME : VIT_POSTER_NONE;
}

// Converts while the sides are still small, turns, and makes the turned picture fit: a film on its side is turned at
// a size that its box doesn't allow.
static gboolean add_stages(GstElement *pipeline, GstElement *source, GstElement *sink, const vit_poster_wish *wish)
{
    const guint longest = MAX(wish->width, wish->height);
    const char *names[] = { "videoconvertscale", "capsfilter", "videoflip", "videoconvertscale", "capsfilter" };
    GstElement *stages[G_N_ELEMENTS(names)] = { NULL };
    gboolean are_made = TRUE;
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        stages[i] = gst_element_factory_make(names[i], NULL);
        if (stages[i])
            gst_bin_add(GST_BIN(pipeline), stages[i]);
        else
            are_made = FALSE;
    }
    gst_bin_add(GST_BIN(pipeline), sink);
    if (!are_made) return FALSE;
    for (size_t i = 1; i < G_N_ELEMENTS(names); i += 3) {
        gint width = i == 1 ? longest : wish->width, height = i == 1 ? longest : wish->height;
        GstCaps *caps = gst_caps_new_simple(
            "video/x-raw", "format", G_TYPE_STRING, "I420", "pixel-aspect-ratio", GST_TYPE_FRACTION, 1, 1, "width",
            GST_TYPE_INT_RANGE, 1, width, "height", GST_TYPE_INT_RANGE, 1, height, "colorimetry", G_TYPE_STRING,
            "bt601", NULL);
        g_object_set(stages[i], "caps", caps, NULL);
        gst_caps_unref(caps);
    }
    gst_util_set_object_arg(G_OBJECT(stages[2]), "video-direction", wish->direction);
    GstPad *input = gst_element_get_static_pad(stages[0], "sink");
    gst_pad_add_probe(input, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, repair_caps, NULL, NULL);
    gst_object_unref(input);
    g_signal_connect(source, "pad-added", G_CALLBACK(link_pad), stages[0]);
    return gst_element_link_many(stages[0], stages[1], stages[2], stages[3], stages[4], sink, NULL);
}

vit_poster *vit_poster_open(
    const vit_poster_wish *wish, uint64_t timeout, GstContext *context, vit_poster_outcome *outcome)
{
    *outcome = VIT_POSTER_FAILED;
    GstElement *pipeline = gst_object_ref_sink(gst_pipeline_new("poster"));
    gst_element_set_context(pipeline, context);
    vit_hold_sources(pipeline, wish->item->uri, wish->item->parts, wish->item->named_from);
    vit_refuse_manifests(pipeline);
    g_signal_connect(pipeline, "deep-element-added", G_CALLBACK(meet_element), NULL);
    GstElement *source = gst_element_factory_make("uridecodebin", NULL);
    GstElement *sink = gst_element_factory_make("fakesink", NULL);
    if (!source || !sink) {
        g_clear_pointer(&source, gst_object_unref);
        g_clear_pointer(&sink, gst_object_unref);
        gst_object_unref(pipeline);
        return NULL;
    }
    GstCaps *caps = gst_caps_from_string("video/x-raw(ANY)");
    g_object_set(source, "uri", wish->item->uri, "caps", caps, "expose-all-streams", FALSE, NULL);
    gst_caps_unref(caps);
    g_object_set(sink, "signal-handoffs", TRUE, NULL);
    gst_bin_add(GST_BIN(pipeline), source);
    if (!add_stages(pipeline, source, sink, wish)) {
        gst_object_unref(pipeline);
        return NULL;
    }
    vit_poster *poster = g_new0(vit_poster, 1);
    g_mutex_init(&poster->lock);
    poster->pipeline = pipeline;
    poster->bus = gst_element_get_bus(pipeline);
    g_signal_connect(sink, "preroll-handoff", G_CALLBACK(take_frame), poster);
    GstStateChangeReturn change = gst_element_set_state(pipeline, GST_STATE_PAUSED);
    // A live source has no frame while it is paused.
    if (change == GST_STATE_CHANGE_FAILURE || change == GST_STATE_CHANGE_NO_PREROLL)
        *outcome = VIT_POSTER_FAILED;
    else
        *outcome = wait_for_frame(poster, timeout);
    return poster;
}

vit_poster_outcome vit_poster_seek(vit_poster *poster, uint64_t position, gboolean is_exact, uint64_t timeout)
{
    if (poster->is_late) return VIT_POSTER_LATE;
    forget_frame(poster);
    GstSeekFlags flags = GST_SEEK_FLAG_FLUSH | (is_exact ? GST_SEEK_FLAG_ACCURATE : GST_SEEK_FLAG_KEY_UNIT);
    if (!gst_element_seek_simple(poster->pipeline, GST_FORMAT_TIME, flags, (gint64)MIN(position, (uint64_t)G_MAXINT64)))
        return VIT_POSTER_NONE;
    return wait_for_frame(poster, timeout);
}

gboolean vit_poster_take(vit_poster *poster, uint8_t *planes, gsize size, vit_poster_frame *told)
{
    g_mutex_lock(&poster->lock);
    GstBuffer *buffer = poster->buffer ? gst_buffer_ref(poster->buffer) : NULL;
    GstCaps *caps = poster->caps ? gst_caps_ref(poster->caps) : NULL;
    told->time = poster->time;
    g_mutex_unlock(&poster->lock);
    GstVideoInfo info;
    GstVideoFrame frame;
    gboolean is_taken = FALSE;
    if (buffer && caps && vit_video_info(&info, caps) && GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_I420
        && gst_video_frame_map(&frame, &info, buffer, GST_MAP_READ)) {
        gsize used = 0;
        is_taken = TRUE;
        for (guint plane = 0; plane < 3 && is_taken; plane++) {
            const gsize width = GST_VIDEO_FRAME_COMP_WIDTH(&frame, plane);
            const gsize height = GST_VIDEO_FRAME_COMP_HEIGHT(&frame, plane);
            const gint stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, plane);
            const guint8 *first = GST_VIDEO_FRAME_COMP_DATA(&frame, plane);
            is_taken = width * height <= size - used;
            for (gsize y = 0; y < height && is_taken; y++)
                memcpy(planes + used + y * width, first + (gssize)y * stride, width);
            used += width * height;
        }
        told->width = GST_VIDEO_FRAME_WIDTH(&frame);
        told->height = GST_VIDEO_FRAME_HEIGHT(&frame);
        gst_video_frame_unmap(&frame);
    }
    gst_clear_buffer(&buffer);
    gst_clear_caps(&caps);
    return is_taken;
}

void vit_poster_close(vit_poster *poster)
{
    if (poster->is_late) return;
    gst_element_set_state(poster->pipeline, GST_STATE_NULL);
    gst_object_unref(poster->bus);
    gst_object_unref(poster->pipeline);
    forget_frame(poster);
    g_mutex_clear(&poster->lock);
    g_free(poster);
}
