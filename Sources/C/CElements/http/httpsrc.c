#include "http-source.h"

#include "guard.h"
#include "item.h"
#include "pace.h"
#include "rules.h"
#include "servers.h"
#include "sniff.h"
#include "types.h"
#include <gst/base/gstpushsrc.h>
#include <libsoup/soup.h>
#include <string.h>


GST_DEBUG_CATEGORY_STATIC(http_source_debug);
#define GST_CAT_DEFAULT http_source_debug

enum {
    // Bytes of one read: a tenth of a second at 5 Mbit/s.
    BLOCK = 64 * 1024,
    // A smaller block waits for more data, if they come soon: each block costs some 600 bytes besides its content.
    SMALL_BLOCK = 4 * 1024,
    // Microseconds that it waits at most: less than a frame, also of a station that sends at its own pace; and no
    // server can cause more than fifty small blocks in a second, which is 300 kB in the ten seconds that are buffered.
    COALESCED = 20000,
    // Microseconds between two reads during that wait.
    COALESCE_STEP = 5000,
    // First bytes that are searched to tell a web page from a medium.
    SNIFFED = 256,
    // First bytes that are searched where they are text: a list's second line may tell its kind.
    SNIFFED_OF_TEXT = 4096,
    // The most bytes of a list of addresses or a manifest.
    LONGEST_TEXT = 4 << 20,
    // Redirects in one attempt. Sites use two or three; a loop is cut off here.
    REDIRECTIONS = 5,
    // Parts that may be left out before the first one has come: with more, the item counts as gone.
    GONE_AT_START = 3,
};

typedef struct {
    GstPushSrc parent;
    char *location;
    // The address of the last answer, if it differs from `location`: addresses in a list are relative to it. Under the
    // object's lock.
    char *place;
    // How many variants have stood in for one whose list is gone.
    guint tried_variants;
    // Whether this fetches a part of a stream (a segment, a playlist), which is requested again even before any byte
    // has come. Demultiplexers of adaptive streams set this property, which they know from GStreamer's own source. For
    // other sources an error before the first byte is reported at once: the player decides what to do.
    gboolean is_part;

    // Guards the fields that unlock uses.
    GMutex lock;
    GCond cond;
    gboolean is_flushing;
    GCancellable *cancellable;

    // Used by the streaming thread, or under its lock.
    SoupSession *session;
    GInputStream *stream;
    char *host;
    // The stream's current place, the next byte that is wanted, and where to end (-1: at the end).
    guint64 position;
    guint64 wanted;
    gint64 stop;
    // -1 while unknown.
    gint64 size;
    gboolean is_seekable;
    // A radio station, or another stream that lasts as long as its connection.
    gboolean is_endless;
    // Bytes of sound between two of a station's titles; 0 for a stream without titles.
    guint note_interval;
    gboolean has_told_format;
    gboolean has_headers;
    // The server's latest Content-Type; null without one.
    char *type;
    // The medium's kind has been reported.
    gboolean is_sniffed;
    char *validator;
    gboolean has_strong_validator;
    // Whether any byte has ever come.
    gboolean has_delivered;
    // Whether the item has been passed on to the sources of its parts.
    gboolean has_shared;
    // Since when no data have come; 0 while they do.
    gint64 failing_since;

    // The reach of the farthest server that named this address, as the source's maker knows it; 0 where only the player
    // named it.
    guint named_from;
    // The reach of the farthest server that was connected to or that redirected here, and the reason for which the
    // connection was abandoned.
    guint farthest;
    vit_refusal refusal;
    // The reach of the server that the address itself led to so far: its name may not lead to a nearer one later. 0
    // before the first.
    guint first_reach;
    // Whether the current request is for the address itself, and not for a redirect's target.
    gboolean is_first_hop;
    // The address of the current request.
    GUri *hop;
    // The data that the item's sources share; null for a part of a stream whose item isn't known. Under the object's
    // lock.
    VitItem *item;
    // The settings; null for the default. Under the object's lock, and never changed once set.
    VitServers *servers;
} VitHTTPSource;

typedef GstPushSrcClass VitHTTPSourceClass;

static void uri_handler_init(gpointer interface, gpointer data);

G_DEFINE_TYPE_WITH_CODE(
    VitHTTPSource, vit_http_source, GST_TYPE_PUSH_SRC, G_IMPLEMENT_INTERFACE(GST_TYPE_URI_HANDLER, uri_handler_init))

#define SELF(object) ((VitHTTPSource *)(object))

enum {
    PROPERTY_LOCATION = 1,
    PROPERTY_KEEP_ALIVE,
    PROPERTY_IS_ENDLESS,
    PROPERTY_NAMED_FROM,
};

// --- The outcome of a request --------------------------------------------------------------------------------------

typedef enum {
    DONE,
    FLUSHED,
    // Worth another attempt.
    FAILED,
    // The file is missing, or access to it is denied.
    MISSING,
    // Another file has taken its place.
    REPLACED,
} Outcome;

typedef struct {
    Outcome outcome;
    guint status;
    guint retry_after;
    gboolean is_page;
    gboolean is_untrusted;
    // The certificate isn't valid yet, by this machine's clock.
    gboolean is_early;
    vit_refusal refusal;
    // Another attempt would have the same outcome.
    gboolean is_final;
    char *text;
} Attempt;

static void disconnect(VitHTTPSource *self) {
    if (self->session) soup_session_abort(self->session);
    g_clear_object(&self->stream);
    g_clear_object(&self->session);
}

static gboolean is_flushed(VitHTTPSource *self) {
    g_mutex_lock(&self->lock);
    gboolean value = self->is_flushing;
    g_mutex_unlock(&self->lock);
    return value;
}

// Sleeps until that time or a flush.
static gboolean wait_until(VitHTTPSource *self, gint64 time) {
    g_mutex_lock(&self->lock);
    while (!self->is_flushing && g_get_monotonic_time() < time)
        if (!g_cond_wait_until(&self->cond, &self->lock, time)) break;
    gboolean goes_on = !self->is_flushing;
    g_mutex_unlock(&self->lock);
    return goes_on;
}

// --- The target of a connection ------------------------------------------------------------------------------------

static VitItem *item_of(VitHTTPSource *self) {
    GST_OBJECT_LOCK(self);
    VitItem *item = self->item;
    GST_OBJECT_UNLOCK(self);
    // The item is only set before the stream runs.
    return item;
}

static VitServers *servers_of(VitHTTPSource *self) {
    GST_OBJECT_LOCK(self);
    VitServers *servers = self->servers;
    GST_OBJECT_UNLOCK(self);
    return servers ? servers : vit_servers_usual();
}

