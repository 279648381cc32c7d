// What of a file isn't given to FFmpeg, or not by as much as the file says.
#pragma once

#include <glib.h>

#include "library.h"

// So many bytes from that place on, or fewer; negative where that fails.
typedef int (*vit_read_at)(void *data, guint64 place, guint8 *target, int count);

// Whether a Core Audio file's table of packets is of a length that FFmpeg may make a list of in memory.
gboolean vit_core_audio_is_bounded(vit_read_at read, void *data);

// Whether what FFmpeg has found in a file is what the three kinds have. Before a decoder is opened.
gboolean vit_streams_are_ours(const AVFormatContext *file);
