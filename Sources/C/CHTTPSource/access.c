#include "access.h"

static GMutex lock;
static GTlsDatabase *database;
static char *database_problem;
static GProxyResolver *proxy;
static char *(*authorize)(const char *host, int port, const char *user_info);

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

char *vit_access_authorization(GUri *uri) {
    g_mutex_lock(&lock);
    char *(*function)(const char *, int, const char *) = authorize;
    g_mutex_unlock(&lock);
    if (!function) return NULL;
    char *user_info = NULL;
    if (g_uri_get_user(uri)) {
        const char *password = g_uri_get_password(uri);
        user_info = g_strconcat(g_uri_get_user(uri), ":", password ? password : "", NULL);
    }
    char *header = function(g_uri_get_host(uri), g_uri_get_port(uri), user_info);
    g_free(user_info);
    return header;
}
