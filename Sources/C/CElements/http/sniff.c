#include "sniff.h"

static vit_sniffer sniffer;
static vit_manifest_mender mender;

void vit_http_source_set_words(vit_sniffer new_sniffer, vit_manifest_mender new_mender) {
    g_atomic_pointer_set(&sniffer, new_sniffer);
    g_atomic_pointer_set(&mender, new_mender);
}

vit_medium vit_sniff(const char *type, const guint8 *bytes, gsize count) {
    vit_sniffer function = g_atomic_pointer_get(&sniffer);
    return function ? function(type, bytes, count) : VIT_MEDIUM_UNKNOWN;
}

GBytes *vit_mend_manifest(GBytes *text) {
    vit_manifest_mender function = g_atomic_pointer_get(&mender);
    gsize count = 0;
    const guint8 *bytes = g_bytes_get_data(text, &count);
    GBytes *mended = function && bytes ? function(bytes, count) : NULL;
    if (!mended) return text;
    g_bytes_unref(text);
    return mended;
}
