#include "SourceSettings.h"
#include "drop.h"

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

// --- Parts of adaptive streams ------------------------------------------------------------------------------------------

typedef struct {
    char *detail;
    guint value;
} Guard;

static void forget_guard(gpointer data, GClosure *closure)
{
    Guard *guard = data;
    (void)closure;
    g_free(guard->detail);
    g_free(guard);
}

gboolean vit_is_of_web(const char *uri)
{
    return uri && (g_ascii_strncasecmp(uri, "http:", 5) == 0 || g_ascii_strncasecmp(uri, "https:", 6) == 0 ||
                   g_ascii_strncasecmp(uri, "data:", 5) == 0);
}

static gboolean is_in_adaptive(GstElement *element)
{
    gboolean is_adaptive = FALSE;
    GstObject *object = gst_object_get_parent(GST_OBJECT(element));
    while (object && !is_adaptive) {
        const char *class = gst_element_get_metadata(GST_ELEMENT(object), GST_ELEMENT_METADATA_KLASS);
        is_adaptive = class && strstr(class, "Adaptive");
        GstObject *parent = gst_object_get_parent(object);
        gst_object_unref(object);
        object = parent;
    }
    if (object) gst_object_unref(object);
    return is_adaptive;
}

static void look_at_part(GstBin *playbin, GstBin *bin, GstElement *element, gpointer data)
{
    const Guard *guard = data;
    (void)bin;
    if (!GST_IS_URI_HANDLER(element) || gst_uri_handler_get_uri_type(GST_URI_HANDLER(element)) != GST_URI_SRC) return;
    char *uri = gst_uri_handler_get_uri(GST_URI_HANDLER(element));
    if (!vit_is_of_web(uri) && is_in_adaptive(element)) {
        vit_drop_all(element, "src");
        GST_ELEMENT_ERROR_WITH_DETAILS(
            GST_ELEMENT(playbin), RESOURCE, OPEN_READ, ("a part of the stream isn't on the web"), ("%s", uri ? uri : ""),
            (guard->detail, G_TYPE_UINT, guard->value, NULL));
    }
    g_free(uri);
}

void vit_guard_parts(GstElement *playbin, const char *detail, guint value)
{
    Guard *guard = g_new(Guard, 1);
    *guard = (Guard){.detail = g_strdup(detail), .value = value};
    g_signal_connect_data(playbin, "deep-element-added", G_CALLBACK(look_at_part), guard, forget_guard, 0);
}
