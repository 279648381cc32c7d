// A source element for http and https that doesn't give up, in place of GStreamer's own (souphttpsrc), which ends the whole
// pipeline at the first refusal. In C, because an element is a GObject class with virtual functions, which Swift can't make.
//
// What it does: docs/decisions/0050-http-source.md.
#pragma once

#include <gst/gst.h>

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
    // The same of a part of a stream whose list says that it is there for good.
    guint patience_if_gone;
    // A part of the delay, in thousandths, that is added at random.
    guint jitter;
} vit_http_policy;

// No server is left in peace any more: what they failed for is over. Requests that wait for their turn already still do. Any thread.
void vit_http_source_forget_failures(void);

// A web address, taken apart. `port` is -1 where the address has none, `user_info` is `user:password`, decoded.
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

// Says what a medium is. `type`: the server's Content-Type, null without one. `bytes`: its first ones. Called by any thread.
typedef vit_medium (*vit_sniffer)(const char *_Nullable type, const guint8 *bytes, gsize count);
// A part whose address ends with this isn't there, and isn't asked for (`HLSPlaylist` writes it).
#define VIT_GAP_FRAGMENT "vitrine-gap"

// Gives a manifest of DASH or a list of HLS as it is to be taken apart; null where it may stay as it is. Called by any thread.
typedef GBytes *_Nullable (*vit_manifest_mender)(const guint8 *text, gsize count);
void vit_http_source_set_words(vit_sniffer sniffer, vit_manifest_mender mender);

// Why an address isn't asked, or what it gave isn't taken: `RedirectPolicy.Refusal` has the same numbers.
typedef enum {
    VIT_REFUSAL_NONE,
    VIT_REFUSAL_DOWNGRADE,
    VIT_REFUSAL_LOCAL,
    VIT_REFUSAL_NOT_WEB,
    VIT_REFUSAL_LIST,
    VIT_REFUSAL_ELSEWHERE,
} vit_refusal;

typedef struct {
    // File of certificates (PEM) of those whose word counts, in place of the system's; null takes the system's.
    const char *_Nullable certificates;
    // http://host:port; null takes what the environment says.
    const char *_Nullable proxy;
} vit_http_access;

// What servers may make a source do: its engine's word, called by any thread with `data`, of which `forget` is told once nobody needs
// it any more. A reach is a `NetworkReach`'s number, 0 where nobody knows.
typedef struct {
    // The Authorization header for a hop, to be freed with g_free; null where none is due. `given` is the address that led to
    // it, as we were given it. May block.
    char *_Nullable (*_Nonnull authorize)(const vit_address *hop, const vit_address *given, void *data);
    // Of an address that sends us on to another one.
    vit_refusal (*redirect)(const vit_address *from, const vit_address *to, void *data);
    // Of a connection, by the farthest server that has had a say so far.
    vit_refusal (*connection)(guint farthest, guint target, void *data);
    void *data;
    void (*_Nullable forget)(void *data);
} vit_http_rules;

// What sources are set to. Counted; it doesn't change. Any thread.
typedef struct VitServers VitServers;
// Reads the certificates.
VitServers *vit_servers_new(const vit_http_policy *policy, const vit_http_access *access, const vit_http_rules *rules);
VitServers *vit_servers_ref(VitServers *servers);
void vit_servers_unref(VitServers *servers);
vit_http_policy vit_servers_policy(const VitServers *servers);

// The name of the GstContext by which it comes to sources: a pipeline that has it set gives it to all sources that are made for it
// from then on.
#define VIT_SERVERS_CONTEXT "vitrine-servers"
// To be released.
GstContext *vit_servers_context(VitServers *servers);
// To be released; null for another context.
VitServers *_Nullable vit_servers_of_context(GstContext *context);

// Makes the source known to GStreamer, above its own. After gst_init; once. `usual`: of sources that nobody has set.
gboolean vit_http_source_register(VitServers *usual);

// Where the parts of an adaptive stream may come from.
typedef enum {
    VIT_PARTS_NONE,
    // http, https, and data, as keys do.
    VIT_PARTS_OF_WEB,
    // A list on this machine may name what lies beside it.
    VIT_PARTS_OF_WEB_AND_DISK,
} vit_part_origins;

// Holds all sources of a pipeline to one item: its own address, and parts from where `parts` says. Another source doesn't start,
// and the pipeline fails with a `vit_refusal`. Sources of pipelines that nobody has held are left alone.
//
// - uri: the item's address, as the pipeline is told it.
// - named_from: the reach of the farthest server that named it; 0 for none.
//
// Before the pipeline has an element or starts; after `vit_http_source_register`. Any thread.
void vit_hold_sources(GstElement *pipeline, const char *uri, vit_part_origins parts, guint named_from);
// What was refused last in a pipeline that is held. Any thread.
vit_refusal vit_refusal_of(GstElement *pipeline);

// Takes out of the registry all elements that open addresses, but for those that items need. A plugin that is loaded later for
// another of its elements may bring one back: `vit_hold_sources` is what refuses, and this only keeps code from being loaded. For
// programs that have no other pipelines than ours.
void vit_leave_out_sources(void);

// What is so for every source: the application's word, called by any thread.
typedef struct {
    // How near an address is, by its 4 or 16 bytes, and by its name alone where a proxy looks it up.
    guint (*reach)(const guint8 *address, gsize count);
    guint (*reach_of_host)(const char *host);
    // Of a list of a stream's parts.
    vit_refusal (*list)(vit_medium medium, const guint8 *text, gsize count);
} vit_http_facts;
void vit_http_source_set_facts(const vit_http_facts *facts);

// Of the details of an error: a guint, a vit_refusal.
#define VIT_REFUSAL_DETAIL "vitrine-refusal"

// The name of the element message by which a source tells what its medium is, before any of it goes on its way: `medium`, a
// guint; for a list of addresses `list`, GBytes with all of it, and `reach`, a guint, of the farthest server that had a say in
// it. Not for parts of a stream.
#define VIT_MEDIUM_MESSAGE "vitrine-medium"

#pragma clang assume_nonnull end
