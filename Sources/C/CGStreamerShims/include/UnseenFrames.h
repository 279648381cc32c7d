// Compressed frames that are never shown: those that a decoder gets only because a seek begins at a key frame.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Whether the decoded frame lies before the pad's segment, played forwards. Call on the thread that brings the buffer.
gboolean vit_is_before_segment(GstPad *pad, GstBuffer *buffer);

enum { VIT_NO_H264 = 5 };
// How the units of the pad's pictures are separated: the number of bytes of each unit's length (1 to 4); 0 for start
// codes; VIT_NO_H264 where the buffers aren't whole pictures of H.264.
guint vit_h264_prefix(GstPad *pad);

#pragma clang assume_nonnull end
