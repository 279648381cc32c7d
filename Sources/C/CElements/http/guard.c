#include "guard.h"
#include "http-source.h"

#include "rules.h"
#include "servers.h"
#include <gst/rtsp/rtsp.h>
#include <string.h>

// rtspsrc never stops following a server that answers DESCRIBE with redirects. A normal play takes two or three
// requests: one for the password, and one more where UDP doesn't get through.
enum { LONGEST_DESCRIBES = 16 };

// --- The rule of a pipeline ----------------------------------------------------------------------------------------

typedef struct {
    gint references;
    // The item's address, as the pipeline was given it.
    char *uri;
    vit_part_origins parts;
    guint named_from;
    // Reports refusals. A weak reference: the pipeline holds the context that holds this rule.
    GWeakRef pipeline;
    // The last `vit_refusal`.
    int refusal;
    GMutex lock;
    // The address of the pipeline's own source, in the source's spelling. That source starts before any data of the
    // medium is read.
    char *first;
} Rule;

static Rule *rule_ref(Rule *rule) {
    g_atomic_int_inc(&rule->references);
    return rule;
}

static void rule_unref(Rule *rule) {
    if (!g_atomic_int_dec_and_test(&rule->references)) return;
    g_weak_ref_clear(&rule->pipeline);
    g_mutex_clear(&rule->lock);
    g_free(rule->first);
    g_free(rule->uri);
    g_free(rule);
}

static GType rule_get_type(void) {
    static gsize type;
    if (g_once_init_enter(&type)) {
        GType made = g_boxed_type_register_static("VitSourceRule", (GBoxedCopyFunc)rule_ref, (GBoxedFreeFunc)rule_unref);
        g_once_init_leave(&type, made);
    }
    return type;
}

#define RULE_CONTEXT "vitrine-source-rule"

void vit_hold_sources(GstElement *pipeline, const char *uri, vit_part_origins parts, guint named_from) {
    Rule *rule = g_new0(Rule, 1);
    rule->references = 1;
    rule->uri = g_strdup(uri);
    rule->parts = parts;
    rule->named_from = named_from;
    g_weak_ref_init(&rule->pipeline, pipeline);
    g_mutex_init(&rule->lock);
    GstContext *context = gst_context_new(RULE_CONTEXT, TRUE);
    gst_structure_set(gst_context_writable_structure(context), "rule", rule_get_type(), rule, NULL);
    gst_element_set_context(pipeline, context);
    gst_context_unref(context);
    rule_unref(rule);
}

static Rule *rule_in(GstElement *element);

vit_refusal vit_refusal_of(GstElement *pipeline) {
    Rule *rule = rule_in(pipeline);
    if (!rule) return VIT_REFUSAL_NONE;
    vit_refusal why = (vit_refusal)g_atomic_int_get(&rule->refusal);
    rule_unref(rule);
    return why;
}

static Rule *rule_in(GstElement *element) {
    GstContext *context = gst_element_get_context(element, RULE_CONTEXT);
    if (!context) return NULL;
    Rule *rule = NULL;
    gst_structure_get(gst_context_get_structure(context), "rule", rule_get_type(), &rule, NULL);
    gst_context_unref(context);
    return rule;
}

// A bin passes its contexts on to all elements that are added to it. A source outside of any bin asks for the context:
// the element that made it passes the question on.
static Rule *rule_of(GstElement *source) {
    Rule *rule = rule_in(source);
    if (rule) return rule;
    gst_element_post_message(source, gst_message_new_need_context(GST_OBJECT(source), RULE_CONTEXT));
    return rule_in(source);
}

// --- Allowed addresses ---------------------------------------------------------------------------------------------

static gboolean has_scheme(const char *uri, const char *scheme) {
    gsize length = strlen(scheme);
    return g_ascii_strncasecmp(uri, scheme, length) == 0 && uri[length] == ':';
}

static gboolean have_same_scheme(const char *one, const char *other) {
    char *scheme = gst_uri_get_protocol(one);
    gboolean is_same = scheme && has_scheme(other, scheme);
    g_free(scheme);
    return is_same;
}

