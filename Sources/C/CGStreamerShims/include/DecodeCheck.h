// Decodes a file and computes a checksum of each picture, for the self-test: plane by plane, as YUV 4:2:0 without
// padding. In C because frames are mapped by macros and unions.
#pragma once

#include <gst/gst.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { VIT_DECODE_TEXT = 160 };

typedef struct {
    // The decoding element, and its device, such as /dev/video10; empty when it has none.
    char decoder[VIT_DECODE_TEXT];
    char device[VIT_DECODE_TEXT];
    gboolean is_hardware;
    // The frames' format, such as "NV12"; and whether they are in dmabufs.
    char format[VIT_DECODE_TEXT];
    gboolean is_shared;
    // Frames whose memory can't be read, or whose format isn't 8-bit 4:2:0.
    uint32_t unreadable;
    gboolean has_failed;
    gboolean has_timed_out;
    char message[VIT_DECODE_TEXT];
} vit_decode_result;

// The element that decodes these caps on this machine, by its rank; `name` is empty when there is none.
void vit_best_decoder(const char *caps, char *name, size_t size, gboolean *is_hardware);

// Excludes hardware decoders from now on.
void vit_avoid_hardware_decoders(void);

// Stops all pipelines of this process from choosing sinks themselves. For that, each playbin compares all decoders with
// all sinks, which takes some 10 ms of processor time.
void vit_leave_out_sinks(void);

// Blocks until the end of the file, for at most `limit` nanoseconds. `frame` is called for each picture with its MD5.
void vit_decode(
    const char *uri, uint64_t limit, vit_decode_result *result, void (*frame)(const char *sum, void *_Nullable data),
    void *_Nullable data);

#pragma clang assume_nonnull end
