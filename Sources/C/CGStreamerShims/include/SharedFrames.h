// Frames in memory that a compositor reads too: docs/decisions/0167-cost-of-a-frame.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Offers a pool of such memory to what writes frames for a compositor, in an ALLOCATION query. What lies elsewhere is copied there by
// waylandsink, frame by frame. FALSE, with nothing changed, where it is no plain video or GStreamer has no such memory.
gboolean vit_offer_shared_frames(GstQuery *query);

gboolean vit_is_shared_frame(GstBuffer *buffer);

// A buffer of the same memory, by which a sink knows it again. The original goes back to its pool one frame later: right then
// the memory would still be in use by this one, and pools throw such buffers away.
GstBuffer *vit_shared_frame_copy(GstBuffer *original);

// Lets go of the original that waits for the next frame. For when there is none.
void vit_release_shared_frame(void);

#pragma clang assume_nonnull end
