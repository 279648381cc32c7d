// Buffers for software decoders: docs/decisions/0167-cost-of-a-frame.md.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#pragma clang assume_nonnull begin

// A pool of frames whose copies share their bytes with a decoder that still reads them. FFmpeg's decoders keep each
// picture mapped while later pictures may refer to it, and GStreamer copies the bytes of memory that is mapped for
// writing when the picture is passed on: 1.4 MB for each picture of 720 lines. Here such a copy is a read-only view. A
// frame that has to be changed is copied then, as usual. A buffer is reused when its views are gone; until then its
// decoder gets another one.
GstBufferPool *vit_frame_pool_new(void);

// Whether this is memory of such a pool, and not a view of it.
gboolean vit_is_pool_memory(GstMemory *memory);

#pragma clang assume_nonnull end
