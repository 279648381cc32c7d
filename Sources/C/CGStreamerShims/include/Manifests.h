// Refuses manifests of adaptive streams (HLS, DASH, Smooth Streaming) where none is wanted.
#pragma once

#include <gst/gst.h>

#pragma clang assume_nonnull begin

// Stops a playbin from playing the addresses in a manifest: a manifest, wherever in the file it is found, gives the
// error of an unknown format, and no data reaches the demultiplexer that would open other files. Call before the
// playbin starts.
void vit_refuse_manifests(GstElement *playbin);

#pragma clang assume_nonnull end
