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

typedef struct {
    // File of certificates (PEM) of those whose word counts, in place of the system's; null takes the system's.
    const char *_Nullable certificates;
    // http://host:port; null takes what the environment says.
    const char *_Nullable proxy;
    // The Authorization header for a server, to be freed with g_free; null where none is due. Called by any thread; may block.
    // `port` is -1 where the address has none. `user_info` is what the address itself says, `user:password`.
    char *_Nullable (*_Nullable authorize)(const char *host, int port, const char *_Nullable user_info);
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

// The name of the element message by which a source tells what its medium is, before any of it goes on its way: `medium`, a
// guint, and for a list of addresses `list`, GBytes with all of it. Not for parts of a stream.
#define VIT_MEDIUM_MESSAGE "vitrine-medium"

#pragma clang assume_nonnull end
