// Frames on their way from a decoder to a sink: macros and static inline functions of buffers, memory and metas.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// A sample with other times, no DTS and no duration: in the output only a buffer's time counts. It shares the memory of
// the original, which goes back to its pool when the new sample is released. `caps` replaces the sample's own, unless
// null. With `copies`, frames in dmabufs are copied. Null for a sample without a buffer.
GstSample *_Nullable vit_sample_restamped(
    GstSample *sample, GstCaps *_Nullable caps, gboolean copies, uint64_t pts, uint64_t offset, uint64_t offset_end);

// In a probe of a sink's pad, on its streaming thread: gives the sink the same frame, beginning by `delay` later and
// lasting for `duration`. The original goes back to its pool when the sink releases that frame. Blocks as the sink does.
void vit_pass_later(GstPad *pad, GstBuffer *original, GstClockTime delay, GstClockTime duration);

// Reads caps of video or pictures; FALSE for all others, which GStreamer's own function logs as an error.
gboolean vit_video_info(GstVideoInfo *info, GstCaps *caps);

// A copy of caps with a text field, or without it where `value` is null.
GstCaps *vit_caps_with_text(GstCaps *caps, const char *name, const char *_Nullable value);
// A copy of caps with another shape of pixels; 0 and 0 leave the shape open.
GstCaps *vit_caps_with_pixel_aspect(GstCaps *caps, gint numerator, gint denominator);

// Answers an ALLOCATION query that no element downstream answers: frames may have any strides, and `least` of them are
// held behind the decoder. GStreamer 1.22 only: appsink answers none.
void vit_answer_allocation(GstQuery *query, guint least);

// Makes a stateless decoder keep its format when it is asked to negotiate again; no effect on other elements.
// GStreamer 1.22 only: such decoders then reallocate their buffers, and fail while the old ones are in use (VP9), or
// allocate twice as many (HEVC). Linking elements behind them causes that; their output format stays the same.
void vit_ask_once(GstElement *decoder);

// Answers a hardware decoder in place of the elements behind it. GStreamer 1.26: a decoder whose stream is described
// before its first frame (H.264 in MP4) queries before it is linked to any of the player's elements.
// - Which frames are accepted: those in plain memory. They are in dmabufs too and go to a plane unchanged, and can be
//   read where the film has to be turned, composed or captured. Hardware frames ("DMA_DRM") are accepted only from
//   decoders that produce nothing else: tiled ones.
// - How many frames are held, where the decoder produces hardware frames: `least` as above. It fails at once unless it
//   is told that any strides will do.
void vit_answer_for_hardware(GstElement *decoder, guint least);

// Restricts the output of a decoder that vit_answer_for_hardware answers to these caps, from now on. For its source
// pad.
void vit_wish_of_decoder(GstPad *pad, GstCaps *wish);

// The caps of the frames that are decoded from a stream of these caps: raw ones of eight or ten bits; null where they
// aren't fixed.
GstCaps *_Nullable vit_caps_of_decoded(GstCaps *caps);

// The output caps of a factory's elements, from their templates; empty where there is no such factory.
GstCaps *vit_factory_source_caps(const char *name);

// All hardware layouts in the caps, each followed by a comma; to be freed.
char *vit_caps_drm_formats(GstCaps *caps);

// The largest size of hardware frames that the caps allow; FALSE where they don't say.
gboolean vit_caps_largest(GstCaps *caps, gint *width, gint *height);

// Both vit_ask_once and vit_answer_for_hardware, for a stateless decoder whose frames aren't held; no effect on other
// elements.
void vit_prepare_stateless(GstElement *element);

gboolean vit_buffer_is_dmabuf(GstBuffer *buffer);

// Whether fixed caps are of hardware frames ("DMA_DRM", or VA-API's own memory), and their layout, borrowed from the
// caps; null where they don't say. Newer versions of GStreamer take such caps for video of unknown size.
// GStreamer 1.22 only: they are no video at all to it. Neither version is asked.
gboolean vit_caps_are_for_hardware(GstCaps *caps);

// The same two for the caps of an ALLOCATION query.
gboolean vit_query_is_for_hardware(GstQuery *query);
const char *_Nullable vit_caps_drm_format(GstCaps *caps);

// These caps for frames in plain memory of that format.
GstCaps *vit_caps_as_plain(GstCaps *caps, const char *format);

// These caps without hardware frames.
GstCaps *vit_caps_without_hardware(GstCaps *caps);

// The same buffer under the caps of vit_caps_as_plain.
GstSample *vit_sample_as_plain(GstSample *sample, const char *format);
gsize vit_buffer_size(GstBuffer *buffer);

// The size in bytes of a frame of these caps in the memory that a sink allocates; 0 when the sink doesn't say.
gsize vit_sink_frame_size(GstElement *sink, GstCaps *caps);

// A copy without padding between its planes, at least `size` bytes long; null where the frame can't be read. Takes no
// reference.
GstBuffer *_Nullable vit_buffer_packed(GstBuffer *buffer, GstCaps *caps, gsize size);

// In a probe for buffers: replaces the buffer. Takes the new buffer's reference.
void vit_replace_buffer(GstPadProbeInfo *info, GstBuffer *buffer);
// In a probe for events: replaces the caps.
void vit_replace_caps(GstPadProbeInfo *info, GstCaps *caps);

// In a probe for events: completes caps of a stream that names its colours in part. The missing values are those that
// are usual for the picture's height: BT.709 above 576 lines, BT.601 below.
void vit_complete_colorimetry(GstPadProbeInfo *info);

// In a probe for buffers: marks the part of the frame that is to be shown.
void vit_show_part(GstPadProbeInfo *info, guint x, guint y, guint width, guint height);

// The sample with its whole frame, whatever part is to be shown. GStreamer 1.22 only: its conversion crops twice as
// much at the bottom and at the right as the crop rectangle says. With a reference for the caller.
GstSample *vit_sample_whole(GstSample *sample);
// The part of a frame that is to be shown; FALSE for all of it.
gboolean vit_shown_part(GstBuffer *buffer, guint *x, guint *y, guint *width, guint *height);

#pragma clang assume_nonnull end