// Abandons a connection that may not be used, before any byte is sent over it.
static void look_at_connection(VitHTTPSource *self, GSocketAddress *address, gboolean is_it) {
    guint reach = vit_rules_reach(address, self->hop);
    guint bound = self->is_first_hop ? MAX(self->farthest, self->first_reach) : self->farthest;
    vit_refusal refusal = vit_servers_refuse_connection(servers_of(self), bound, reach);
    if (refusal != VIT_REFUSAL_NONE) {
        self->refusal = refusal;
        g_mutex_lock(&self->lock);
        g_cancellable_cancel(self->cancellable);
        g_mutex_unlock(&self->lock);
    } else if (is_it) {
        if (self->is_first_hop) self->first_reach = MAX(self->first_reach, reach);
        self->farthest = MAX(self->farthest, reach);
    }
}

// Called by libsoup during the request, in its thread.
static void connection_changes(
    SoupMessage *message, GSocketClientEvent event, GIOStream *connection, gpointer data) {
    (void)message;
    if (event != G_SOCKET_CLIENT_CONNECTING || !G_IS_SOCKET_CONNECTION(connection)) return;
    GSocketAddress *address = g_socket_connection_get_remote_address(G_SOCKET_CONNECTION(connection), NULL);
    look_at_connection(SELF(data), address, FALSE);
    g_clear_object(&address);
}

// The same check for an existing connection, right before the first byte is sent.
static void request_starts(SoupMessage *message, gpointer data) {
    look_at_connection(SELF(data), soup_message_get_remote_address(message), TRUE);
}

static const char *refusal_text(vit_refusal refusal) {
    switch (refusal) {
    case VIT_REFUSAL_DOWNGRADE: return "sent on from https to http";
    case VIT_REFUSAL_LOCAL: return "sent on to this machine or the network around it";
    case VIT_REFUSAL_NOT_WEB: return "sent on to what isn't on the web";
    case VIT_REFUSAL_LIST: return "the list names what isn't on the web, or is too long";
    case VIT_REFUSAL_ELSEWHERE: return "sends on to another address";
    case VIT_REFUSAL_NONE: break;
    }
    return "";
}

// The outcome of a refused address or content. A refused redirect isn't final: a hot spot redirects all requests to its
// own page until somebody signs in.
static Attempt refused(vit_refusal refusal, gboolean is_final) {
    return (Attempt){
        .outcome = FAILED, .refusal = refusal, .is_final = is_final, .text = g_strdup(refusal_text(refusal))};
}

// The cookies of the item; null for a part of a stream whose item isn't known.
static VitJar *jar_of(VitHTTPSource *self) {
    VitItem *item = item_of(self);
    return item ? vit_item_jar(item) : NULL;
}

static SoupMessage *make_message(VitHTTPSource *self, GUri *uri, GUri *given) {
    // libsoup would send the user and password in an address to any server that asks for them, even those that a
    // redirect names. Which server gets them is decided below.
    GUri *bare = soup_uri_copy(uri, SOUP_URI_USER, NULL, SOUP_URI_PASSWORD, NULL, SOUP_URI_NONE);
    SoupMessage *message = soup_message_new_from_uri("GET", bare);
    g_uri_unref(bare);
    if (!message) return NULL;
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT);
    SoupMessageHeaders *headers = soup_message_get_request_headers(message);
    // Lengths and positions are those of the file itself.
    soup_message_headers_replace(headers, "Accept-Encoding", "identity");
    // Stations then send titles between the sound.
    if (!self->is_part && self->wanted == 0) soup_message_headers_replace(headers, "Icy-MetaData", "1");
    char *authorization = vit_servers_authorization(servers_of(self), uri, given);
    if (authorization) soup_message_headers_replace(headers, "Authorization", authorization);
    g_free(authorization);
    char *cookies = jar_of(self) ? vit_jar_header(jar_of(self), uri) : NULL;
    if (cookies) soup_message_headers_replace(headers, "Cookie", cookies);
    g_free(cookies);
    if (self->wanted > 0 || self->stop >= 0) {
        soup_message_headers_set_range(headers, (goffset)self->wanted, self->stop >= 0 ? self->stop - 1 : -1);
        if (self->validator && self->has_strong_validator)
            soup_message_headers_replace(headers, "If-Range", self->validator);
    }
    g_signal_connect(message, "network-event", G_CALLBACK(connection_changes), self);
    g_signal_connect(message, "starting", G_CALLBACK(request_starts), self);
    return message;
}

// Whether this answer is for the same file as the first one.
static gboolean is_same_file(VitHTTPSource *self, SoupMessageHeaders *headers, gint64 size) {
    const char *validator = soup_message_headers_get_one(headers, "ETag");
    if (!validator) validator = soup_message_headers_get_one(headers, "Last-Modified");
    if (self->validator && validator && strcmp(self->validator, validator) != 0) return FALSE;
    return self->size < 0 || size < 0 || self->size == size;
}

static void keep_facts(VitHTTPSource *self, SoupMessage *message, gint64 size) {
    SoupMessageHeaders *headers = soup_message_get_response_headers(message);
    const char *tag = soup_message_headers_get_one(headers, "ETag");
    const char *validator = tag ? tag : soup_message_headers_get_one(headers, "Last-Modified");
    g_free(self->validator);
    self->validator = g_strdup(validator);
    self->has_strong_validator = tag && !g_str_has_prefix(tag, "W/");
    g_free(self->type);
    self->type = g_strdup(soup_message_headers_get_content_type(headers, NULL));
    const char *ranges = soup_message_headers_get_one(headers, "Accept-Ranges");
    // Queries on other threads read this field and the size without the lock.
    gboolean is_seekable = size >= 0 && !(ranges && g_ascii_strcasecmp(ranges, "none") == 0);
    __atomic_store_n(&self->is_seekable, is_seekable, __ATOMIC_RELEASE);
    self->has_headers = TRUE;
    if (size >= 0 && size != self->size) {
        __atomic_store_n(&self->size, size, __ATOMIC_RELEASE);
        GST_BASE_SRC(self)->segment.duration = (guint64)size;
        gst_element_post_message(GST_ELEMENT(self), gst_message_new_duration_changed(GST_OBJECT(self)));
    }
}

static const char *icy_header(SoupMessageHeaders *headers, const char *name) {
    const char *text = soup_message_headers_get_one(headers, name);
    return text && *text && g_utf8_validate(text, -1, NULL) ? text : NULL;
}

// Recognises a stream that isn't a file by the first answer. A body that ends with its connection may always have been
// cut off; one in chunks says that it is complete, unless it comes from a station, which never ends.
static void look_for_station(VitHTTPSource *self, SoupMessageHeaders *headers) {
    const char *interval = icy_header(headers, "icy-metaint");
    const char *name = icy_header(headers, "icy-name");
    gboolean ends_with_connection = soup_message_headers_get_encoding(headers) == SOUP_ENCODING_EOF;
    gboolean is_endless = self->size < 0 && (interval || name || ends_with_connection);
    __atomic_store_n(&self->is_endless, is_endless, __ATOMIC_RELEASE);
    self->note_interval = interval ? (guint)MIN(g_ascii_strtoull(interval, NULL, 10), 1 << 24) : 0;
    if (!name || self->is_part) return;
    GstTagList *tags = gst_tag_list_new(GST_TAG_ORGANIZATION, name, NULL);
    gst_tag_list_set_scope(tags, GST_TAG_SCOPE_GLOBAL);
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_tag(GST_OBJECT(self), tags));
}

