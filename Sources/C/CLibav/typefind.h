#pragma once

#include <gst/gst.h>

// An AVI whose picture is Ut Video.
#define VIT_UT_VIDEO_TYPE "video/x-vitrine-utvideo"

gboolean vit_libav_register_typefind(void);
