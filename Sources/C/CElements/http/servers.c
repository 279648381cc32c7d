#include "servers.h"

struct VitServers {
    gint references;
    vit_http_policy policy;
    GTlsDatabase *database;
    char *database_problem;
    GProxyResolver *proxy;
    vit_http_rules rules;
};

static VitServers *usual;

VitServers *vit_servers_new(const vit_http_policy *policy, const vit_http_access *access, const vit_http_rules *rules) {
    VitServers *servers = g_new0(VitServers, 1);
    servers->references = 1;
    servers->policy = *policy;
    servers->rules = *rules;
    GError *error = NULL;
    // Read once here: otherwise each request for a segment of a stream would read the file.
    if (access->certificates) servers->database = g_tls_file_database_new(access->certificates, &error);
    servers->database_problem = error ? g_strdup(error->message) : NULL;
    g_clear_error(&error);
    const char *const local[] = {"localhost", "127.0.0.0/8", "::1", NULL};
    if (access->proxy) servers->proxy = g_simple_proxy_resolver_new(access->proxy, (char **)local);
    return servers;
}

VitServers *vit_servers_ref(VitServers *servers) {
    g_atomic_int_inc(&servers->references);
    return servers;
}

void vit_servers_unref(VitServers *servers) {
    if (!g_atomic_int_dec_and_test(&servers->references)) return;
    g_clear_object(&servers->database);
    g_clear_object(&servers->proxy);
    g_free(servers->database_problem);
    if (servers->rules.forget) servers->rules.forget(servers->rules.data);
    g_free(servers);
}

vit_http_policy vit_servers_policy(const VitServers *servers) { return servers->policy; }

void vit_servers_set_usual(VitServers *servers) { usual = vit_servers_ref(servers); }

VitServers *vit_servers_usual(void) { return usual; }

// --- Passing the settings to a source ------------------------------------------------------------------------------

static GType servers_get_type(void) {
    static gsize type;
    if (g_once_init_enter(&type)) {
        GType made = g_boxed_type_register_static(
            "VitServers", (GBoxedCopyFunc)vit_servers_ref, (GBoxedFreeFunc)vit_servers_unref);
        g_once_init_leave(&type, made);
    }
    return type;
}

GstContext *vit_servers_context(VitServers *servers) {
    GstContext *context = gst_context_new(VIT_SERVERS_CONTEXT, TRUE);
    gst_structure_set(gst_context_writable_structure(context), "servers", servers_get_type(), servers, NULL);
    return context;
}

VitServers *vit_servers_of_context(GstContext *context) {
    VitServers *servers = NULL;
    if (gst_context_has_context_type(context, VIT_SERVERS_CONTEXT))
        gst_structure_get(gst_context_get_structure(context), "servers", servers_get_type(), &servers, NULL);
    return servers;
}

void vit_servers_ask(GstElement *source) {
    gst_element_post_message(source, gst_message_new_need_context(GST_OBJECT(source), VIT_SERVERS_CONTEXT));
}

// --- Using the settings --------------------------------------------------------------------------------------------

gboolean vit_servers_prepare(const VitServers *servers, SoupSession *session, char **problem) {
    *problem = g_strdup(servers->database_problem);
    if (servers->database) soup_session_set_tls_database(session, servers->database);
    if (servers->proxy) soup_session_set_proxy_resolver(session, servers->proxy);
    return !*problem;
}

// The parts of an address, borrowed from the URI except for the text of user and password.
typedef struct {
    vit_address parts;
    char *user_info;
} Address;

static void take_apart(GUri *uri, Address *address) {
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

char *vit_servers_authorization(const VitServers *servers, GUri *hop, GUri *given) {
    Address first, second;
    take_apart(hop, &first);
    take_apart(given, &second);
    char *header = servers->rules.authorize(&first.parts, &second.parts, servers->rules.data);
    g_free(first.user_info);
    g_free(second.user_info);
    return header;
}

vit_refusal vit_servers_refuse_redirect(const VitServers *servers, GUri *from, GUri *to) {
    Address first, second;
    take_apart(from, &first);
    take_apart(to, &second);
    vit_refusal refusal = servers->rules.redirect(&first.parts, &second.parts, servers->rules.data);
    g_free(first.user_info);
    g_free(second.user_info);
    return refusal;
}

vit_refusal vit_servers_refuse_connection(const VitServers *servers, guint farthest, guint target) {
    if (!farthest || !target) return VIT_REFUSAL_NONE;
    return servers->rules.connection(farthest, target, servers->rules.data);
}
