#include "loose.h"
#include "include/CHTTPSource.h"

#include "SourceSettings.h"
#include "item.h"

// What GstElement itself does to change a state.
static GstStateChangeReturn (*plain)(GstElement *element, GstState state);

// Whether it is a source on its own. Those of pipelines, and pipelines themselves, cost no more than the first look.
static gboolean is_loose_source(GstElement *element) {
    return !GST_OBJECT_PARENT(element) && GST_IS_URI_HANDLER(element) &&
           gst_uri_handler_get_uri_type(GST_URI_HANDLER(element)) == GST_URI_SRC;
}

// The item whose part the source would read; null where that is none of the web's: a list that lies on this machine may name what
// lies beside it.
static VitItem *item_behind(GstElement *element) {
    vit_item_ask(element);
    GstContext *context = gst_element_get_context(element, VIT_ITEM_CONTEXT);
    VitItem *item = context ? vit_item_of_context(context) : NULL;
    if (context) gst_context_unref(context);
    return item;
}

static GstStateChangeReturn set_state(GstElement *element, GstState state) {
    if (state <= GST_STATE_NULL || GST_STATE(element) != GST_STATE_NULL || !is_loose_source(element))
        return plain(element, state);
    char *uri = gst_uri_handler_get_uri(GST_URI_HANDLER(element));
    VitItem *item = vit_is_of_web(uri) ? NULL : item_behind(element);
    if (!item) {
        g_free(uri);
        return plain(element, state);
    }
    GstElement *source = vit_item_source(item);
    if (source) {
        GST_ELEMENT_ERROR_WITH_DETAILS(
            source, RESOURCE, OPEN_READ, ("a part of the stream isn't on the web"), ("%s", uri ? uri : ""),
            (VIT_REFUSAL_DETAIL, G_TYPE_UINT, (guint)VIT_REFUSAL_LIST, NULL));
        gst_object_unref(source);
    }
    vit_item_unref(item);
    g_free(uri);
    return GST_STATE_CHANGE_FAILURE;
}

// A class begins as a copy of what it inherits from: those that are there already have copies of their own.
static void replace_in(GType type) {
    GstElementClass *class = g_type_class_peek(type);
    if (class && class->set_state == plain) class->set_state = set_state;
    guint count = 0;
    GType *children = g_type_children(type, &count);
    for (guint index = 0; index < count; index += 1) replace_in(children[index]);
    g_free(children);
}

void vit_guard_loose_sources(void) {
    if (plain) return;
    // Kept for ever, so that it isn't made anew.
    GstElementClass *class = g_type_class_ref(GST_TYPE_ELEMENT);
    plain = class->set_state;
    replace_in(GST_TYPE_ELEMENT);
}