// Reports the format that makes playbin add the element that separates titles from sound.
static void tell_format(VitHTTPSource *self) {
    if (self->has_told_format || self->note_interval == 0) return;
    self->has_told_format = TRUE;
    GstCaps *caps =
        gst_caps_new_simple("application/x-icy", "metadata-interval", G_TYPE_INT, (gint)self->note_interval, NULL);
    gst_base_src_set_caps(GST_BASE_SRC(self), caps);
    gst_caps_unref(caps);
}

// Skips to the first wanted byte: the server has sent the file from its start.
static gboolean skip_to_wanted(VitHTTPSource *self, GError **error) {
    while (self->position < self->wanted) {
        gsize count = (gsize)MIN(self->wanted - self->position, 1 << 20);
        gssize skipped = g_input_stream_skip(self->stream, count, self->cancellable, error);
        if (skipped <= 0) return FALSE;
        self->position += (guint64)skipped;
    }
    return TRUE;
}

static guint read_retry_after(SoupMessageHeaders *headers) {
    const char *text = soup_message_headers_get_one(headers, "Retry-After");
    if (!text) return 0;
    if (g_ascii_isdigit(*text)) return (guint)MIN(g_ascii_strtoull(text, NULL, 10), 86400);
    GDateTime *date = soup_date_time_new_from_http_string(text);
    if (!date) return 0;
    gint64 wait = g_date_time_to_unix(date) - g_get_real_time() / G_USEC_PER_SEC;
    g_date_time_unref(date);
    return (guint)CLAMP(wait, 0, 86400);
}

static Attempt refusal(VitHTTPSource *self, SoupMessage *message, const GError *error) {
    Attempt attempt = {.outcome = FAILED};
    if (is_flushed(self)) {
        attempt.outcome = FLUSHED;
        return attempt;
    }
    if (error) {
        attempt.is_untrusted = error->domain == G_TLS_ERROR;
        GTlsCertificateFlags problems = soup_message_get_tls_peer_certificate_errors(message);
        attempt.is_early = attempt.is_untrusted && (problems & G_TLS_CERTIFICATE_NOT_ACTIVATED) != 0;
        attempt.text = g_strdup(error->message);
        return attempt;
    }
    attempt.status = soup_message_get_status(message);
    attempt.text = g_strdup_printf("%u %s", attempt.status, soup_message_get_reason_phrase(message));
    attempt.retry_after = read_retry_after(soup_message_get_response_headers(message));
    // Time-out, too early, too many requests: the only statuses below 500 that are worth another attempt.
    gboolean passes = attempt.status == 408 || attempt.status == 425 || attempt.status == 429 || attempt.status < 400;
    if (attempt.status < 500 && !passes) attempt.outcome = MISSING;
    return attempt;
}

static gboolean is_page_type(const char *type) {
    return type && (g_str_has_prefix(type, "text/html") || g_str_has_prefix(type, "application/xhtml"));
}

// Prepares the decoding of a compressed body, which a server may send although it wasn't asked for. Its length then
// isn't the file's, and it has no byte ranges. False for a coding that can't be decoded.
static gboolean decode_content(
    VitHTTPSource *self, SoupMessageHeaders *headers, guint status, gint64 *size, Attempt *attempt) {
    const char *coding = soup_message_headers_get_one(headers, "Content-Encoding");
    if (!coding || !*coding || g_ascii_strcasecmp(coding, "identity") == 0) return TRUE;
    gboolean is_gzip = g_ascii_strcasecmp(coding, "gzip") == 0 || g_ascii_strcasecmp(coding, "x-gzip") == 0;
    gboolean is_zlib = g_ascii_strcasecmp(coding, "deflate") == 0;
    if ((!is_gzip && !is_zlib) || status == SOUP_STATUS_PARTIAL_CONTENT) {
        attempt->outcome = FAILED;
        attempt->is_final = TRUE;
        attempt->text = g_strdup_printf("the server sends it compressed (%s)", coding);
        return FALSE;
    }
    GZlibCompressorFormat format = is_gzip ? G_ZLIB_COMPRESSOR_FORMAT_GZIP : G_ZLIB_COMPRESSOR_FORMAT_ZLIB;
    GConverter *converter = G_CONVERTER(g_zlib_decompressor_new(format));
    GInputStream *plain = g_converter_input_stream_new(self->stream, converter);
    g_object_unref(converter);
    g_object_unref(self->stream);
    self->stream = plain;
    *size = -1;
    return TRUE;
}

// Takes over the answer's body. The caller owns the stream.
static Attempt accept_answer(VitHTTPSource *self, SoupMessage *message) {
    Attempt attempt = {.outcome = DONE, .status = soup_message_get_status(message)};
    SoupMessageHeaders *headers = soup_message_get_response_headers(message);
    goffset first = 0, last = -1, total = -1;
    gint64 size = -1;
    if (attempt.status == SOUP_STATUS_PARTIAL_CONTENT) {
        if (!soup_message_headers_get_content_range(headers, &first, &last, &total) || (guint64)first > self->wanted) {
            attempt.outcome = FAILED;
            attempt.text = g_strdup("the server sent another part than was asked for");
            return attempt;
        }
        size = total;
    } else if (soup_message_headers_get_encoding(headers) == SOUP_ENCODING_CONTENT_LENGTH) {
        size = soup_message_headers_get_content_length(headers);
    }
    const char *type = soup_message_headers_get_content_type(headers, NULL);
    // A hot spot's page in the middle of a film. At the start the bytes tell.
    if (self->has_headers && is_page_type(type) && !is_page_type(self->type)) {
        attempt.outcome = FAILED;
        attempt.is_page = TRUE;
        attempt.text = g_strdup_printf("a web page (%s) instead of a medium", type);
        return attempt;
    }
    if (!decode_content(self, headers, attempt.status, &size, &attempt)) return attempt;
    if (self->has_headers && !is_same_file(self, headers, size)) {
        attempt.outcome = REPLACED;
        attempt.text = g_strdup("another file is there now");
        return attempt;
    }
    gboolean is_first = !self->has_headers;
    keep_facts(self, message, size);
    if (is_first) look_for_station(self, headers);
    self->position = (guint64)first;
    GError *error = NULL;
    if (!skip_to_wanted(self, &error)) {
        attempt.outcome = is_flushed(self) ? FLUSHED : FAILED;
        attempt.text = g_strdup(error ? error->message : "the answer was cut off");
        g_clear_error(&error);
    }
    return attempt;
}

