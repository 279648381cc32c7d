// Frames in memory that a compositor reads too: docs/decisions/0167-cost-of-a-frame.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Offers a pool of such memory, in an ALLOCATION query, to the element that writes frames for a compositor; waylandsink
// copies frames from any other memory. FALSE, with no effect, for caps that aren't plain video, or where GStreamer has
// no such memory.
gboolean vit_offer_shared_frames(GstQuery *query);

gboolean vit_is_shared_frame(GstBuffer *buffer);

// A buffer of the same memory, by which a sink recognises it. The original goes back to its pool one frame later:
// before that, the memory would still be used by this buffer, and pools throw such buffers away.
GstBuffer *vit_shared_frame_copy(GstBuffer *original);

// Releases the original that waits for the next frame. Call when no further frame comes.
void vit_release_shared_frame(void);

#pragma clang assume_nonnull end
