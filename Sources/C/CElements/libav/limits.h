// Limits on files, checked before FFmpeg reads them: a file may claim any size.
#pragma once

#include <glib.h>

#include "library.h"

// Reads up to this many bytes at that offset; negative where that fails.
typedef int (*vit_read_at)(void *data, guint64 place, guint8 *target, int count);

// Whether a Core Audio file's table of packets is short enough to be listed in memory by FFmpeg.
gboolean vit_core_audio_is_bounded(vit_read_at read, void *data);

// Whether the streams that FFmpeg has found belong to the three formats. Call before a decoder is opened.
gboolean vit_streams_are_ours(const AVFormatContext *file);
