// A source element for http and https that doesn't give up, in place of GStreamer's own (souphttpsrc), which ends the whole
// pipeline at the first refusal. In C, because an element is a GObject class with virtual functions, which Swift can't make.
//
// What it does: docs/decisions/0050-http-source.md.
#pragma once

#include <glib.h>

#pragma clang assume_nonnull begin

// Every number of the source, with its reason where it is set: Sources/PlaybackCore/Playback/SourcePolicy.swift.
typedef struct {
    // Seconds without a byte after which a connection counts as dead.
    guint timeout;
    // Milliseconds between requests to a host that fails: the least, and the most.
    guint first_delay;
    guint longest_delay;
    // Milliseconds for which a host that fails is asked at the first delay; then the delays double.
    guint eager_for;
    // Milliseconds for which a source that has delivered goes on trying before it gives up with an error.
    guint patience;
    // The same for answers that say that there is no such file: it may be on its way.
    guint patience_if_missing;
    // A part of the delay, in thousandths, that is added at random.
    guint jitter;
} vit_http_policy;

// Makes the source known to GStreamer, above its own. After gst_init; once.
gboolean vit_http_source_register(const vit_http_policy *policy);

// Takes other numbers, for requests from now on. Any thread.
void vit_http_source_configure(const vit_http_policy *policy);

// No server is left in peace any more: what they failed for is over. Requests that wait for their turn already still do. Any thread.
void vit_http_source_forget_failures(void);

// A web address, taken apart. `port` is -1 where the address has none, `user_info` is `user:password`, decoded.
typedef struct {
    const char *scheme;
    const char *host;
    int port;
    const char *_Nullable user_info;
} vit_address;

typedef struct {
    // File of certificates (PEM) of those whose word counts, in place of the system's; null takes the system's.
    const char *_Nullable certificates;
    // http://host:port; null takes what the environment says.
    const char *_Nullable proxy;
    // The Authorization header for a hop, to be freed with g_free; null where none is due. `given` is the address that led to
    // it, as we were given it. Called by any thread; may block.
    char *_Nullable (*_Nullable authorize)(const vit_address *hop, const vit_address *given);
} vit_http_access;

// How servers are reached from the next request on. Reads the certificates. Any thread.
void vit_http_source_set_access(const vit_http_access *access);

typedef enum {
    VIT_MEDIUM_UNKNOWN,
    VIT_MEDIUM_HLS,
    VIT_MEDIUM_DASH,
    VIT_MEDIUM_PICTURE,
    VIT_MEDIUM_FILM,
    VIT_MEDIUM_M3U,
    VIT_MEDIUM_PLS,
    VIT_MEDIUM_XSPF,
} vit_medium;

// Says what a medium is. `type`: the server's Content-Type, null without one. `bytes`: its first ones. Called by any thread.
typedef vit_medium (*vit_sniffer)(const char *_Nullable type, const guint8 *bytes, gsize count);
// Gives a manifest of DASH as it is to be taken apart; null where it may stay as it is. Called by any thread.
typedef GBytes *_Nullable (*vit_manifest_mender)(const guint8 *text, gsize count);
void vit_http_source_set_words(vit_sniffer sniffer, vit_manifest_mender mender);

// Why an address isn't asked, or what it gave isn't taken: `RedirectPolicy.Refusal` has the same numbers.
typedef enum {
    VIT_REFUSAL_NONE,
    VIT_REFUSAL_DOWNGRADE,
    VIT_REFUSAL_LOCAL,
    VIT_REFUSAL_NOT_WEB,
    VIT_REFUSAL_LIST,
} vit_refusal;

// What servers may make us do: the application's word, called by any thread. A reach is a `NetworkReach`'s number, 0 where
// nobody knows.
typedef struct {
    // Of an address that sends us on to another one.
    vit_refusal (*redirect)(const vit_address *from, const vit_address *to);
    // How near an address is, by its 4 or 16 bytes, and by its name alone where a proxy looks it up.
    guint (*reach)(const guint8 *address, gsize count);
    guint (*reach_of_host)(const char *host);
    // Of a connection, by the farthest server that has had a say so far.
    vit_refusal (*connection)(guint farthest, guint target);
    // Of a list of a stream's parts.
    vit_refusal (*list)(vit_medium medium, const guint8 *text, gsize count);
} vit_http_rules;
void vit_http_source_set_rules(const vit_http_rules *rules);

// Of the details of an error: a guint, a vit_refusal.
#define VIT_REFUSAL_DETAIL "vitrine-refusal"

// The name of the element message by which a source tells what its medium is, before any of it goes on its way: `medium`, a
// guint; for a list of addresses `list`, GBytes with all of it, and `reach`, a guint, of the farthest server that had a say in
// it. Not for parts of a stream.
#define VIT_MEDIUM_MESSAGE "vitrine-medium"

#pragma clang assume_nonnull end
