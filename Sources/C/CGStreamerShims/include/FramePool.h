// Buffers that a decoder on the processor decodes into: docs/decisions/0167-cost-of-a-frame.md.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#pragma clang assume_nonnull begin

// A pool of frames whose copies share their bytes with a decoder that still looks at them. FFmpeg's decoders hold each picture mapped for
// as long as others may refer to it, and GStreamer copies the bytes of what is mapped for writing when it hands the picture on: 1.4 MB for
// each of 720 lines. Here such a copy is a view that can only be read. What is to be changed is copied then, as always. A buffer comes
// again when its views are gone; until then its decoder gets another one.
GstBufferPool *vit_frame_pool_new(void);

// Whether it is memory of such a pool itself, and no view of it.
gboolean vit_is_pool_memory(GstMemory *memory);

#pragma clang assume_nonnull end
