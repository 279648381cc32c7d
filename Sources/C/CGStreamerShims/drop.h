#pragma once

#include <gst/gst.h>

// Nothing goes through this pad of an element any more. An element without such a pad is left alone.
void vit_drop_all(GstElement *element, const char *pad_name);
