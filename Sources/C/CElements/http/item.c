#include "item.h"

#include <string.h>

// More variants than any stream has.
enum { VARIANTS = 64 };

struct VitItem {
    gint references;
    guint farthest;
    VitJar *jar;
    gint is_complete;
    gint has_parts;
    gint gone;
    GMutex lock;
    // Addresses of the variants' lists, under the lock.
    GPtrArray *variants;
    // Weak: bins keep the context, and the source is in them; a reference would be a cycle.
    GWeakRef source;
};

static VitItem *item_ref(VitItem *item) {
    g_atomic_int_inc(&item->references);
    return item;
}

void vit_item_unref(VitItem *item) {
    if (!g_atomic_int_dec_and_test(&item->references)) return;
    g_weak_ref_clear(&item->source);
    g_ptr_array_unref(item->variants);
    g_mutex_clear(&item->lock);
    vit_jar_free(item->jar);
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
    item->jar = vit_jar_new();
    item->variants = g_ptr_array_new_with_free_func(g_free);
    g_mutex_init(&item->lock);
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

VitJar *vit_item_jar(VitItem *item) { return item->jar; }

gboolean vit_item_is_complete(VitItem *item) { return g_atomic_int_get(&item->is_complete); }
void vit_item_set_complete(VitItem *item, gboolean is_complete) { g_atomic_int_set(&item->is_complete, is_complete); }

void vit_item_part_came(VitItem *item) {
    g_atomic_int_set(&item->has_parts, TRUE);
    g_atomic_int_set(&item->gone, 0);
}

guint vit_item_part_gone(VitItem *item) { return (guint)g_atomic_int_add(&item->gone, 1) + 1; }
gboolean vit_item_has_parts(VitItem *item) { return g_atomic_int_get(&item->has_parts); }

// An address in the form in which it is compared: without the parts that aren't sent, and with its dots resolved. To be
// freed; null for an invalid address.
static char *normal_address(const char *base, const char *address) {
    GUri *uri = base ? NULL : g_uri_parse(address, SOUP_HTTP_URI_FLAGS, NULL);
    if (base) {
        GUri *whole = g_uri_parse(base, SOUP_HTTP_URI_FLAGS, NULL);
        uri = whole ? g_uri_parse_relative(whole, address, SOUP_HTTP_URI_FLAGS, NULL) : NULL;
        if (whole) g_uri_unref(whole);
    } else if (uri) {
        GUri *resolved = g_uri_parse_relative(uri, address, SOUP_HTTP_URI_FLAGS, NULL);
        g_uri_unref(uri);
        uri = resolved;
    }
    if (!uri) return NULL;
    GUri *bare = soup_uri_copy(uri, SOUP_URI_FRAGMENT, NULL, SOUP_URI_NONE);
    char *text = g_uri_to_string(bare);
    g_uri_unref(bare);
    g_uri_unref(uri);
    return text;
}

void vit_item_set_variants(VitItem *item, const char *base, const guint8 *text, gsize count) {
    static const char tag[] = "#EXT-X-STREAM-INF";
    char *copy = g_strndup((const char *)text, count);
    char **lines = g_strsplit_set(copy, "\r\n", -1);
    g_free(copy);
    gboolean is_variant = FALSE;
    GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
    for (char **line = lines; *line && found->len < VARIANTS; line += 1) {
        const char *start = g_strstrip(*line);
        if (g_str_has_prefix(start, tag)) is_variant = TRUE;
        if (*start == 0 || *start == '#') continue;
        char *address = is_variant ? normal_address(base, start) : NULL;
        is_variant = FALSE;
        if (address) g_ptr_array_add(found, address);
    }
    g_strfreev(lines);
    if (found->len > 0) {
        g_mutex_lock(&item->lock);
        GPtrArray *old = item->variants;
        item->variants = found;
        found = old;
        g_mutex_unlock(&item->lock);
    }
    g_ptr_array_unref(found);
}

char *vit_item_other_variant(VitItem *item, const char *gone, guint tried) {
    char *address = normal_address(NULL, gone), *other = NULL;
    g_mutex_lock(&item->lock);
    guint place = 0;
    if (address && g_ptr_array_find_with_equal_func(item->variants, address, g_str_equal, &place) &&
        tried + 1 < item->variants->len)
        other = g_strdup(g_ptr_array_index(item->variants, (place + 1 + tried) % item->variants->len));
    g_mutex_unlock(&item->lock);
    g_free(address);
    return other;
}