// Makes requests possible again after a cancel; the lock is held, and no request runs. It isn't reset: a thread of GLib
// may still be at the cancel (a second lookup of the name), and GLib 2.80 and newer aborts the program there.
static void renew_cancellable(VitHTTPSource *self) {
    if (!g_cancellable_is_cancelled(self->cancellable)) return;
    g_object_unref(self->cancellable);
    self->cancellable = g_cancellable_new();
}

// Sends a request, unless its connection leads to an address that it may not use.
static GInputStream *send_message(VitHTTPSource *self, SoupMessage *message, GUri *uri, GError **error) {
    self->refusal = VIT_REFUSAL_NONE;
    self->hop = uri;
    GInputStream *stream = soup_session_send(self->session, message, self->cancellable, error);
    self->hop = NULL;
    // The message may outlive this source.
    g_signal_handlers_disconnect_by_data(message, self);
    if (self->refusal == VIT_REFUSAL_NONE) return stream;
    g_mutex_lock(&self->lock);
    if (!self->is_flushing) renew_cancellable(self);
    g_mutex_unlock(&self->lock);
    g_clear_object(&stream);
    return NULL;
}

static void keep_place(VitHTTPSource *self, GUri *uri, GUri *given) {
    gboolean is_given = soup_uri_equal(uri, given) && self->tried_variants == 0;
    char *place = is_given ? NULL : g_uri_to_string(uri);
    GST_OBJECT_LOCK(self);
    g_free(self->place);
    self->place = place;
    GST_OBJECT_UNLOCK(self);
}

// The source's own address, or that of a variant that stands in for it. To be freed.
static char *address_of(VitHTTPSource *self) {
    VitItem *item = self->tried_variants > 0 ? item_of(self) : NULL;
    char *other = item ? vit_item_other_variant(item, self->location, self->tried_variants - 1) : NULL;
    return other ? other : g_strdup(self->location);
}

// One attempt, with its redirects.
static Attempt connect_once(VitHTTPSource *self) {
    Attempt attempt = {.outcome = FAILED};
    GError *error = NULL;
    char *address = address_of(self);
    GUri *uri = g_uri_parse(address, SOUP_HTTP_URI_FLAGS, &error);
    g_free(address);
    if (!uri) {
        attempt.text = g_strdup(error ? error->message : "not an address");
        attempt.outcome = MISSING;
        g_clear_error(&error);
        return attempt;
    }
    disconnect(self);
    self->session = soup_session_new_with_options(
        "timeout", vit_servers_policy(servers_of(self)).timeout, "user-agent", "vitrine/1 ", "max-conns", 1, NULL);
    soup_session_remove_feature_by_type(self->session, SOUP_TYPE_CONTENT_DECODER);
    if (!vit_servers_prepare(servers_of(self), self->session, &attempt.text)) {
        attempt.is_untrusted = TRUE;
        g_uri_unref(uri);
        disconnect(self);
        return attempt;
    }
    VitItem *item = item_of(self);
    self->farthest = MAX(self->named_from, item && self->is_part ? vit_item_farthest(item) : 0);
    GUri *given = g_uri_ref(uri);
    for (int hop = 0; hop <= REDIRECTIONS; hop += 1) {
        gboolean has_led_elsewhere = self->first_reach != 0;
        self->is_first_hop = hop == 0;
        SoupMessage *message = make_message(self, uri, given);
        if (!message) {
            attempt.outcome = MISSING;
            attempt.text = g_strdup("not an address");
            break;
        }
        self->stream = send_message(self, message, uri, &error);
        guint status = soup_message_get_status(message);
        gboolean has_new_cookies = jar_of(self) && vit_jar_take(jar_of(self), uri, message);
        if (self->refusal != VIT_REFUSAL_NONE && !is_flushed(self)) {
            g_clear_error(&error);
            // A name that has led to another address before may do so again.
            attempt = refused(self->refusal, hop == 0 && !has_led_elsewhere);
        } else if (!self->stream || error) {
            attempt = refusal(self, message, error);
            g_clear_error(&error);
        } else if (SOUP_STATUS_IS_SUCCESSFUL(status)) {
            attempt = accept_answer(self, message);
        } else if (SOUP_STATUS_IS_REDIRECTION(status)) {
            const char *place =
                soup_message_headers_get_one(soup_message_get_response_headers(message), "Location");
            GUri *next = place ? g_uri_parse_relative(uri, place, SOUP_HTTP_URI_FLAGS, NULL) : NULL;
            gboolean is_loop = next && soup_uri_equal(next, uri) && !has_new_cookies;
            vit_refusal refusal = next ? vit_servers_refuse_redirect(servers_of(self), uri, next) : VIT_REFUSAL_NONE;
            g_object_unref(message);
            g_clear_object(&self->stream);
            if (refusal == VIT_REFUSAL_NONE && next && !is_loop && hop < REDIRECTIONS) {
                g_uri_unref(uri);
                uri = next;
                continue;
            }
            if (next) g_uri_unref(next);
            if (refusal != VIT_REFUSAL_NONE) {
                attempt = refused(refusal, FALSE);
                break;
            }
            attempt.status = status;
            attempt.text = g_strdup("the server sends us in circles");
            break;
        } else {
            attempt = refusal(self, message, NULL);
        }
        g_object_unref(message);
        break;
    }
    if (attempt.outcome == DONE) keep_place(self, uri, given);
    g_uri_unref(uri);
    g_uri_unref(given);
    if (attempt.outcome != DONE) disconnect(self);
    return attempt;
}

// --- Further attempts ----------------------------------------------------------------------------------------------

// Reports a refusal by the source of the item's own address, so that it reaches the player: a demultiplexer has its own
// error for a part that is missing. Without that source, reports it here like any other error.
static void tell_refusal(VitHTTPSource *self, const Attempt *attempt) {
    VitItem *item = item_of(self);
    GstElement *whole = item ? vit_item_source(item) : NULL;
    if (whole && whole != GST_ELEMENT(self)) {
        GST_ELEMENT_ERROR_WITH_DETAILS(
            whole, RESOURCE, OPEN_READ, ("%s", attempt->text), ("%s", self->location),
            (VIT_REFUSAL_DETAIL, G_TYPE_UINT, (guint)attempt->refusal, NULL));
    }
    if (whole) gst_object_unref(whole);
    GST_ELEMENT_ERROR_WITH_DETAILS(
        self, RESOURCE, OPEN_READ, ("%s", attempt->text), ("%s", self->location),
        (VIT_REFUSAL_DETAIL, G_TYPE_UINT, (guint)attempt->refusal, NULL));
}