static gboolean is_source(GstElement *element) {
    return GST_IS_URI_HANDLER(element) && gst_uri_handler_get_uri_type(GST_URI_HANDLER(element)) == GST_URI_SRC;
}

typedef enum {
    // Made by the pipeline itself, or for a redirect.
    OF_PIPELINE,
    // Fetches a part of an adaptive stream, its list, or its key.
    OF_ADAPTIVE,
    // Inside of another source, such as the UDP sources of rtspsrc.
    OF_SOURCE,
} Place;

static Place place_of(GstElement *source) {
    GstObject *object = gst_object_get_parent(GST_OBJECT(source));
    // GStreamer's downloader, which only demultiplexers of adaptive streams use.
    if (!object) return OF_ADAPTIVE;
    Place place = OF_PIPELINE;
    while (object && place == OF_PIPELINE) {
        const char *class = gst_element_get_metadata(GST_ELEMENT(object), GST_ELEMENT_METADATA_KLASS);
        if (class && strstr(class, "Adaptive")) place = OF_ADAPTIVE;
        else if (is_source(GST_ELEMENT(object))) place = OF_SOURCE;
        GstObject *parent = gst_object_get_parent(object);
        gst_object_unref(object);
        object = parent;
    }
    if (object) gst_object_unref(object);
    return place;
}

static gboolean is_own(Rule *rule, const char *uri) {
    g_mutex_lock(&rule->lock);
    if (!rule->first && have_same_scheme(rule->uri, uri)) rule->first = g_strdup(uri);
    gboolean is_own = rule->first && strcmp(rule->first, uri) == 0;
    g_mutex_unlock(&rule->lock);
    return is_own;
}

static vit_refusal refusal(Rule *rule, GstElement *source, const char *uri) {
    // The player's own appsrc, which opens no address.
    if (g_str_has_prefix(uri, "appsrc")) return VIT_REFUSAL_NONE;
    switch (place_of(source)) {
    case OF_PIPELINE: return is_own(rule, uri) ? VIT_REFUSAL_NONE : VIT_REFUSAL_ELSEWHERE;
    case OF_SOURCE: return has_scheme(uri, "udp") ? VIT_REFUSAL_NONE : VIT_REFUSAL_ELSEWHERE;
    case OF_ADAPTIVE:
        if (rule->parts >= VIT_PARTS_OF_WEB && (has_scheme(uri, "http") || has_scheme(uri, "https") || has_scheme(uri, "data")))
            return VIT_REFUSAL_NONE;
        return rule->parts == VIT_PARTS_OF_WEB_AND_DISK && has_scheme(uri, "file") ? VIT_REFUSAL_NONE : VIT_REFUSAL_LIST;
    }
    return VIT_REFUSAL_ELSEWHERE;
}

// Reported by the pipeline: demultiplexers don't pass on their sources' errors.
static void tell(Rule *rule, const char *uri, vit_refusal why) {
    GstElement *pipeline = g_weak_ref_get(&rule->pipeline);
    if (!pipeline) return;
    const char *text = why == VIT_REFUSAL_LIST ? "a part of the stream isn't on the web"
                                               : "it sends on to an address that isn't opened for it";
    g_atomic_int_set(&rule->refusal, (int)why);
    GST_ELEMENT_ERROR_WITH_DETAILS(
        pipeline, RESOURCE, OPEN_READ, ("%s", text), ("%s", uri), (VIT_REFUSAL_DETAIL, G_TYPE_UINT, (guint)why, NULL));
    gst_object_unref(pipeline);
}

// --- RTSP, whose source follows redirects by itself ----------------------------------------------------------------

