#include "QueueLevels.h"

#include <string.h>

// Has a reference count, because each signal and each probe holds it.
typedef struct {
    vit_queue_func func;
    gpointer data;
    GDestroyNotify destroy;
} Watch;

static void clear(gpointer data)
{
    Watch *watch = data;
    watch->destroy(watch->data);
}

static void release(gpointer watch) { g_atomic_rc_box_release_full(watch, clear); }

static void release_closure(gpointer watch, GClosure *closure)
{
    (void)closure;
    release(watch);
}

static gboolean has_times(GstPad *pad)
{
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (!caps) return FALSE;
    const char *name = gst_caps_get_size(caps) > 0 ? gst_structure_get_name(gst_caps_get_structure(caps, 0)) : "";
    gboolean value = g_str_has_prefix(name, "video/") || g_str_has_prefix(name, "audio/");
    gst_caps_unref(caps);
    return value;
}

// The pad through which a stream enters the queue, which identifies the stream. With a reference.
static GstPad *entrance_of(GstElement *queue, GstPad *pad)
{
    if (gst_pad_get_direction(pad) == GST_PAD_SINK) return gst_object_ref(pad);
    char *exit = gst_pad_get_name(pad);
    char *name = g_strconcat("sink", strchr(exit, '_'), NULL);
    GstPad *entrance = gst_element_get_static_pad(queue, name);
    g_free(name);
    g_free(exit);
    return entrance;
}

static void tell_level(GstElement *queue, GstPad *pad, gboolean is_flushed, gboolean ends, Watch *watch)
{
    gboolean is_buffering = FALSE;
    guint most = 0;
    g_object_get(queue, "use-buffering", &is_buffering, "max-size-bytes", &most, NULL);
    if (!is_buffering) return;
    GstPad *entrance = entrance_of(queue, pad);
    if (!entrance) return;
    if (has_times(entrance)) {
        guint64 media = 0;
        guint bytes = 0;
        g_object_get(entrance, "current-level-time", &media, "current-level-bytes", &bytes, NULL);
        vit_queue_level level = {media, most > 0 && bytes >= most, ends || GST_PAD_IS_EOS(entrance)};
        // The queue handles a flush only after this.
        if (is_flushed) level = (vit_queue_level){0, FALSE, FALSE};
        watch->func(watch->data, (uintptr_t)entrance, &level);
    }
    gst_object_unref(entrance);
}

// Whether the queue's output for this stream isn't linked: a language that isn't heard.
static gboolean is_left_alone(GstElement *queue, GstPad *entrance)
{
    char *name = gst_pad_get_name(entrance);
    char *exit_name = g_strconcat("src", strchr(name, '_'), NULL);
    GstPad *exit = gst_element_get_static_pad(queue, exit_name);
    gboolean value = exit && gst_pad_get_last_flow_return(exit) == GST_FLOW_NOT_LINKED;
    if (exit) gst_object_unref(exit);
    g_free(exit_name);
    g_free(name);
    return value;
}

// Ignores a stream that the demultiplexer has stopped because it isn't used: its level would never change again.
static gboolean excuse(GstElement *queue, GstPad *entrance, gpointer data)
{
    Watch *watch = data;
    if (!is_left_alone(queue, entrance)) return TRUE;
    vit_queue_level level = {0, FALSE, TRUE};
    watch->func(watch->data, (uintptr_t)entrance, &level);
    return TRUE;
}

static GstPadProbeReturn passes(GstPad *pad, GstPadProbeInfo *info, gpointer watch)
{
    GstEvent *event = info->type & GST_PAD_PROBE_TYPE_BUFFER ? NULL : gst_pad_probe_info_get_event(info);
    GstEventType type = event ? GST_EVENT_TYPE(event) : GST_EVENT_UNKNOWN;
    if (event && type != GST_EVENT_EOS && type != GST_EVENT_FLUSH_STOP) return GST_PAD_PROBE_OK;
    GstElement *queue = gst_pad_get_parent_element(pad);
    if (!queue) return GST_PAD_PROBE_OK;
    tell_level(queue, pad, type == GST_EVENT_FLUSH_STOP, type == GST_EVENT_EOS, watch);
    gst_element_foreach_sink_pad(queue, excuse, watch);
    gst_object_unref(queue);
    return GST_PAD_PROBE_OK;
}

static void pad_added(GstElement *queue, GstPad *pad, gpointer watch)
{
    (void)queue;
    GstPadProbeType types = GST_PAD_PROBE_TYPE_BUFFER;
    if (gst_pad_get_direction(pad) == GST_PAD_SINK)
        types |= GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM | GST_PAD_PROBE_TYPE_EVENT_FLUSH;
    gst_pad_add_probe(pad, types, passes, g_atomic_rc_box_acquire(watch), release);
}

static void pad_removed(GstElement *queue, GstPad *pad, gpointer data)
{
    Watch *watch = data;
    (void)queue;
    if (gst_pad_get_direction(pad) == GST_PAD_SINK) watch->func(watch->data, (uintptr_t)pad, NULL);
}

static gboolean tell_pad(GstElement *queue, GstPad *pad, gpointer watch)
{
    tell_level(queue, pad, FALSE, FALSE, watch);
    return TRUE;
}

// A queue is set to buffer when all of its streams are known, right before the first frame is passed on: on a slow link
// that frame is ready before another buffer comes.
static void buffering_changed(GstElement *queue, GParamSpec *spec, gpointer watch)
{
    (void)spec;
    gst_element_foreach_sink_pad(queue, tell_pad, watch);
}

static void element_added(GstBin *pipeline, GstBin *bin, GstElement *element, gpointer watch)
{
    (void)pipeline;
    (void)bin;
    GstElementFactory *factory = gst_element_get_factory(element);
    if (!factory || strcmp(gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)), "multiqueue") != 0) return;
    g_signal_connect_data(
        element, "pad-added", G_CALLBACK(pad_added), g_atomic_rc_box_acquire(watch), release_closure, 0);
    g_signal_connect_data(
        element, "pad-removed", G_CALLBACK(pad_removed), g_atomic_rc_box_acquire(watch), release_closure, 0);
    g_signal_connect_data(
        element, "notify::use-buffering", G_CALLBACK(buffering_changed), g_atomic_rc_box_acquire(watch), release_closure,
        0);
}

void vit_watch_queues(GstElement *pipeline, vit_queue_func func, gpointer data, GDestroyNotify destroy)
{
    Watch *watch = g_atomic_rc_box_new0(Watch);
    *watch = (Watch){func, data, destroy};
    g_signal_connect_data(pipeline, "deep-element-added", G_CALLBACK(element_added), watch, release_closure, 0);
}

static void limit(const GValue *value, gpointer bytes)
{
    GstElement *element = g_value_get_object(value);
    GstElementFactory *factory = gst_element_get_factory(element);
    if (!factory || strcmp(gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)), "queue2") != 0) return;
    g_object_set(element, "max-size-bytes", *(const guint *)bytes, NULL);
}

void vit_limit_download(GstElement *pipeline, guint bytes)
{
    GstIterator *iterator = gst_bin_iterate_recurse(GST_BIN(pipeline));
    while (gst_iterator_foreach(iterator, limit, &bytes) == GST_ITERATOR_RESYNC) gst_iterator_resync(iterator);
    gst_iterator_free(iterator);
}