// Reports an HTTP status by the item's own source: the demultiplexer's error only says that the part is missing.
static void tell_status(VitHTTPSource *self, const Attempt *attempt) {
    VitItem *item = self->is_part ? item_of(self) : NULL;
    GstElement *whole = item ? vit_item_source(item) : NULL;
    if (whole && whole != GST_ELEMENT(self)) {
        GST_ELEMENT_ERROR_WITH_DETAILS(
            whole, RESOURCE, OPEN_READ, ("%s", attempt->text), ("%s", self->location),
            ("http-status-code", G_TYPE_UINT, attempt->status, NULL));
    }
    if (whole) gst_object_unref(whole);
    GST_ELEMENT_ERROR_WITH_DETAILS(
        self, RESOURCE, OPEN_READ, ("%s", attempt->text), ("%s", self->location),
        ("http-status-code", G_TYPE_UINT, attempt->status, NULL));
}

static void tell_error(VitHTTPSource *self, const Attempt *attempt) {
    const char *text = attempt->text ? attempt->text : "no answer";
    if (attempt->refusal != VIT_REFUSAL_NONE) {
        tell_refusal(self, attempt);
    } else if (attempt->outcome == REPLACED) {
        GST_ELEMENT_ERROR(self, RESOURCE, SYNC, ("%s", text), ("%s", self->location));
    } else if (attempt->is_page) {
        GST_ELEMENT_ERROR(self, STREAM, WRONG_TYPE, ("%s", text), ("%s", self->location));
    } else if (attempt->is_untrusted) {
        GST_ELEMENT_ERROR_WITH_DETAILS(
            self, RESOURCE, OPEN_READ, ("%s", text), ("%s", self->location),
            ("is-untrusted", G_TYPE_BOOLEAN, TRUE, "is-early", G_TYPE_BOOLEAN, attempt->is_early, NULL));
    } else if (attempt->status >= 400) {
        tell_status(self, attempt);
    } else {
        GST_ELEMENT_ERROR(self, RESOURCE, READ, ("%s", text), ("%s", self->location));
    }
}

// Whether another attempt is to be made. The first failure of a source that has delivered nothing is reported at once
// where the player decides.
static gboolean is_worth_another_try(VitHTTPSource *self, const Attempt *attempt) {
    if (attempt->outcome == REPLACED) return FALSE;
    if (attempt->is_final) return FALSE;
    if (!self->has_delivered && !self->is_part) return FALSE;
    // A stream without a length can't be continued where it broke off.
    if (self->has_delivered && self->size < 0) return FALSE;
    vit_http_policy policy = vit_servers_policy(servers_of(self));
    gint64 now = g_get_monotonic_time();
    if (!self->failing_since) self->failing_since = now;
    guint patience = attempt->outcome == MISSING ? policy.patience_if_missing : policy.patience;
    // A part that is missing from a complete list won't appear later.
    VitItem *item = item_of(self);
    if (attempt->outcome == MISSING && self->is_part && !self->has_delivered && item && vit_item_is_complete(item))
        patience = policy.patience_if_gone;
    return now - self->failing_since < (gint64)patience * 1000;
}

// Shares the item before any of its bytes are passed on: sources that are made for its parts then find it.
static void share_item(VitHTTPSource *self) {
    if (self->is_part) return;
    VitItem *item = item_of(self);
    vit_item_note(item, self->farthest);
    if (self->has_shared) return;
    self->has_shared = TRUE;
    vit_item_share(item, GST_ELEMENT(self));
}

static gboolean is_gone(const Attempt *attempt) { return attempt->status == 404 || attempt->status == 410; }

// Whether this fetches a segment: lists and keys are fetched by sources that are in no pipeline.
static gboolean is_segment(VitHTTPSource *self) {
    GstObject *parent = self->is_part ? gst_object_get_parent(GST_OBJECT(self)) : NULL;
    if (parent) gst_object_unref(parent);
    return parent != NULL;
}

// Leaves out a segment that is gone for good: the film goes on after it. The demultiplexer would otherwise give up the
// whole stream.
static gboolean leaves_out(VitHTTPSource *self, const Attempt *attempt) {
    VitItem *item = item_of(self);
    if (!item || self->has_delivered || !is_gone(attempt) || !is_segment(self)) return FALSE;
    guint count = vit_item_part_gone(item);
    if (!vit_item_has_parts(item) && count > GONE_AT_START) return FALSE;
    vit_pace_succeeded(self->host);
    GstElement *whole = vit_item_source(item);
    if (whole) {
        GST_ELEMENT_WARNING(whole, RESOURCE, NOT_FOUND, ("%s: a part is left out", attempt->text), ("%s", self->location));
        gst_object_unref(whole);
    }
    return TRUE;
}

// Replaces a variant's list that is gone by another variant's.
static gboolean takes_other_variant(VitHTTPSource *self, const Attempt *attempt) {
    VitItem *item = item_of(self);
    if (!item || !self->is_part || self->has_delivered || attempt->outcome != MISSING || is_segment(self)) return FALSE;
    char *other = vit_item_other_variant(item, self->location, self->tried_variants);
    if (!other) return FALSE;
    GST_INFO_OBJECT(self, "%s: %s in its place", self->location, other);
    g_free(other);
    self->tried_variants += 1;
    return TRUE;
}

// Opens the stream at the next wanted byte, with as many attempts as that takes.
static GstFlowReturn open_stream(VitHTTPSource *self) {
    if (self->is_part && g_str_has_suffix(self->location, "#" VIT_GAP_FRAGMENT)) return GST_FLOW_EOS;
    vit_http_policy policy = vit_servers_policy(servers_of(self));
    for (;;) {
        gint64 turn = vit_pace_take_turn(self->host, &policy);
        if (!wait_until(self, turn)) return GST_FLOW_FLUSHING;
        Attempt attempt = connect_once(self);
        if (attempt.outcome == DONE) {
            g_free(attempt.text);
            share_item(self);
            return GST_FLOW_OK;
        }
        gboolean goes_on = FALSE, is_left_out = FALSE;
        if (attempt.outcome != FLUSHED) {
            GST_INFO_OBJECT(self, "refused: %s", attempt.text);
            goes_on = takes_other_variant(self, &attempt);
            if (!goes_on) {
                vit_pace_failed(self->host, attempt.retry_after, &policy);
                goes_on = is_worth_another_try(self, &attempt);
                is_left_out = !goes_on && leaves_out(self, &attempt);
                if (!goes_on && !is_left_out) tell_error(self, &attempt);
            }
        }
        g_free(attempt.text);
        if (attempt.outcome == FLUSHED) return GST_FLOW_FLUSHING;
        if (is_left_out) return GST_FLOW_EOS;
        if (!goes_on) return GST_FLOW_ERROR;
    }
}

static gboolean looks_like_page(const guint8 *bytes, gsize count) {
    char *text = g_ascii_strdown((const char *)bytes, (gssize)MIN(count, SNIFFED));
    const char *start = text;
    while (*start && !g_ascii_isgraph(*start)) start += 1;
    gboolean value = g_str_has_prefix(start, "<!doctype html") || g_str_has_prefix(start, "<html");
    g_free(text);
    return value;
}

// --- The kind of the medium ----------------------------------------------------------------------------------------

