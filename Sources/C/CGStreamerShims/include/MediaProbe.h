// Examines a medium: GstDiscoverer in one call. Its results are nested objects and lists, which Swift could only cast;
// here they become one flat struct.
#pragma once

#include <http-source.h>
#include <gst/gst.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { VIT_PROBE_STREAMS = 8, VIT_PROBE_TEXT = 160 };

typedef enum vit_probe_kind : int32_t { VIT_PROBE_VIDEO, VIT_PROBE_PICTURE, VIT_PROBE_AUDIO, VIT_PROBE_SUBTITLE } vit_probe_kind;

typedef struct {
    vit_probe_kind kind;
    // In words, such as "H.264 (High Profile)".
    char codec[VIT_PROBE_TEXT];
    // The name of its caps, such as "video/x-h264", and their mpegversion; 0 where they have none.
    char format[VIT_PROBE_TEXT];
    int32_t mpeg_version;
    // As in the caps: "high", "4.1", "4:2:0"; empty when they don't say.
    char profile[VIT_PROBE_TEXT];
    char level[VIT_PROBE_TEXT];
    char chroma[VIT_PROBE_TEXT];
    // The element that decodes the stream on this machine; empty when there is none.
    char decoder[VIT_PROBE_TEXT];
    gboolean is_hardware;
    uint32_t width;
    uint32_t height;
    uint32_t rate_numerator;
    uint32_t rate_denominator;
    uint32_t pixel_width;
    uint32_t pixel_height;
    // Bits of each colour; 0 when unknown.
    uint32_t bits;
    gboolean is_interlaced;
    gboolean is_pq;
    gboolean is_hlg;
    // GStreamer's name of the orientation, such as "rotate-90"; empty for upright.
    char orientation[VIT_PROBE_TEXT];
    // For sound.
    uint32_t channels;
    uint32_t sample_rate;
    // For sound and subtitles; empty when unknown.
    char language[VIT_PROBE_TEXT];
    // For sound; empty when there is none.
    char title[VIT_PROBE_TEXT];
} vit_probe_stream;

typedef struct {
    // 0 when all streams could be opened.
    gboolean has_failed;
    gboolean has_timed_out;
    GQuark domain;
    int32_t code;
    vit_refusal refusal;
    char message[VIT_PROBE_TEXT];
    // Nanoseconds; 0 when unknown.
    uint64_t duration;
    gboolean is_live;
    // In words; empty when there is none.
    char container[VIT_PROBE_TEXT];
    int32_t stream_count;
    vit_probe_stream streams[VIT_PROBE_STREAMS];
    // A list of addresses that came in place of a medium, which the caller unrefs; null without one. `list_medium` is a
    // vit_medium, `list_reach` the reach of the farthest server that sent it (0 where that isn't known).
    GBytes *_Nullable list;
    guint list_medium;
    guint list_reach;
} vit_probe_result;

typedef struct {
    const char *uri;
    // Whether manifests are refused.
    gboolean is_alone;
    // As for `vit_hold_sources`.
    vit_part_origins parts;
    guint named_from;
} vit_probe_item;

// Tells `pipeline` of the errors of `element`, which has just been added to a bin within it and is a demultiplexer; nothing
// is done for other elements. decodebin keeps an error to itself that comes while it connects the element, and a film
// that was cut is read to its end in less time: whoever waits for the pipeline would wait for ever.
void vit_pass_on_errors(GstElement *pipeline, GstElement *element);

// Opens an item up to the first decoded frame of each stream, and only addresses that it may open. Blocks for at most
// `timeout` nanoseconds. Its pipeline has `context` from the start. Any thread.
void vit_probe(const vit_probe_item *item, uint64_t timeout, GstContext *context, vit_probe_result *result);

#pragma clang assume_nonnull end
