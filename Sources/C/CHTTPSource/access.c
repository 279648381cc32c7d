#include "access.h"

static GMutex lock;
static GTlsDatabase *database;
static char *database_problem;
static GProxyResolver *proxy;
static char *(*authorize)(const vit_address *hop, const vit_address *given);

void vit_http_source_set_access(const vit_http_access *access) {
    GError *error = NULL;
    // Read once: a request for each segment of a stream would read it as often.
    GTlsDatabase *certificates =
        access->certificates ? g_tls_file_database_new(access->certificates, &error) : NULL;
    const char *const local[] = {"localhost", "127.0.0.0/8", "::1", NULL};
    GProxyResolver *resolver =
        access->proxy ? g_simple_proxy_resolver_new(access->proxy, (char **)local) : NULL;
    g_mutex_lock(&lock);
    g_clear_object(&database);
    database = certificates;
    g_clear_pointer(&database_problem, g_free);
    database_problem = error ? g_strdup(error->message) : NULL;
    g_clear_object(&proxy);
    proxy = resolver;
    authorize = access->authorize;
    g_mutex_unlock(&lock);
    g_clear_error(&error);
}

gboolean vit_access_prepare(SoupSession *session, char **problem) {
    g_mutex_lock(&lock);
    *problem = g_strdup(database_problem);
    if (database) soup_session_set_tls_database(session, database);
    if (proxy) soup_session_set_proxy_resolver(session, proxy);
    g_mutex_unlock(&lock);
    return !*problem;
}

void vit_address_take_apart(GUri *uri, VitAddress *address) {
    address->user_info = NULL;
    if (g_uri_get_user(uri)) {
        const char *password = g_uri_get_password(uri);
        address->user_info = g_strconcat(g_uri_get_user(uri), ":", password ? password : "", NULL);
    }
    const char *host = g_uri_get_host(uri);
    address->parts = (vit_address){
        .scheme = g_uri_get_scheme(uri), .host = host ? host : "", .port = g_uri_get_port(uri),
        .user_info = address->user_info};
}

void vit_address_clear(VitAddress *address) { g_clear_pointer(&address->user_info, g_free); }

char *vit_access_authorization(GUri *hop, GUri *given) {
    g_mutex_lock(&lock);
    char *(*function)(const vit_address *, const vit_address *) = authorize;
    g_mutex_unlock(&lock);
    if (!function) return NULL;
    VitAddress first, second;
    vit_address_take_apart(hop, &first);
    vit_address_take_apart(given, &second);
    char *header = function(&first.parts, &second.parts);
    vit_address_clear(&first);
    vit_address_clear(&second);
    return header;
}
