#include "SourceSettings.h"

#include <string.h>

static void set_up(GstElement *playbin, GstElement *source, gpointer data)
{
    const vit_source_settings *settings = data;
    (void)playbin;
    GstElementFactory *factory = gst_element_get_factory(source);
    const char *name = factory ? gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)) : NULL;
    if (settings->named_from && g_object_class_find_property(G_OBJECT_GET_CLASS(source), "named-from"))
        g_object_set(source, "named-from", settings->named_from, NULL);
    if (!name || strcmp(name, "rtspsrc") != 0) return;
    g_object_set(source, "latency", settings->rtsp_latency, "timeout", settings->rtsp_udp_timeout, "tcp-timeout",
                 settings->rtsp_tcp_timeout, NULL);
    if (settings->rtsp_transport == VIT_RTSP_TCP) gst_util_set_object_arg(G_OBJECT(source), "protocols", "tcp");
    if (settings->rtsp_transport == VIT_RTSP_UDP) gst_util_set_object_arg(G_OBJECT(source), "protocols", "udp");
}

static void forget(gpointer data, GClosure *closure)
{
    (void)closure;
    g_free(data);
}

gboolean vit_source_is_endless(GstElement *playbin)
{
    GstElement *source = NULL;
    gboolean is_endless = FALSE;
    g_object_get(playbin, "source", &source, NULL);
    if (!source) return FALSE;
    if (g_object_class_find_property(G_OBJECT_GET_CLASS(source), "is-endless"))
        g_object_get(source, "is-endless", &is_endless, NULL);
    gst_object_unref(source);
    return is_endless;
}

void vit_prepare_sources(GstElement *playbin, const vit_source_settings *settings)
{
    vit_source_settings *copy = g_new(vit_source_settings, 1);
    *copy = *settings;
    g_signal_connect_data(playbin, "source-setup", G_CALLBACK(set_up), copy, forget, 0);
}
