#include "rules.h"

static const vit_http_facts *facts;

void vit_http_source_set_facts(const vit_http_facts *value) {
    // Never freed: a request may still read the old ones. Called once in a process.
    vit_http_facts *copy = g_new(vit_http_facts, 1);
    *copy = *value;
    g_atomic_pointer_set(&facts, copy);
}

static const vit_http_facts *current(void) { return g_atomic_pointer_get(&facts); }

vit_refusal vit_rules_list(vit_medium medium, const guint8 *text, gsize count) {
    return current() ? current()->list(medium, text, count) : VIT_REFUSAL_NONE;
}

guint vit_rules_reach(GSocketAddress *address, GUri *uri) {
    if (!current() || !address) return 0;
    if (G_IS_PROXY_ADDRESS(address)) return current()->reach_of_host(g_uri_get_host(uri));
    if (!G_IS_INET_SOCKET_ADDRESS(address)) return 0;
    GInetAddress *internet = g_inet_socket_address_get_address(G_INET_SOCKET_ADDRESS(address));
    return current()->reach(g_inet_address_to_bytes(internet), g_inet_address_get_native_size(internet));
}
