// Makes outputs fail without an error, as drivers of screens do that don't answer any more. For LD_PRELOAD.
//
//   STUCK_HOW=blocks   drmModeSetPlane never returns (default)
//   STUCK_HOW=drops    the sink is done with each frame and has shown none
//   STUCK_HOW=vanish   frames are gone before they come to the sink, which says nothing of that
//   STUCK_AFTER=60     so many frames are shown before (default: none)
//   STUCK_SINKS=2      the first two sinks are stuck, and those after them are well (default: 1)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <drm.h>
#include <gst/gst.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SINKS = 1000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long frames, stuck;
static const void *seen[MOST_SINKS];
static GstPadChainFunction chain;
static GstStateChangeReturn (*change_state)(GstElement *, GstStateChange);

static unsigned long number(const char *name, unsigned long otherwise) {
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 10) : otherwise;
}

static gboolean is_how(const char *name) {
    const char *how = getenv("STUCK_HOW");
    return strcmp(how ? how : "blocks", name) == 0;
}

// Whether this frame is the first of a sink that is stuck from here on, or belongs to one that is.
static gboolean is_stuck(const void *sink) {
    unsigned long sinks = number("STUCK_SINKS", 1);
    pthread_mutex_lock(&lock);
    gboolean is = FALSE;
    for (unsigned long i = 0; sink && i < stuck && !is; i++) is = seen[i] == sink;
    if (!is && ++frames > number("STUCK_AFTER", 0) && stuck < sinks && stuck < MOST_SINKS) {
        fprintf(stderr, "stuck: sink %lu after %lu frames\n", stuck + 1, frames - 1);
        seen[stuck++] = sink;
        is = TRUE;
    }
    pthread_mutex_unlock(&lock);
    return is;
}

int ioctl(int file, unsigned long request, ...) {
    static int (*original)(int, unsigned long, ...);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ioctl");
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (request == DRM_IOCTL_MODE_SETPLANE && is_how("blocks") && is_stuck(NULL))
        for (;;) pause();
    return original ? original(file, request, argument) : -1;
}

static GstPadProbeReturn pass(GstPad *pad, GstPadProbeInfo *info, gpointer sink) {
    (void)pad, (void)info;
    return is_stuck(sink) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static GstStateChangeReturn watching_change_state(GstElement *sink, GstStateChange change) {
    if (change == GST_STATE_CHANGE_NULL_TO_READY && is_how("vanish")) {
        GstPad *pad = gst_element_get_static_pad(sink, "sink");
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER, pass, sink, NULL);
        gst_object_unref(pad);
    }
    return change_state(sink, change);
}

static GstFlowReturn dropping_chain(GstPad *pad, GstObject *sink, GstBuffer *buffer) {
    if (!is_stuck(sink)) return chain(pad, sink, buffer);
    gst_buffer_unref(buffer);
    return GST_FLOW_OK;
}

GstElement *gst_element_factory_make(const gchar *factory, const gchar *name) {
    GstElement *(*make)(const gchar *, const gchar *) =
        (GstElement * (*)(const gchar *, const gchar *)) dlsym(RTLD_NEXT, "gst_element_factory_make");
    GstElement *element = make ? make(factory, name) : NULL;
    if (element && strcmp(factory, "kmssink") == 0 && is_how("drops")) {
        GstPad *pad = gst_element_get_static_pad(element, "sink");
        chain = GST_PAD_CHAINFUNC(pad);
        gst_pad_set_chain_function(pad, dropping_chain);
        gst_object_unref(pad);
    }
    return element;
}

gboolean gst_init_check(int *argc, char **argv[], GError **error) {
    gboolean (*init)(int *, char ***, GError **) =
        (gboolean (*)(int *, char ***, GError **))dlsym(RTLD_NEXT, "gst_init_check");
    if (!init || !init(argc, argv, error)) return FALSE;
    GstElementFactory *factory = gst_element_factory_find("kmssink");
    GstPluginFeature *loaded = factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : NULL;
    if (!loaded) return TRUE;
    GstElementClass *type = g_type_class_ref(gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded)));
    if (!change_state) {
        change_state = type->change_state;
        type->change_state = watching_change_state;
    }
    return TRUE;
}
