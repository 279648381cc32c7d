// A GStreamer video filter that converts HDR frames to 8 bits by a given table. In C, because an element is a GObject
// class with virtual functions, which Swift can't define; and because it touches every pixel of a film.
//
// The table's content, and its reasons: Sources/PlaybackCore/Colour, docs/decisions/0067-hdr-to-sdr.md.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Registers the filter ("vitrinetonemap") with GStreamer. Call once, after gst_init.
gboolean vit_tone_map_register(void);

// Sets by how much pictures are scaled down each way: 1, or 2, where each pixel is the mean of four. Call before the
// filter is linked. Returns false for other numbers, or for an element that isn't this filter.
gboolean vit_tone_map_set_reduction(GstElement *filter, guint reduction);

// Sets the table from the next caps on. Any thread; at least once before the first caps.
//
// `nodes` is copied. Four numbers a node: Y', Cb, Cr as 8-bit codes, and one that isn't used. Y' runs fastest, then Cr,
// then Cb. `luma_nodes` are evenly spaced from black to white. `chroma_nodes` (odd) run from -1/2 to 1/2, close
// together around grey, where skin tones are: with u evenly spaced from -1 to 1, at sign(u) * u * u / 2.
//
// Returns false for counts outside of 2...129, or for an element that isn't this filter.
gboolean vit_tone_map_set_table(GstElement *filter, const float *nodes, guint luma_nodes, guint chroma_nodes);

// The formats that the filter maps, as caps text: these need no conversion before it.
#define VIT_TONE_MAP_FORMATS                                                                                           \
    "{ P010_10LE, I420_10LE, I420_12LE, I422_10LE, I422_12LE, Y444_10LE, Y444_12LE, NV12, I420, Y42B, Y444 }"

#pragma clang assume_nonnull end
