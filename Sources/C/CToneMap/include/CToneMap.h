// A video filter of GStreamer's that brings HDR frames to 8 bits by a table that it is given. In C, because an element is a
// GObject class with virtual functions, which Swift can't make; and because it touches every pixel of a film.
//
// What stands in the table, and why: Sources/PlaybackCore/Colour, docs/decisions/0067-hdr-to-sdr.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Makes the filter ("vitrinetonemap") known to GStreamer. After gst_init; once.
gboolean vit_tone_map_register(void);

// Says how many pixels in, each way, make one out: 1, or 2, and then each pixel is the mean of four. Before the filter is linked.
// Returns false for other numbers, or no filter of ours.
gboolean vit_tone_map_set_reduction(GstElement *filter, guint reduction);

// What frames are mapped by from the next caps on. Any thread; before the first caps at least once.
//
// `nodes` is copied. Four numbers a node: Y', Cb, Cr as 8-bit codes, and one that isn't used. Y' runs fastest, then Cr, then Cb.
// `luma_nodes` are evenly spaced from black to white. `chroma_nodes` (odd) run from -1/2 to 1/2, close together around grey,
// where faces are: with u evenly spaced from -1 to 1, at sign(u) * u * u / 2.
//
// Returns false for counts out of 2...129, or no filter of ours.
gboolean vit_tone_map_set_table(GstElement *filter, const float *nodes, guint luma_nodes, guint chroma_nodes);

// What the filter maps, as caps text: formats that need no conversion before it.
#define VIT_TONE_MAP_FORMATS                                                                                           \
    "{ P010_10LE, I420_10LE, I420_12LE, I422_10LE, I422_12LE, Y444_10LE, Y444_12LE, NV12, I420, Y42B, Y444 }"

#pragma clang assume_nonnull end
