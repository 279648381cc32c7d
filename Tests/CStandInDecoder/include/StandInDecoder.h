// A decoder and a processor as GStreamer's plugin "va" has them, without a device: vah264dec,
// vah265dec, vavp9dec and vapostproc.
#pragma once

#include <gst/gst.h>

// What they do, as an environment would have it; null leaves a thing at its default.
//
//   STAND_IN_DECODES  layouts that the decoder gives, with commas (default: "NV12:0x0100000000000002")
//   STAND_IN_WRITES   layouts that the processor writes (default: "NV12"); empty for no processor
//   STAND_IN_CARD     a card whose dumb buffers the frames lie in; without one they lie in files without a name
//   STAND_IN_FAILS    ways that end with an error in place of the first picture, with commas: "untouched,processed,downloaded"
//   STAND_IN_DIES     each decoder ends with an error after so many pictures
//
// With a rank of 0 nothing takes the decoder of itself.
gboolean stand_in_register(GstPlugin *plugin, guint rank);
