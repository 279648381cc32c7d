// The memory of the stand-ins' frames, and the picture in it.
#pragma once

#include <gst/video/video.h>

// As decoders make them: lines are a multiple of 16, and rows are longer than the picture's. In bytes: the stride.
typedef struct {
    gint width, height, lines, stride;
    GstVideoFormat format;
} Surface;

Surface surface_of(gint width, gint height, gboolean is_deep);
gsize surface_size(const Surface *surface);

// `is_shared`: dmabufs, of the card that STAND_IN_CARD names.
GstBufferPool *surfaces_new(const Surface *surface, gboolean is_shared);
void surfaces_drop(GstBufferPool **pool);

gboolean surface_paint(GstBuffer *buffer, const Surface *surface, guint number);
