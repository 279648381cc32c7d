#include "item.h"

struct VitItem {
    gint references;
    guint farthest;
    // Bins keep the context, and the source is in them: a reference would be a circle.
    GWeakRef source;
};

static VitItem *item_ref(VitItem *item) {
    g_atomic_int_inc(&item->references);
    return item;
}

void vit_item_unref(VitItem *item) {
    if (!g_atomic_int_dec_and_test(&item->references)) return;
    g_weak_ref_clear(&item->source);
    g_free(item);
}

static GType item_get_type(void) {
    static gsize type;
    if (g_once_init_enter(&type)) {
        GType made =
            g_boxed_type_register_static("VitItem", (GBoxedCopyFunc)item_ref, (GBoxedFreeFunc)vit_item_unref);
        g_once_init_leave(&type, made);
    }
    return type;
}

VitItem *vit_item_new(GstElement *source) {
    VitItem *item = g_new0(VitItem, 1);
    item->references = 1;
    g_weak_ref_init(&item->source, source);
    return item;
}

void vit_item_share(VitItem *item, GstElement *source) {
    GstContext *context = gst_context_new(VIT_ITEM_CONTEXT, TRUE);
    gst_structure_set(gst_context_writable_structure(context), "item", item_get_type(), item, NULL);
    gst_element_post_message(source, gst_message_new_have_context(GST_OBJECT(source), context));
}

void vit_item_ask(GstElement *source) {
    gst_element_post_message(source, gst_message_new_need_context(GST_OBJECT(source), VIT_ITEM_CONTEXT));
}

VitItem *vit_item_of_context(GstContext *context) {
    VitItem *item = NULL;
    if (gst_context_has_context_type(context, VIT_ITEM_CONTEXT))
        gst_structure_get(gst_context_get_structure(context), "item", item_get_type(), &item, NULL);
    return item;
}

guint vit_item_farthest(VitItem *item) { return __atomic_load_n(&item->farthest, __ATOMIC_ACQUIRE); }

void vit_item_note(VitItem *item, guint reach) {
    guint known = vit_item_farthest(item);
    while (known < reach &&
           !__atomic_compare_exchange_n(&item->farthest, &known, reach, FALSE, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
}

GstElement *vit_item_source(VitItem *item) { return g_weak_ref_get(&item->source); }
