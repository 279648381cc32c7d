// GStreamer's own warnings and errors, from any thread, limited where they repeat: docs/decisions/0153-log-levels.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

typedef struct {
    gboolean is_error;
    // Such as "qtdemux".
    const char *category;
    // Name of an element or a pad; empty without one.
    const char *object;
    const char *message;
    // How many lines from the same place in GStreamer's source were held back since the last one.
    guint held_back;
} vit_log_line;

// Called on any thread, mostly a streaming thread: it has to be quick.
typedef void (*vit_log_teller)(const vit_log_line *line);

// Passes errors to `teller` from now on, and warnings where they are wanted; null stops that. Call after gst_init.
// False, with no effect, where GST_DEBUG is set: the lines are then wanted as GStreamer writes them.
gboolean vit_log_follow(vit_log_teller _Nullable teller, gboolean warnings);

#pragma clang assume_nonnull end
