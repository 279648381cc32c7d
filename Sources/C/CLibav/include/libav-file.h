// Files that GStreamer's demultiplexers don't open, or not right, by FFmpeg's: Core Audio files, Ut Video in AVI, and WAV with IMA ADPCM of
// one channel or MP3.
#pragma once

#include <glib.h>

// Makes the element and its typefinder known to GStreamer, once, after gst_init. FFmpeg's libraries are opened when the first such
// file is.
gboolean vit_libav_register(void);
