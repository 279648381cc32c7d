// Small frames of a film at some of its places. In C because frames are mapped by macros and unions, and a sink's
// signals come on a streaming thread.
#pragma once

#include "MediaProbe.h"

#include <gst/gst.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// A paused pipeline. One thread at a time.
typedef struct vit_poster vit_poster;

typedef enum vit_poster_outcome : int32_t {
    VIT_POSTER_FRAME,
    // There is no frame at that place, or no way to it.
    VIT_POSTER_NONE,
    VIT_POSTER_FAILED,
    // Nothing came in time; the pipeline is of no use any more.
    VIT_POSTER_LATE,
} vit_poster_outcome;

typedef struct {
    const vit_probe_item *item;
    // The size in pixels that a frame fits in, upright and with square pixels. It isn't enlarged.
    guint width;
    guint height;
    // A nick of GstVideoOrientationMethod; "auto" is what the film's tags say.
    const char *direction;
} vit_poster_wish;

// Opens a film up to its first frame, and only addresses that the item may open. Blocks for at most `timeout`
// nanoseconds. To be closed; null where the elements are missing.
vit_poster *_Nullable vit_poster_open(
    const vit_poster_wish *wish, uint64_t timeout, GstContext *context, vit_poster_outcome *outcome);

// Goes to the key frame before `position` (nanoseconds), or to the frame at that place if `is_exact`. Blocks for about
// `timeout` nanoseconds at most.
vit_poster_outcome vit_poster_seek(vit_poster *poster, uint64_t position, gboolean is_exact, uint64_t timeout);

typedef struct {
    guint width;
    guint height;
    // In the film, in nanoseconds; UINT64_MAX when unknown.
    uint64_t time;
} vit_poster_frame;

// Copies the planes of the latest frame: Y, U and V, row by row without padding. False where there is none, or it needs
// more than `size` bytes.
gboolean vit_poster_take(vit_poster *poster, uint8_t *planes, gsize size, vit_poster_frame *frame);

// A pipeline that was late may hang, and is left to the end of the process.
void vit_poster_close(vit_poster *poster);

#pragma clang assume_nonnull end
