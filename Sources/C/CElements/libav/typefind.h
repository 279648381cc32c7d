#pragma once

#include <gst/gst.h>

// An AVI whose picture is Ut Video.
#define VIT_UT_VIDEO_TYPE "video/x-vitrine-utvideo"

// A WAV whose sound GStreamer's demultiplexer measures wrongly (mono IMA ADPCM) or doesn't know (MP3).
#define VIT_WAV_TYPE "audio/x-vitrine-wav"

gboolean vit_libav_register_typefind(void);