static gboolean looks_like_text(const guint8 *bytes, gsize count) {
    for (gsize i = 0; i < MIN(count, 16); i += 1)
        if (bytes[i] < 0x20 && !g_ascii_isspace(bytes[i])) return FALSE;
    return TRUE;
}

// Reads on where the first bytes are text, up to SNIFFED_OF_TEXT: they may come line by line. A failure here occurs
// again with the next read.
static gssize read_on(VitHTTPSource *self, guint8 *bytes, gssize count, gsize room) {
    gssize wanted = (gssize)MIN(room, SNIFFED_OF_TEXT);
    while (count < wanted && looks_like_text(bytes, (gsize)count)) {
        gssize more =
            g_input_stream_read(self->stream, bytes + count, (gsize)(wanted - count), self->cancellable, NULL);
        if (more <= 0) break;
        count += more;
    }
    return count;
}

// Adds the bytes that come within COALESCED to a small block: a server may send pieces of a few bytes, and each block
// has its cost. The wait must be short: a station whose first four seconds came as one block would begin four seconds
// later. A failure here occurs again with the next read.
static gssize coalesce(VitHTTPSource *self, guint8 *bytes, gssize count, gsize room) {
    if (!G_IS_POLLABLE_INPUT_STREAM(self->stream)) return count;
    GPollableInputStream *stream = G_POLLABLE_INPUT_STREAM(self->stream);
    if (!g_pollable_input_stream_can_poll(stream)) return count;
    gint64 end = g_get_monotonic_time() + COALESCED;
    while (count < SMALL_BLOCK && (gsize)count < room) {
        GError *error = NULL;
        gssize more = g_pollable_input_stream_read_nonblocking(
            stream, bytes + count, room - (gsize)count, self->cancellable, &error);
        gboolean is_empty = g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
        g_clear_error(&error);
        if (more > 0) {
            count += more;
            continue;
        }
        if (!is_empty || g_get_monotonic_time() >= end) break;
        if (!wait_until(self, g_get_monotonic_time() + COALESCE_STEP)) break;
    }
    return count;
}

// The bytes decide before the type: a script may leave the type at text/html, whatever it sends.
static gboolean is_page(VitHTTPSource *self, const guint8 *bytes, gsize count) {
    if (looks_like_page(bytes, count)) return TRUE;
    return is_page_type(self->type) && looks_like_text(bytes, count) && vit_sniff(NULL, bytes, count) == VIT_MEDIUM_UNKNOWN;
}

static gboolean is_address_list(vit_medium medium) {
    return medium == VIT_MEDIUM_M3U || medium == VIT_MEDIUM_PLS || medium == VIT_MEDIUM_XSPF;
}

static gboolean is_part_list(vit_medium medium) { return medium == VIT_MEDIUM_HLS || medium == VIT_MEDIUM_DASH; }

// Reads the rest of a text after its first bytes, up to the limit. False where it breaks off.
static gboolean read_text(VitHTTPSource *self, GByteArray *text) {
    while (text->len < LONGEST_TEXT) {
        guint8 bytes[4096];
        gssize count = g_input_stream_read(self->stream, bytes, sizeof bytes, self->cancellable, NULL);
        if (count <= 0) return count == 0 && (self->size < 0 || (gint64)text->len >= self->size);
        g_byte_array_append(text, bytes, (guint)count);
    }
    return TRUE;
}

static gboolean has_text(const guint8 *bytes, gsize count, const char *wanted) {
    return g_strstr_len((const char *)bytes, (gssize)count, wanted) != NULL;
}

// Records what a list says about the parts that are fetched by it.
static void note_list(VitHTTPSource *self, VitItem *item, vit_medium medium, const guint8 *bytes, gsize count) {
    vit_item_note(item, self->farthest);
    if (medium == VIT_MEDIUM_DASH) {
        vit_item_set_complete(item, !has_text(bytes, count, "\"dynamic\"") && !has_text(bytes, count, "'dynamic'"));
    } else if (has_text(bytes, count, "#EXT-X-STREAM-INF")) {
        vit_item_set_variants(item, self->place ? self->place : self->location, bytes, count);
    } else {
        vit_item_set_complete(item, has_text(bytes, count, "#EXT-X-ENDLIST"));
    }
}

// Reports the kind of the medium: downstream, where GStreamer's own typefinding can be wrong (it doesn't know a DASH
// manifest whose first tag is long), and to the application; nothing is reported for parts of a stream. Lists and
// manifests are passed on as a whole, manifests after mending; null where one broke off or was refused. `read` is how
// many of the server's bytes that were.
static GBytes *take_first(VitHTTPSource *self, GBytes *first, guint64 *read, vit_refusal *refusal) {
    gsize count = 0;
    const guint8 *bytes = g_bytes_get_data(first, &count);
    vit_medium medium = vit_sniff(self->type, bytes, count);
    if (is_address_list(medium) || is_part_list(medium)) {
        GByteArray *text = g_bytes_unref_to_array(first);
        gboolean is_whole = read_text(self, text);
        first = g_byte_array_free_to_bytes(text);
        *read = g_bytes_get_size(first);
        if (!is_whole) {
            g_bytes_unref(first);
            return NULL;
        }
    }
    if (is_part_list(medium)) {
        bytes = g_bytes_get_data(first, &count);
        *refusal = count < LONGEST_TEXT ? vit_rules_list(medium, bytes, count) : VIT_REFUSAL_LIST;
        if (*refusal != VIT_REFUSAL_NONE) {
            g_bytes_unref(first);
            return NULL;
        }
        VitItem *item = item_of(self);
        if (item) note_list(self, item, medium, bytes, count);
    }
    self->is_sniffed = TRUE;
    const char *caps_name = medium == VIT_MEDIUM_HLS    ? "application/x-hls"
                            : medium == VIT_MEDIUM_DASH ? "application/dash+xml"
                                                        : NULL;
    if (caps_name && !self->is_part) {
        GstCaps *caps = gst_caps_new_empty_simple(caps_name);
        gst_base_src_set_caps(GST_BASE_SRC(self), caps);
        gst_caps_unref(caps);
    }
    if (medium == VIT_MEDIUM_UNKNOWN) return first;
    if (is_part_list(medium)) first = vit_mend_manifest(first);
    if (self->is_part) return first;
    GstStructure *structure = gst_structure_new(VIT_MEDIUM_MESSAGE, "medium", G_TYPE_UINT, (guint)medium, NULL);
    if (is_address_list(medium) || medium == VIT_MEDIUM_HLS)
        gst_structure_set(
            structure, "list", G_TYPE_BYTES, first, "address", G_TYPE_STRING, self->place ? self->place : self->location,
            "reach", G_TYPE_UINT, self->farthest, NULL);
    gst_element_post_message(GST_ELEMENT(self), gst_message_new_element(GST_OBJECT(self), structure));
    return first;
}