// The nearest and the farthest of a host's addresses; false where it has none.
static gboolean reach_of(const char *host, GUri *uri, guint *nearest, guint *farthest) {
    GResolver *resolver = g_resolver_get_default();
    GList *addresses = g_resolver_lookup_by_name(resolver, host, NULL, NULL);
    *nearest = G_MAXUINT;
    *farthest = 0;
    for (GList *next = addresses; next; next = next->next) {
        GSocketAddress *address = g_inet_socket_address_new(next->data, 554);
        guint reach = vit_rules_reach(address, uri);
        *nearest = MIN(*nearest, reach);
        *farthest = MAX(*farthest, reach);
        g_object_unref(address);
    }
    g_resolver_free_addresses(addresses);
    g_object_unref(resolver);
    return *farthest > 0;
}

static vit_refusal refusal_of_host(Rule *rule, GstElement *source, const char *asked) {
    GUri *own = g_uri_parse(rule->uri, G_URI_FLAGS_PARSE_RELAXED, NULL);
    GUri *next = g_uri_parse(asked, G_URI_FLAGS_PARSE_RELAXED, NULL);
    const char *from = own ? g_uri_get_host(own) : NULL;
    const char *to = next ? g_uri_get_host(next) : NULL;
    vit_refusal why = VIT_REFUSAL_NONE;
    guint nearest, farthest, ignored;
    if (!from || !to) {
        why = VIT_REFUSAL_ELSEWHERE;
    } else if (g_ascii_strcasecmp(from, to) != 0 && reach_of(to, next, &nearest, &ignored)) {
        if (!reach_of(from, own, &ignored, &farthest)) farthest = 0;
        GstContext *context = gst_element_get_context(source, VIT_SERVERS_CONTEXT);
        VitServers *servers = context ? vit_servers_of_context(context) : NULL;
        const VitServers *known = servers ? servers : vit_servers_usual();
        if (known) why = vit_servers_refuse_connection(known, MAX(farthest, rule->named_from), nearest);
        if (servers) vit_servers_unref(servers);
        if (context) gst_context_unref(context);
    }
    if (own) g_uri_unref(own);
    if (next) g_uri_unref(next);
    return why;
}

// Called by rtspsrc before each request, on its own thread. False stops the request.
static gboolean before_send(GstElement *source, GstRTSPMessage *message, gpointer data) {
    Rule *rule = data;
    if (message->type != GST_RTSP_MESSAGE_REQUEST) return TRUE;
    char *location = NULL;
    g_object_get(source, "location", &location, NULL);
    GstRTSPMethod method = message->type_data.request.method;
    vit_refusal why = VIT_REFUSAL_NONE;
    if (location && has_scheme(location, "rtsp-sdp") && !has_scheme(rule->uri, "rtsp-sdp")) why = VIT_REFUSAL_ELSEWHERE;
    if (!why && method == GST_RTSP_DESCRIBE) {
        guint describes = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(source), "vitrine-describes")) + 1;
        g_object_set_data(G_OBJECT(source), "vitrine-describes", GUINT_TO_POINTER(describes));
        if (describes > LONGEST_DESCRIBES) why = VIT_REFUSAL_ELSEWHERE;
    }
    // These requests go to the redirect's target; others go to the streams' addresses in its description.
    if (!why && (method == GST_RTSP_OPTIONS || method == GST_RTSP_DESCRIBE))
        why = refusal_of_host(rule, source, message->type_data.request.uri);
    if (why) tell(rule, location ? location : "", why);
    g_free(location);
    return why == VIT_REFUSAL_NONE;
}

static void forget_rule(gpointer data, GClosure *closure) {
    (void)closure;
    rule_unref(data);
}

static void watch_requests(GstElement *source, Rule *rule) {
    if (!g_signal_lookup("before-send", G_OBJECT_TYPE(source))) return;
    if (g_object_get_data(G_OBJECT(source), "vitrine-is-watched")) return;
    g_object_set_data(G_OBJECT(source), "vitrine-is-watched", GINT_TO_POINTER(1));
    g_signal_connect_data(source, "before-send", G_CALLBACK(before_send), rule_ref(rule), forget_rule, 0);
}

// --- The check that every source passes ----------------------------------------------------------------------------

