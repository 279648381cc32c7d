// What GStreamer itself complains of, from whatever thread, held back where it comes again: docs/decisions/0153-log-levels.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

typedef struct {
    gboolean is_error;
    // Such as "qtdemux".
    const char *category;
    // Name of an element or a pad; empty for neither.
    const char *object;
    const char *message;
    // How many of the same place in GStreamer's source were held back since it was told last.
    guint held_back;
} vit_log_line;

// Called on any thread, a streaming thread above all: it has to be quick.
typedef void (*vit_log_teller)(const vit_log_line *line);

// From now on these lines are told: errors, and warnings where they are asked for. Null tells no more. After gst_init.
// False, and nothing changed, where GST_DEBUG is set: then somebody wants them as GStreamer writes them.
gboolean vit_log_follow(vit_log_teller _Nullable teller, gboolean warnings);

#pragma clang assume_nonnull end
