// Makes GStreamer's file source block for ever on its way from PAUSED to READY (or the other way), as the http source can
// after a connection has died in silence (gstreamer#5238). For LD_PRELOAD.
//
// Only where the name of the file has "hangs-down" (PAUSED to READY) or "hangs-up" (READY to PAUSED) in it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static GstStateChangeReturn (*change_state)(GstElement *, GstStateChange);

static GstStateChangeReturn hanging_change_state(GstElement *element, GstStateChange change) {
    const char *name = change == GST_STATE_CHANGE_PAUSED_TO_READY   ? "hangs-down"
                       : change == GST_STATE_CHANGE_READY_TO_PAUSED ? "hangs-up"
                                                                    : NULL;
    if (name) {
        char *location = NULL;
        g_object_get(element, "location", &location, NULL);
        if (location && strstr(location, name)) {
            fprintf(stderr, "hang: %s\n", location);
            for (;;) pause();
        }
        g_free(location);
    }
    return change_state(element, change);
}

gboolean gst_init_check(int *argc, char **argv[], GError **error) {
    gboolean (*init)(int *, char ***, GError **) =
        (gboolean (*)(int *, char ***, GError **))dlsym(RTLD_NEXT, "gst_init_check");
    if (!init || !init(argc, argv, error)) return FALSE;
    GstElementFactory *factory = gst_element_factory_find("filesrc");
    GstPluginFeature *loaded = factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : NULL;
    if (!loaded) return TRUE;
    GstElementClass *type = g_type_class_ref(gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded)));
    if (!change_state) {
        change_state = type->change_state;
        type->change_state = hanging_change_state;
    }
    return TRUE;
}
