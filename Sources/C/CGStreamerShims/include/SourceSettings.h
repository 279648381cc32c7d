// Settings of a source before it starts: a playbin makes its source itself, and announces it by a signal on a thread of
// its own.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

typedef enum vit_rtsp_transport : int32_t { VIT_RTSP_AUTO, VIT_RTSP_TCP, VIT_RTSP_UDP } vit_rtsp_transport;

typedef struct {
    // Milliseconds.
    guint rtsp_latency;
    // Microseconds.
    guint64 rtsp_udp_timeout;
    guint64 rtsp_tcp_timeout;
    vit_rtsp_transport rtsp_transport;
    // The reach of the farthest server that named the address; 0 for none.
    guint named_from;
} vit_source_settings;

// Applies the settings to any source that the playbin makes. Call before it starts.
void vit_prepare_sources(GstElement *playbin, const vit_source_settings *settings);

// Whether the playbin reads a stream without an end, as far as its source can tell. Call once it has begun.
gboolean vit_source_is_endless(GstElement *playbin);

#pragma clang assume_nonnull end