// GstElement's own function for a change of state.
static GstStateChangeReturn (*plain)(GstElement *element, GstState state);

// For elements that aren't sources, the cost is the first check.
static GstStateChangeReturn set_state(GstElement *element, GstState state) {
    if (state <= GST_STATE_NULL || GST_STATE(element) >= state || !is_source(element)) return plain(element, state);
    Rule *rule = rule_of(element);
    if (!rule) return plain(element, state);
    char *uri = gst_uri_handler_get_uri(GST_URI_HANDLER(element));
    vit_refusal why = refusal(rule, element, uri ? uri : "");
    if (why) tell(rule, uri ? uri : "", why);
    else watch_requests(element, rule);
    g_free(uri);
    rule_unref(rule);
    return why ? GST_STATE_CHANGE_FAILURE : plain(element, state);
}

// GstElement's own function for posting a message.
static gboolean (*plain_post)(GstElement *element, GstMessage *message);

// Reports a film that redirects to another one as a refusal. playbin would follow the redirect: it shuts its own
// elements down on the thread that streams through them, hangs in some runs and aborts in others, and would only reach
// a source that may not start. The message isn't passed on: decodebin holds back errors of a demultiplexer that it has
// just added.
static gboolean post_message(GstElement *element, GstMessage *message) {
    if (GST_MESSAGE_TYPE(message) != GST_MESSAGE_ERROR) return plain_post(element, message);
    const GstStructure *details = NULL;
    gst_message_parse_error_details(message, &details);
    const char *location = details ? gst_structure_get_string(details, "redirect-location") : NULL;
    Rule *rule = location ? rule_in(element) : NULL;
    if (!rule) return plain_post(element, message);
    tell(rule, location, VIT_REFUSAL_ELSEWHERE);
    gst_message_unref(message);
    rule_unref(rule);
    return TRUE;
}

// A class begins as a copy of its parent's: existing classes have copies of their own, which are replaced too.
static void replace_in(GType type) {
    GstElementClass *class = g_type_class_peek(type);
    if (class && class->set_state == plain) class->set_state = set_state;
    if (class && class->post_message == plain_post) class->post_message = post_message;
    guint count = 0;
    GType *children = g_type_children(type, &count);
    for (guint index = 0; index < count; index += 1) replace_in(children[index]);
    g_free(children);
}

void vit_guard_sources(void) {
    if (plain) return;
    // Never released, so that the class isn't made again.
    GstElementClass *class = g_type_class_ref(GST_TYPE_ELEMENT);
    plain = class->set_state;
    plain_post = class->post_message;
    replace_in(GST_TYPE_ELEMENT);
}

// Sources for the addresses that an item can have and for their parts, and the player's own. All others (devices,
// discs, pipelines described by text, other protocols) aren't needed.
static const char *const wanted_sources[] = {
    "appsrc", "dataurisrc", "filesrc", "rtspsrc", "udpsrc", "vitrinehttpsrc", NULL};
// These download by themselves, past the guard. Legacy playbins use hlsdemux, dashdemux and mssdemux.
static const char *const unwanted_demultiplexers[] = {"dashdemux2", "hlsdemux2", "mssdemux2", NULL};

static gboolean is_unwanted(GstPluginFeature *feature, gpointer data) {
    (void)data;
    if (!GST_IS_ELEMENT_FACTORY(feature)) return FALSE;
    const char *name = GST_OBJECT_NAME(feature);
    if (g_strv_contains(unwanted_demultiplexers, name)) return TRUE;
    return gst_element_factory_get_uri_type(GST_ELEMENT_FACTORY(feature)) == GST_URI_SRC &&
           !g_strv_contains(wanted_sources, name);
}

void vit_leave_out_sources(void) {
    GList *features = gst_registry_feature_filter(gst_registry_get(), is_unwanted, FALSE, NULL);
    for (GList *next = features; next; next = next->next) gst_registry_remove_feature(gst_registry_get(), next->data);
    gst_plugin_feature_list_free(features);
}
