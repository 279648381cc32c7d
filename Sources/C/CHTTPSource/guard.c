#include "guard.h"
#include "include/CHTTPSource.h"

#include "rules.h"
#include "servers.h"
#include <gst/rtsp/rtsp.h>
#include <string.h>

// A server of RTSP that answers DESCRIBE by a redirect is asked again by rtspsrc without end. One play takes two or three: one
// for the password, one more where UDP doesn't come through.
enum { LONGEST_DESCRIBES = 16 };

// --- The rule of a pipeline ----------------------------------------------------------------------------------------------

typedef struct {
    gint references;
    // The item's address, as the pipeline was told.
    char *uri;
    vit_part_origins parts;
    guint named_from;
    // Where a refusal is told. Not kept alive: the pipeline holds the context that holds this.
    GWeakRef pipeline;
    // The last `vit_refusal`.
    int refusal;
    GMutex lock;
    // The address of the pipeline's own source, in the source's spelling. It starts before anything of the medium is read.
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

// A bin hands its contexts to all that is put into it. A source that is in no bin asks: the element that made it passes the
// question on.
static Rule *rule_of(GstElement *source) {
    Rule *rule = rule_in(source);
    if (rule) return rule;
    gst_element_post_message(source, gst_message_new_need_context(GST_OBJECT(source), RULE_CONTEXT));
    return rule_in(source);
}

// --- What it allows ------------------------------------------------------------------------------------------------------

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
    // Made by the pipeline itself, or by whatever sends it on.
    OF_PIPELINE,
    // A part of an adaptive stream, its list, or its key.
    OF_ADAPTIVE,
    // Inside of another source, as rtspsrc has sources of UDP.
    OF_SOURCE,
} Place;

static Place place_of(GstElement *source) {
    GstObject *object = gst_object_get_parent(GST_OBJECT(source));
    // GStreamer's downloader, which only demultiplexers of adaptive streams have.
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
    // Ours, into which we write ourselves: it opens nothing.
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

// Told by the pipeline: demultiplexers keep to themselves what their sources have to say.
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

// --- RTSP, whose source follows redirects by itself -------------------------------------------------------------------------

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

// Of rtspsrc, before each request, on a thread of its own. False keeps the request back.
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
    // These go to the address that the source has been sent to; others to whatever its description calls the streams.
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

// --- Where every source passes ----------------------------------------------------------------------------------------------

// What GstElement itself does to change a state.
static GstStateChangeReturn (*plain)(GstElement *element, GstState state);

// Elements that are no sources cost no more than the first look.
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

// What GstElement itself does with a message.
static gboolean (*plain_post)(GstElement *element, GstMessage *message);

// A film that names another in its place (a redirect) is told as a refusal. playbin would follow it: it takes its own parts down on
// the thread that streams through them, hangs in some runs and aborts in others, and all that only to come to a source that may not
// start. The message itself goes no further: decodebin keeps errors of a demultiplexer that it has just put in.
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

// A class begins as a copy of what it inherits from: those that are there already have copies of their own.
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
    // Kept for ever, so that it isn't made anew.
    GstElementClass *class = g_type_class_ref(GST_TYPE_ELEMENT);
    plain = class->set_state;
    plain_post = class->post_message;
    replace_in(GST_TYPE_ELEMENT);
}

// Handlers of addresses that an item can have, their parts, and ours. All others (devices, discs, pipelines described by text, other
// protocols) nobody needs.
static const char *const wanted_sources[] = {
    "appsrc", "dataurisrc", "filesrc", "rtspsrc", "udpsrc", "vitrinehttpsrc", NULL};
// They download by themselves, past the guard. Legacy playbins take hlsdemux, dashdemux and mssdemux.
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
