// The fill levels of the queues behind the demultiplexer of an adaptive stream. In C, because properties are read by a
// variadic function, and pads' flags by macros.
#pragma once

#include <gst/gst.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    // Nanoseconds of media in the queue.
    uint64_t media;
    // The queue accepts no more data.
    gboolean is_full;
    // The stream's last data are in the queue.
    gboolean has_ended;
} vit_queue_level;

// `stream` is the same value for the same stream. `level` is null once the stream has gone.
typedef void (*vit_queue_func)(gpointer data, uintptr_t stream, const vit_queue_level *_Nullable level);

// Calls `func`, on streaming threads, with each change of the level of the queues in which the pipeline buffers (those
// with `use-buffering`), for streams of video and sound: subtitles have gaps of any length. Call before the pipeline
// starts. `destroy` is called with `data` when the last user has gone.
void vit_watch_queues(GstElement *pipeline, vit_queue_func func, gpointer data, GDestroyNotify destroy);

// Limits the bytes between a source and the demultiplexer from now on; more may be there already.
void vit_limit_download(GstElement *pipeline, guint bytes);

#pragma clang assume_nonnull end