static GstFlowReturn create(GstPushSrc *source, GstBuffer **buffer) {
    VitHTTPSource *self = SELF(source);
    for (;;) {
        if (is_flushed(self)) return GST_FLOW_FLUSHING;
        gint64 end = self->stop >= 0 ? self->stop : self->size;
        if (self->has_headers && end >= 0 && (gint64)self->wanted >= end) return GST_FLOW_EOS;
        if (self->stream && self->position != self->wanted) disconnect(self);
        if (!self->stream) {
            GstFlowReturn opened = open_stream(self);
            if (opened != GST_FLOW_OK) return opened;
            continue;
        }
        gsize room = end >= 0 ? (gsize)MIN((gint64)BLOCK, end - (gint64)self->wanted) : BLOCK;
        guint8 *bytes = g_malloc(room);
        GError *error = NULL;
        gssize count = g_input_stream_read(self->stream, bytes, room, self->cancellable, &error);
        Attempt attempt = {.outcome = FAILED};
        vit_refusal list_refusal = VIT_REFUSAL_NONE;
        if (count > 0 && self->wanted == 0) count = read_on(self, bytes, count, room);
        if (count > 0) count = coalesce(self, bytes, count, room);
        if (count > 0 && self->wanted == 0 && is_page(self, bytes, (gsize)count)) {
            attempt.is_page = TRUE;
            attempt.text = g_strdup_printf("a web page (%s) instead of a medium", self->type ? self->type : "untyped");
        } else if (count > 0) {
            // Queues count a block's content, so its memory is shrunk to that.
            if ((gsize)count < room) bytes = g_realloc(bytes, (gsize)count);
            GBytes *block = g_bytes_new_take(bytes, (gsize)count);
            bytes = NULL;
            guint64 offset = self->wanted, read = (guint64)count;
            if (self->wanted == 0 && !self->is_sniffed) block = take_first(self, block, &read, &list_refusal);
            if (block) {
                self->wanted += read;
                self->position = self->wanted;
                if (!self->has_delivered && is_segment(self) && item_of(self)) vit_item_part_came(item_of(self));
                self->has_delivered = TRUE;
                self->failing_since = 0;
                vit_pace_succeeded(self->host);
                tell_format(self);
                *buffer = gst_buffer_new_wrapped_bytes(block);
                GST_BUFFER_OFFSET(*buffer) = offset;
                g_bytes_unref(block);
                return GST_FLOW_OK;
            }
        }
        g_free(bytes);
        if (is_flushed(self)) {
            g_clear_error(&error);
            return GST_FLOW_FLUSHING;
        }
        if (list_refusal != VIT_REFUSAL_NONE) attempt = refused(list_refusal, TRUE);
        // A body without a length ends with its connection.
        if (count == 0 && self->size < 0) return GST_FLOW_EOS;
        if (!attempt.text) attempt.text = g_strdup(error ? error->message : "the connection was closed too early");
        GST_INFO_OBJECT(self, "broke off at %" G_GUINT64_FORMAT ": %s", self->wanted, attempt.text);
        g_clear_error(&error);
        gboolean has_just_delivered = self->has_delivered && !self->failing_since;
        gboolean goes_on = is_worth_another_try(self, &attempt);
        // A server that was delivering is asked again at once; one that sent nothing has to wait.
        vit_http_policy policy = vit_servers_policy(servers_of(self));
        if (!has_just_delivered || attempt.is_page) vit_pace_failed(self->host, 0, &policy);
        if (!goes_on) tell_error(self, &attempt);
        g_free(attempt.text);
        if (!goes_on) return GST_FLOW_ERROR;
        disconnect(self);
    }
}

// --- The element ---------------------------------------------------------------------------------------------------

static gboolean unlock(GstBaseSrc *source) {
    VitHTTPSource *self = SELF(source);
    g_mutex_lock(&self->lock);
    self->is_flushing = TRUE;
    g_cancellable_cancel(self->cancellable);
    g_cond_broadcast(&self->cond);
    g_mutex_unlock(&self->lock);
    return TRUE;
}

static gboolean unlock_stop(GstBaseSrc *source) {
    VitHTTPSource *self = SELF(source);
    g_mutex_lock(&self->lock);
    self->is_flushing = FALSE;
    renew_cancellable(self);
    g_mutex_unlock(&self->lock);
    return TRUE;
}

static gboolean start(GstBaseSrc *source) {
    VitHTTPSource *self = SELF(source);
    self->position = self->wanted = 0;
    self->stop = self->size = -1;
    self->is_seekable = self->has_headers = self->has_delivered = self->is_sniffed = FALSE;
    self->is_endless = self->has_told_format = FALSE;
    self->note_interval = 0;
    self->failing_since = 0;
    self->tried_variants = 0;
    g_clear_pointer(&self->place, g_free);
    g_clear_pointer(&self->validator, g_free);
    g_clear_pointer(&self->type, g_free);
    g_clear_pointer(&self->host, g_free);
    GUri *uri = self->location ? g_uri_parse(self->location, SOUP_HTTP_URI_FLAGS, NULL) : NULL;
    if (!uri) {
        GST_ELEMENT_ERROR(self, RESOURCE, NOT_FOUND, ("not an address"), ("%s", self->location));
        return FALSE;
    }
    self->host = g_strdup_printf("%s:%d", g_uri_get_host(uri), g_uri_get_port(uri));
    g_uri_unref(uri);
    if (!item_of(self)) {
        if (self->is_part) {
            vit_item_ask(GST_ELEMENT(self));
        } else {
            VitItem *item = vit_item_new(GST_ELEMENT(self));
            GST_OBJECT_LOCK(self);
            self->item = item;
            GST_OBJECT_UNLOCK(self);
        }
    }
    // Sources of lists and keys are in no pipeline, and get no settings from one.
    GST_OBJECT_LOCK(self);
    gboolean is_set = self->servers != NULL;
    GST_OBJECT_UNLOCK(self);
    if (!is_set) vit_servers_ask(GST_ELEMENT(self));
    return TRUE;
}

// Called before the stream runs: by the bin that the source is added to, or as the answer to vit_servers_ask.
static void set_context(GstElement *element, GstContext *context) {
    VitItem *item = SELF(element)->is_part ? vit_item_of_context(context) : NULL;
    if (item) {
        GST_OBJECT_LOCK(element);
        VitItem *old = SELF(element)->item;
        SELF(element)->item = item;
        GST_OBJECT_UNLOCK(element);
        if (old) vit_item_unref(old);
    }
    VitServers *servers = vit_servers_of_context(context);
    if (servers) {
        GST_OBJECT_LOCK(element);
        gboolean is_first = !SELF(element)->servers;
        if (is_first) SELF(element)->servers = servers;
        GST_OBJECT_UNLOCK(element);
        if (!is_first) vit_servers_unref(servers);
    }
    GST_ELEMENT_CLASS(vit_http_source_parent_class)->set_context(element, context);
}

static gboolean stop(GstBaseSrc *source) {
    disconnect(SELF(source));
    return TRUE;
}

