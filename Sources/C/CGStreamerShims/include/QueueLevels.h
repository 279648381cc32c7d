// How much lies in the queues behind the demultiplexer of an adaptive stream. In C, because properties are read by a variadic
// function, and flags of pads by macros.
#pragma once

#include <gst/gst.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    // Nanoseconds of media in the queue.
    uint64_t media;
    // Nothing more goes in.
    gboolean is_full;
    // Its last data are in the queue.
    gboolean has_ended;
} vit_queue_level;

// `stream` is the same for the same stream. `level` is null once it has gone.
typedef void (*vit_queue_func)(gpointer data, uintptr_t stream, const vit_queue_level *_Nullable level);

// Calls `func`, on streaming threads, with each change of what lies in the queues in which the pipeline buffers (those with
// `use-buffering`), for streams of video and sound: subtitles come when there is something to say. Before the pipeline starts.
// `destroy` is called with `data` when the last of it has gone.
void vit_watch_queues(GstElement *pipeline, vit_queue_func func, gpointer data, GDestroyNotify destroy);

// How many bytes may lie between a source and what takes its stream apart, from now on; more may lie there already.
void vit_limit_download(GstElement *pipeline, guint bytes);

#pragma clang assume_nonnull end
