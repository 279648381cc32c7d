#include "drop.h"

static GstPadProbeReturn drop(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)pad;
    (void)info;
    (void)data;
    return GST_PAD_PROBE_DROP;
}

void vit_drop_all(GstElement *element, const char *pad_name)
{
    GstPad *pad = gst_element_get_static_pad(element, pad_name);
    if (!pad) return;
    gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, drop, NULL, NULL);
    gst_object_unref(pad);
}