static gboolean get_size(GstBaseSrc *source, guint64 *size) {
    gint64 known = __atomic_load_n(&SELF(source)->size, __ATOMIC_ACQUIRE);
    if (known < 0) return FALSE;
    *size = (guint64)known;
    return TRUE;
}

static gboolean is_seekable(GstBaseSrc *source) {
    return __atomic_load_n(&SELF(source)->is_seekable, __ATOMIC_ACQUIRE);
}

static gboolean do_seek(GstBaseSrc *source, GstSegment *segment) {
    VitHTTPSource *self = SELF(source);
    if (segment->format != GST_FORMAT_BYTES || segment->rate < 0) return FALSE;
    if (self->has_headers && !self->is_seekable && segment->start != self->wanted) return FALSE;
    self->wanted = segment->start;
    self->stop = segment->stop == (guint64)-1 ? -1 : (gint64)segment->stop;
    return TRUE;
}

static gboolean query(GstBaseSrc *source, GstQuery *query) {
    switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_URI:
        gst_query_set_uri(query, SELF(source)->location);
        GST_OBJECT_LOCK(source);
        if (SELF(source)->place) gst_query_set_uri_redirection(query, SELF(source)->place);
        GST_OBJECT_UNLOCK(source);
        return TRUE;
    case GST_QUERY_SCHEDULING: {
        gst_query_set_scheduling(
            query, GST_SCHEDULING_FLAG_SEQUENTIAL | GST_SCHEDULING_FLAG_BANDWIDTH_LIMITED, 1, -1, 0);
        gst_query_add_scheduling_mode(query, GST_PAD_MODE_PUSH);
        return TRUE;
    }
    default: return GST_BASE_SRC_CLASS(vit_http_source_parent_class)->query(source, query);
    }
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec) {
    if (id == PROPERTY_LOCATION) {
        g_free(SELF(object)->location);
        SELF(object)->location = g_value_dup_string(value);
    } else if (id == PROPERTY_KEEP_ALIVE) {
        SELF(object)->is_part = g_value_get_boolean(value);
    } else if (id == PROPERTY_NAMED_FROM) {
        SELF(object)->named_from = g_value_get_uint(value);
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    if (id == PROPERTY_LOCATION) {
        g_value_set_string(value, SELF(object)->location);
    } else if (id == PROPERTY_KEEP_ALIVE) {
        g_value_set_boolean(value, SELF(object)->is_part);
    } else if (id == PROPERTY_NAMED_FROM) {
        g_value_set_uint(value, SELF(object)->named_from);
    } else if (id == PROPERTY_IS_ENDLESS) {
        g_value_set_boolean(value, __atomic_load_n(&SELF(object)->is_endless, __ATOMIC_ACQUIRE));
    } else {
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void finalize(GObject *object) {
    VitHTTPSource *self = SELF(object);
    disconnect(self);
    g_free(self->location);
    g_free(self->place);
    g_free(self->host);
    g_free(self->validator);
    g_free(self->type);
    g_clear_pointer(&self->item, vit_item_unref);
    g_clear_pointer(&self->servers, vit_servers_unref);
    g_object_unref(self->cancellable);
    g_mutex_clear(&self->lock);
    g_cond_clear(&self->cond);
    G_OBJECT_CLASS(vit_http_source_parent_class)->finalize(object);
}

static void vit_http_source_init(VitHTTPSource *self) {
    g_mutex_init(&self->lock);
    g_cond_init(&self->cond);
    self->cancellable = g_cancellable_new();
    self->size = self->stop = -1;
    gst_base_src_set_automatic_eos(GST_BASE_SRC(self), FALSE);
}

static void vit_http_source_class_init(VitHTTPSourceClass *type) {
    static GstStaticPadTemplate pad =
        GST_STATIC_PAD_TEMPLATE("src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
    GObjectClass *object = G_OBJECT_CLASS(type);
    GstElementClass *element = GST_ELEMENT_CLASS(type);
    GstBaseSrcClass *base = GST_BASE_SRC_CLASS(type);
    object->set_property = set_property;
    object->get_property = get_property;
    object->finalize = finalize;
    GParamFlags flags = (GParamFlags)(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
    g_object_class_install_property(
        object, PROPERTY_LOCATION, g_param_spec_string("location", "location", "address", NULL, flags));
    g_object_class_install_property(
        object, PROPERTY_KEEP_ALIVE,
        g_param_spec_boolean(
            "keep-alive", "keep alive", "is a part of a stream: asked for again before its first byte", FALSE, flags));
    g_object_class_install_property(
        object, PROPERTY_IS_ENDLESS,
        g_param_spec_boolean(
            "is-endless", "is endless", "goes on for as long as the connection does", FALSE,
            (GParamFlags)(G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)));
    g_object_class_install_property(
        object, PROPERTY_NAMED_FROM,
        g_param_spec_uint(
            "named-from", "named from", "the reach of the farthest server that named the address; 0 for none", 0, 3, 0,
            flags));
    element->set_context = set_context;
    gst_element_class_add_static_pad_template(element, &pad);
    gst_element_class_set_static_metadata(
        element, "HTTP source that keeps trying", "Source/Network", "Reads over HTTP and takes breaks up", "Vitrine");
    base->start = start;
    base->stop = stop;
    base->unlock = unlock;
    base->unlock_stop = unlock_stop;
    base->get_size = get_size;
    base->is_seekable = is_seekable;
    base->do_seek = do_seek;
    base->query = query;
    type->create = create;
}

static GstURIType uri_type(GType type) { return type ? GST_URI_SRC : GST_URI_UNKNOWN; }

static const gchar *const *uri_protocols(GType type) {
    static const gchar *const protocols[] = {"http", "https", NULL};
    return type ? protocols : NULL;
}

static gchar *uri_get(GstURIHandler *handler) { return g_strdup(SELF(handler)->location); }

static gboolean uri_set(GstURIHandler *handler, const gchar *uri, GError **error) {
    GUri *parsed = g_uri_parse(uri, SOUP_HTTP_URI_FLAGS, error);
    if (!parsed) return FALSE;
    g_uri_unref(parsed);
    g_free(SELF(handler)->location);
    SELF(handler)->location = g_strdup(uri);
    return TRUE;
}

static void uri_handler_init(gpointer interface, gpointer data) {
    GstURIHandlerInterface *handler = interface;
    (void)data;
    handler->get_type = uri_type;
    handler->get_protocols = uri_protocols;
    handler->get_uri = uri_get;
    handler->set_uri = uri_set;
}

gboolean vit_http_source_register(VitServers *usual) {
    vit_register_types();
    vit_guard_sources();
    vit_servers_set_usual(usual);
    GST_DEBUG_CATEGORY_INIT(http_source_debug, "vitrinehttp", 0, "HTTP source");
    return gst_element_register(NULL, "vitrinehttpsrc", GST_RANK_PRIMARY + 100, vit_http_source_get_type());
}
