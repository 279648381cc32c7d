#include "Manifests.h"

#include <string.h>

static GstPadProbeReturn drop(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad;
    (void)info;
    (void)data;
    return GST_PAD_PROBE_DROP;
}

// Stops all data into the element.
static void drop_input(GstElement *element)
{
    GstPad *pad = gst_element_get_static_pad(element, "sink");
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, drop, NULL, NULL);
    gst_object_unref(pad);
}

// Called before the element has got any data: it is added first and linked then.
static void element_added(GstBin *playbin, GstBin *bin, GstElement *element, gpointer data)
{
    (void)bin;
    (void)data;
    const char *class = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
    if (!class || !strstr(class, "Adaptive")) return;
    drop_input(element);
    GST_ELEMENT_ERROR(playbin, STREAM, WRONG_TYPE, ("a manifest isn't played from here"), (NULL));
}

void vit_refuse_manifests(GstElement *playbin)
{
    g_signal_connect(playbin, "deep-element-added", G_CALLBACK(element_added), NULL);
}
