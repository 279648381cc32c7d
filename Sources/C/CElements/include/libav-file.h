// Opens files that GStreamer's demultiplexers don't open, or open wrongly, with FFmpeg's: Core Audio files, Ut Video in
// AVI, and WAV with mono IMA ADPCM or MP3.
#pragma once

#include <glib.h>

// Registers the element and its typefinder with GStreamer. Call once, after gst_init. FFmpeg's libraries are loaded
// with the first such file.
gboolean vit_libav_register(void);
