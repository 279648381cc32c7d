#include "Manifests.h"
#include "drop.h"

#include <string.h>

// Called before the element has got anything: it is added first and linked then.
static void element_added(GstBin *playbin, GstBin *bin, GstElement *element, gpointer data)
{
    (void)bin;
    (void)data;
    const char *class = gst_element_get_metadata(element, GST_ELEMENT_METADATA_KLASS);
    if (!class || !strstr(class, "Adaptive")) return;
    vit_drop_all(element, "sink");
    GST_ELEMENT_ERROR(playbin, STREAM, WRONG_TYPE, ("a manifest isn't played from here"), (NULL));
}

void vit_refuse_manifests(GstElement *playbin)
{
    g_signal_connect(playbin, "deep-element-added", G_CALLBACK(element_added), NULL);
}
