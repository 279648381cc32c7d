#include "rules.h"

#include "access.h"

static const vit_http_rules *rules;

void vit_http_source_set_rules(const vit_http_rules *value) {
    // Once for a process: a request may be reading the ones before.
    vit_http_rules *copy = g_new(vit_http_rules, 1);
    *copy = *value;
    g_atomic_pointer_set(&rules, copy);
}

static const vit_http_rules *current(void) { return g_atomic_pointer_get(&rules); }

vit_refusal vit_rules_redirect(GUri *from, GUri *to) {
    if (!current()) return VIT_REFUSAL_NONE;
    VitAddress first, second;
    vit_address_take_apart(from, &first);
    vit_address_take_apart(to, &second);
    vit_refusal refusal = current()->redirect(&first.parts, &second.parts);
    vit_address_clear(&first);
    vit_address_clear(&second);
    return refusal;
}

vit_refusal vit_rules_connection(guint farthest, guint target) {
    return current() && farthest && target ? current()->connection(farthest, target) : VIT_REFUSAL_NONE;
}

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
