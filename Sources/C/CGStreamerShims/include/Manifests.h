// Manifests of adaptive streams (HLS, DASH, Smooth Streaming) where none is wanted.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Keeps a playbin from playing what a manifest names: one that turns up, wherever in the file, is an error as a file of no known
// kind is, and nothing reaches the demultiplexer that would open other files. Before it starts.
void vit_refuse_manifests(GstElement *playbin);

#pragma clang assume_nonnull end
