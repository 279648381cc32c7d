// A source element for http and https that retries, in place of GStreamer's own (souphttpsrc), which ends the whole
// pipeline at the first refusal. In C, because an element is a GObject class with virtual functions, which Swift can't
// define.
//
// Its behaviour: docs/decisions/0050-http-source.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// The numbers of the source; each has its reason where it is set: Sources/PlaybackCore/Playback/SourcePolicy.swift.
typedef struct {
    // Seconds without a byte after which a connection counts as dead.
    guint timeout;
    // Milliseconds between requests to a host that fails: the least, and the most.
    guint first_delay;
    guint longest_delay;
    // Milliseconds during which a failing host is asked at the first delay; then the delays double.
    guint eager_for;
    // Milliseconds for which a source that has delivered data keeps retrying before it gives up with an error.
    guint patience;
    // The same for answers that say that the file doesn't exist: it may be uploaded soon.
    guint patience_if_missing;
    // The same for a part of a stream whose list is complete.
    guint patience_if_gone;
    // The share of the delay, in thousandths, that is added at random.
    guint jitter;
} vit_http_policy;

// Forgets all failures of servers: no server's requests are delayed any more. Requests that already wait still do. Any
// thread.
void vit_http_source_forget_failures(void);

// A web address, split into its parts. `port` is -1 where the address has none, `user_info` is `user:password`,
// decoded.
typedef struct {
    const char *scheme;
    const char *host;
    int port;
    const char *_Nullable user_info;
} vit_address;

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

// Determines the kind of a medium. `type`: the server's Content-Type, null without one. `bytes`: its first ones. Called
// on any thread.
typedef vit_medium (*vit_sniffer)(const char *_Nullable type, const guint8 *bytes, gsize count);
// A part whose address ends with this doesn't exist, and isn't requested (`HLSPlaylist` writes it).
#define VIT_GAP_FRAGMENT "vitrine-gap"

// Returns a DASH manifest or HLS list with its faults repaired; null where it needs no repair. Called on any thread.
typedef GBytes *_Nullable (*vit_manifest_mender)(const guint8 *text, gsize count);
void vit_http_source_set_words(vit_sniffer sniffer, vit_manifest_mender mender);

// The reason for which an address isn't requested or its content isn't accepted: `RedirectPolicy.Refusal` has the same
// numbers.
typedef enum {
    VIT_REFUSAL_NONE,
    VIT_REFUSAL_DOWNGRADE,
    VIT_REFUSAL_LOCAL,
    VIT_REFUSAL_NOT_WEB,
    VIT_REFUSAL_LIST,
    VIT_REFUSAL_ELSEWHERE,
} vit_refusal;

typedef struct {
    // File of certificates (PEM) of the trusted authorities, in place of the system's; null for the system's.
    const char *_Nullable certificates;
    // http://host:port; null for the environment's setting.
    const char *_Nullable proxy;
} vit_http_access;

// Rules for what servers may make a source do, set by its engine and called on any thread with `data`; `forget` is
// called with `data` once the rules are no longer needed. A reach is a `NetworkReach`'s number, 0 where it isn't known.
typedef struct {
    // The Authorization header for a hop, to be freed with g_free; null where none is needed. `given` is the address
    // that led to it, as the player was given it. May block.
    char *_Nullable (*_Nonnull authorize)(const vit_address *hop, const vit_address *given, void *data);
    // Checks a redirect from one address to another.
    vit_refusal (*redirect)(const vit_address *from, const vit_address *to, void *data);
    // Checks a connection against the farthest server so far.
    vit_refusal (*connection)(guint farthest, guint target, void *data);
    void *data;
    void (*_Nullable forget)(void *data);
} vit_http_rules;

// The settings of sources. Has a reference count; immutable. Any thread.
typedef struct VitServers VitServers;
// Reads the certificates.
VitServers *vit_servers_new(const vit_http_policy *policy, const vit_http_access *access, const vit_http_rules *rules);
VitServers *vit_servers_ref(VitServers *servers);
void vit_servers_unref(VitServers *servers);
vit_http_policy vit_servers_policy(const VitServers *servers);

// The name of the GstContext that carries the settings to sources: a pipeline with this context passes it to all
// sources that are made for it from then on.
#define VIT_SERVERS_CONTEXT "vitrine-servers"
// The caller releases it.
GstContext *vit_servers_context(VitServers *servers);
// The caller releases it; null for another context.
VitServers *_Nullable vit_servers_of_context(GstContext *context);

// Registers the source with GStreamer, with a higher rank than GStreamer's own. Call once, after gst_init. `usual`: the
// settings of sources that were given none.
gboolean vit_http_source_register(VitServers *usual);

// The places from which the parts of an adaptive stream may come.
typedef enum {
    VIT_PARTS_NONE,
    // http, https, and data, which keys use.
    VIT_PARTS_OF_WEB,
    // A list on this machine may name files on the same machine.
    VIT_PARTS_OF_WEB_AND_DISK,
} vit_part_origins;

// Restricts all sources of a pipeline to one item: its own address, and parts from the places in `parts`. Any other
// source doesn't start, and the pipeline fails with a `vit_refusal`. Sources of unrestricted pipelines aren't affected.
//
// - uri: the item's address, as the pipeline is given it.
// - named_from: the reach of the farthest server that named it; 0 for none.
//
// Call before the pipeline has an element or starts; after `vit_http_source_register`. Any thread.
void vit_hold_sources(GstElement *pipeline, const char *uri, vit_part_origins parts, guint named_from);
// The last refusal in a restricted pipeline. Any thread.
vit_refusal vit_refusal_of(GstElement *pipeline);

// Removes all elements that open addresses from the registry, except those that items need. A plugin that is loaded
// later for another of its elements may add one again: `vit_hold_sources` is the real restriction, and this only keeps
// code from being loaded. For programs whose pipelines are all the player's own.
void vit_leave_out_sources(void);

// Facts that hold for every source, provided by the application; called on any thread.
typedef struct {
    // The reach of an address, by its 4 or 16 bytes, and by its name alone where a proxy looks it up.
    guint (*reach)(const guint8 *address, gsize count);
    guint (*reach_of_host)(const char *host);
    // Checks a list of a stream's parts.
    vit_refusal (*list)(vit_medium medium, const guint8 *text, gsize count);
} vit_http_facts;
void vit_http_source_set_facts(const vit_http_facts *facts);

// A field in the details of an error: a guint, a vit_refusal.
#define VIT_REFUSAL_DETAIL "vitrine-refusal"

// The name of the element message by which a source reports the kind of its medium, before any of it is passed on:
// `medium`, a guint; for a list of addresses and an HLS playlist also `list`, GBytes with its whole text, `address`, the
// one that it came from in the end, and `reach`, a guint, of the farthest server that sent or redirected to it. Not
// posted for parts of a stream.
#define VIT_MEDIUM_MESSAGE "vitrine-medium"

#pragma clang assume_nonnull end
