#include "jar.h"

#include <string.h>

enum {
    // Cookies of one origin; browsers keep some fifty of a site.
    COOKIES = 50,
    // Origins of an item: a list, its parts, and a redirect or two.
    ORIGINS = 20,
};

struct VitJar {
    GMutex lock;
    // By origin: a cookie without a domain is sent back only to the same scheme, host and port.
    GHashTable *origins;
    // Cookies with a domain of several hosts. libsoup accepts them only from a host in that domain, and never for all
    // of .com.
    SoupCookieJar *domains;
};

VitJar *vit_jar_new(void) {
    VitJar *jar = g_new0(VitJar, 1);
    g_mutex_init(&jar->lock);
    jar->origins = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_object_unref);
    jar->domains = soup_cookie_jar_new();
    return jar;
}

void vit_jar_free(VitJar *jar) {
    g_hash_table_unref(jar->origins);
    g_object_unref(jar->domains);
    g_mutex_clear(&jar->lock);
    g_free(jar);
}

static char *origin_of(GUri *uri) {
    return g_strdup_printf("%s://%s:%d", g_uri_get_scheme(uri), g_uri_get_host(uri), g_uri_get_port(uri));
}

static gboolean has_room(SoupCookieJar *jar) {
    GSList *all = soup_cookie_jar_all_cookies(jar);
    gboolean value = g_slist_length(all) < COOKIES;
    g_slist_free_full(all, (GDestroyNotify)soup_cookie_free);
    return value;
}

static SoupCookieJar *jar_of(VitJar *jar, GUri *uri) {
    char *origin = origin_of(uri);
    SoupCookieJar *found = g_hash_table_lookup(jar->origins, origin);
    if (!found && g_hash_table_size(jar->origins) < ORIGINS) {
        found = soup_cookie_jar_new();
        g_hash_table_insert(jar->origins, g_steal_pointer(&origin), found);
    }
    g_free(origin);
    return found;
}

gboolean vit_jar_take(VitJar *jar, GUri *from, SoupMessage *message) {
    GSList *cookies = soup_cookies_from_response(message);
    if (!cookies) return FALSE;
    char *before = vit_jar_header(jar, from);
    g_mutex_lock(&jar->lock);
    for (GSList *next = cookies; next; next = next->next) {
        SoupCookie *cookie = next->data;
        gboolean is_shared = g_str_has_prefix(soup_cookie_get_domain(cookie), ".");
        SoupCookieJar *taker = is_shared ? jar->domains : jar_of(jar, from);
        if (taker && has_room(taker))
            soup_cookie_jar_add_cookie_full(taker, cookie, from, NULL);
        else
            soup_cookie_free(cookie);
    }
    g_mutex_unlock(&jar->lock);
    g_slist_free(cookies);
    char *after = vit_jar_header(jar, from);
    gboolean is_new = g_strcmp0(before, after) != 0;
    g_free(before);
    g_free(after);
    return is_new;
}

char *vit_jar_header(VitJar *jar, GUri *to) {
    char *origin = origin_of(to);
    g_mutex_lock(&jar->lock);
    SoupCookieJar *own = g_hash_table_lookup(jar->origins, origin);
    char *first = own ? soup_cookie_jar_get_cookies(own, to, TRUE) : NULL;
    char *second = soup_cookie_jar_get_cookies(jar->domains, to, TRUE);
    g_mutex_unlock(&jar->lock);
    g_free(origin);
    if (!first || !second) return first ? first : second;
    char *both = g_strdup_printf("%s; %s", first, second);
    g_free(first);
    g_free(second);
    return both;
}
