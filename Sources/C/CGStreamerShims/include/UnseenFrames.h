// Compressed frames that nobody sees: those that a decoder is given only because a seek begins at a key frame.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// On the thread that brings it: whether what becomes of it lies before the pad's segment, played forwards.
gboolean vit_is_before_segment(GstPad *pad, GstBuffer *buffer);

enum { VIT_NO_H264 = 5 };
// How the units of the pad's pictures are told apart: how many bytes tell each one's length (1 to 4); 0 for start codes; VIT_NO_H264 where
// whole pictures of H.264 don't come.
guint vit_h264_prefix(GstPad *pad);

#pragma clang assume_nonnull end
