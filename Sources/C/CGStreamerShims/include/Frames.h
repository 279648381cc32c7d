// Frames on their way from a decoder to a sink: macros and static inline functions of buffers, memory and metas.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The sample with other times, no DTS and no duration: in the output, a buffer's time is all that counts. The memory is
// that of the original, which goes back to its pool when this one is let go. `caps` in the place of its own, unless null.
// With `copies`, what is in a dmabuf is copied. Null for a sample without a buffer.
GstSample *_Nullable vit_sample_restamped(
    GstSample *sample, GstCaps *_Nullable caps, gboolean copies, uint64_t pts, uint64_t offset, uint64_t offset_end);

// What caps of video or pictures say of a frame; FALSE for all others, which GStreamer's own function logs as an error.
gboolean vit_video_info(GstVideoInfo *info, GstCaps *caps);

// A copy of caps with a text field, or without it where `value` is null.
GstCaps *vit_caps_with_text(GstCaps *caps, const char *name, const char *_Nullable value);
// A copy of caps with another shape of pixels; 0 and 0 leave the shape open.
GstCaps *vit_caps_with_pixel_aspect(GstCaps *caps, gint numerator, gint denominator);

// Answers an ALLOCATION query that nobody downstream answers (appsink 1.22): frames may have any strides, and `least` of them
// are held behind the decoder.
void vit_answer_allocation(GstQuery *query, guint least);

// A stateless decoder of GStreamer's keeps its format when it is asked for it again; other elements are left alone. Those of 1.22 make
// their buffers anew then, and fail where those before are in use (VP9), or make twice as many (HEVC). Linking behind them asks; what
// they give stays what it was.
void vit_ask_once(GstElement *decoder);

// Answers a decoder in hardware in the place of what comes behind it. From GStreamer 1.26 on one whose stream is described before its
// first frame (H.264 in MP4) asks before it is linked to anything of ours.
// - Which frames are taken: those in plain memory. They lie in dmabufs too and go to a plane as they are, and can be read where the film
//   is to be turned, composed or looked at. Frames for hardware ("DMA_DRM") come from decoders that give nothing else: tiles.
// - How many are held, where it gives frames for hardware: `least` as above. It fails at once where nobody says that any strides will do.
void vit_answer_for_hardware(GstElement *decoder, guint least);

// From now on a decoder of several kinds of memory that is answered for gives what is among these, and nothing else. For its source pad.
void vit_wish_of_decoder(GstPad *pad, GstCaps *wish);

// What a stream's own caps say of the frames that are decoded from it: raw ones of eight or ten bits; null where they aren't fixed.
GstCaps *_Nullable vit_caps_of_decoded(GstCaps *caps);

// What elements of this factory can give, by their templates; empty where there is no such factory.
GstCaps *vit_factory_source_caps(const char *name);

// All layouts for hardware in caps, each with a comma behind it; to be freed.
char *vit_caps_drm_formats(GstCaps *caps);

// The most that is taken of frames for hardware; FALSE where caps don't say.
gboolean vit_caps_largest(GstCaps *caps, gint *width, gint *height);

// Both of them for a stateless decoder whose frames nobody holds; other elements are left alone.
void vit_prepare_stateless(GstElement *element);

gboolean vit_buffer_is_dmabuf(GstBuffer *buffer);

// Whether fixed caps are of frames for hardware ("DMA_DRM", or VA-API's own memory), and how these lie; borrowed from the caps, null where they don't say.
// Newer GStreamers take such caps for video of no known size, 1.22 for none at all: nothing asks either of them.
gboolean vit_caps_are_for_hardware(GstCaps *caps);

// The same of what an ALLOCATION query asks for.
gboolean vit_query_is_for_hardware(GstQuery *query);
const char *_Nullable vit_caps_drm_format(GstCaps *caps);

// The same caps for frames in plain memory of that format.
GstCaps *vit_caps_as_plain(GstCaps *caps, const char *format);

// Without what is for hardware.
GstCaps *vit_caps_without_hardware(GstCaps *caps);

// The same buffer under such caps.
GstSample *vit_sample_as_plain(GstSample *sample, const char *format);
gsize vit_buffer_size(GstBuffer *buffer);

// How many bytes a frame of these caps has in the memory that a sink makes for it; 0 when it doesn't say.
gsize vit_sink_frame_size(GstElement *sink, GstCaps *caps);

// A copy without padding between its planes, `size` bytes long at least; null where the frame can't be read. Takes nothing
// over.
GstBuffer *_Nullable vit_buffer_packed(GstBuffer *buffer, GstCaps *caps, gsize size);

// In a probe for buffers: another one in the place of this. Takes it over.
void vit_replace_buffer(GstPadProbeInfo *info, GstBuffer *buffer);
// In a probe for events: other caps.
void vit_replace_caps(GstPadProbeInfo *info, GstCaps *caps);

// In a probe for events: caps of a stream that says its colours in part say all of them. What is missing is what pictures of
// that height have as a rule: BT.709 above 576 lines, BT.601 else.
void vit_complete_colorimetry(GstPadProbeInfo *info);

// In a probe for buffers: only this part of the frame is to be shown.
void vit_show_part(GstPadProbeInfo *info, guint x, guint y, guint width, guint height);

// The sample with all of its frame, whatever is to be shown of it: GStreamer 1.22's conversion cuts twice as much off at the bottom
// and at the right as the crop rectangle says. With a reference for the caller.
GstSample *vit_sample_whole(GstSample *sample);
// Which part of a frame is to be shown; FALSE for all of it.
gboolean vit_shown_part(GstBuffer *buffer, guint *x, guint *y, guint *width, guint *height);

#pragma clang assume_nonnull end
