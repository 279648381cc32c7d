// The parts of GStreamer that Swift can't use by itself: macros, variadic functions, and the one place where a pad's
// chain function is wrapped. Each entry gives its reason.
#pragma once

#include "FramePool.h"
#include "Frames.h"
#include "Manifests.h"
#include "DecodeCheck.h"
#include "LibraryLog.h"
#include "MediaProbe.h"
#include "Poster.h"
#include "QueueLevels.h"
#include "SharedFrames.h"
#include "SourceSettings.h"
#include "UnseenFrames.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/base/gstbasesink.h>
#include <gst/gst.h>
#include <gst/video/video.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// --- GObject properties: g_object_set is variadic ----------------------------------------------------------

void vit_set_string(gpointer object, const char *name, const char *_Nullable value);
void vit_set_int(gpointer object, const char *name, gint value);
void vit_set_uint64(gpointer object, const char *name, uint64_t value);
void vit_set_int64(gpointer object, const char *name, int64_t value);
void vit_set_bool(gpointer object, const char *name, gboolean value);
void vit_set_double(gpointer object, const char *name, double value);
void vit_set_object(gpointer object, const char *name, gpointer _Nullable value);
void vit_set_caps(gpointer object, const char *name, GstCaps *caps);
gint vit_get_int(gpointer object, const char *name);
// A text property, to be freed with g_free; null when it isn't set. Only for text properties.
char *_Nullable vit_get_string(gpointer object, const char *name);
// An element in a property, with a reference for the caller; null without one.
GstElement *_Nullable vit_get_element(gpointer object, const char *name);
gboolean vit_has_property(gpointer object, const char *name);

// --- GStreamer macros ---------------------------------------------------------------------------------------

// Stops a decodebin from decoding a stream as a picture by its own bytes, at the start or after a tag: such a decoder
// can't be cancelled. Pictures that a container announces are frames of a film. No effect on other elements.
void vit_leave_pictures_out(GstElement *part);

GstMessageType vit_message_type(GstMessage *message);
GstObject *_Nullable vit_message_source(GstMessage *message);
GstEventType vit_event_type(GstEvent *event);
// In a probe for events: replaces the event, and takes the new one's reference.
void vit_replace_event(GstPadProbeInfo *info, GstEvent *event);
// Whether frames of these caps have a readable alpha channel.
gboolean vit_has_plain_alpha(GstCaps *caps);
// In a probe for buffers of the pad: draws a colour (0xRRGGBB) behind the frame.
void vit_fill_behind(GstPadProbeInfo *probe, GstPad *pad, guint32 colour);
// Gives PCM in the header of an MP4 the names that qtdemux knows. True where the buffer contained such PCM; the
// header's first bytes may come alone before it. `is_swapped` is set where its samples have the other byte order.
gboolean vit_name_pcm(GstPadProbeInfo *info, gboolean *is_swapped);
// Reverses the bytes of each sample in a buffer of that pad.
void vit_swap_samples(GstPadProbeInfo *info, GstPad *pad);
// In a probe for buffers: writes zeros over a part of the buffer.
void vit_overwrite(GstPadProbeInfo *info, gsize offset, gsize count);
// In a probe for buffers: replaces the buffer's first bytes.
void vit_replace_bytes(GstPadProbeInfo *info, const guint8 *bytes, gsize count);
GstQueryType vit_query_type(GstQuery *query);
GstClockTime vit_buffer_pts(GstBuffer *buffer);
GstClockTime vit_buffer_duration(GstBuffer *buffer);
// Whether a video frame holds two fields: a flag of the video library.
gboolean vit_buffer_is_interlaced(GstBuffer *buffer);
// A buffer's stream time, by the pad's current segment.
GstClockTime vit_stream_time(GstPad *pad, GstBuffer *buffer);
// In a probe for events: corrects caps of video that no converter understands rightly. YUV of unknown range is limited
// (FFmpeg's DNxHD decoder doesn't say; GStreamer's converter takes it for full), and pixels have no negative aspect
// (AVI's uncompressed RGB stored upside down).
void vit_repair_caps(GstPadProbeInfo *info);
// Ranks one factory right before another from now on, where both are installed.
void vit_prefer_factory(const char *better, const char *usual);
GstBin *vit_bin(gpointer object);
const char *_Nullable vit_factory_name(GstElementFactory *factory);
// Reference counts of mini objects are changed by static inline functions, which Swift doesn't import.
void vit_query_unref(GstQuery *query);
GstCaps *vit_caps_ref(GstCaps *caps);
void vit_caps_unref(GstCaps *caps);
GstSample *vit_sample_ref(GstSample *sample);
void vit_sample_unref(GstSample *sample);
void vit_message_unref(GstMessage *message);

// Pushes a copy of `size` bytes to an appsrc; the fields of a buffer are set by macros.
void vit_push_bytes(GstElement *appsrc, const void *bytes, gsize size, uint64_t pts, uint64_t duration);

// A buffer around decoded pixels, without a copy: their rows are `stride` bytes apart. `release` is called with `owner`
// when the pixels are no longer needed.
GstBuffer *vit_picture_buffer(
    const void *pixels, gsize size, GstVideoFormat format, guint width, guint height, gint stride, uint64_t pts,
    uint64_t duration, gpointer owner, GDestroyNotify release);
void vit_buffer_unref(GstBuffer *buffer);

// Gives a Wayland display to a sink that has asked for one by NEED_CONTEXT (GstWl*DisplayHandleContextType).
void vit_give_wayland_display(GstElement *element, const char *context_type, void *display);
void vit_context_unref(GstContext *context);

// A clock at the speed of the system's monotonic one, ahead of it by this many nanoseconds: the constructor is
// variadic.
GstClock *vit_clock_new(gint64 ahead);

// The last sample that a sink has shown, with a reference for the caller: g_object_get is variadic.
GstSample *_Nullable vit_last_sample(GstElement *sink);

// --- The overlay in the frames: counting is by static inline functions, the formats are macros ----------------------

// A picture to be drawn into frames at (x, y), copied from `pixels` (width * height of 32 bits, row by row):
// premultiplied ARGB in native byte order, or bytes A, Y, U, V, not premultiplied. Null when memory is short.
GstVideoOverlayComposition *_Nullable vit_composition_new(
    const void *pixels, gint x, gint y, guint width, guint height, gboolean is_yuv);
GstVideoOverlayComposition *vit_composition_ref(GstVideoOverlayComposition *composition);
void vit_composition_unref(GstVideoOverlayComposition *composition);
gboolean vit_caps_are_yuv(GstCaps *caps);

// --- Streams of a playbin: action signals are emitted by a variadic function --------------------------------------

// Tags of stream `index` (signal `get-audio-tags` and the like), with a reference for the caller; null without any.
GstTagList *_Nullable vit_stream_tags(GstElement *playbin, const char *signal, gint index);
// The container's GstStreamFlags of stream `index` (signal `get-audio-pad` and the like); all ones while they aren't
// known.
guint vit_stream_flags(GstElement *playbin, const char *signal, gint index);
// The id of stream `index` (signal `get-audio-pad` and the like), to be freed with g_free; null before any data.
char *_Nullable vit_stream_id(GstElement *playbin, const char *signal, gint index);
// Makes stream `index` the active one of its selector (signal `get-audio-pad` and the like); nothing without one.
void vit_activate_stream(GstElement *playbin, const char *signal, gint index);
// A string tag, to be freed with g_free; null when absent.
char *_Nullable vit_tag_string(const GstTagList *tags, const char *tag);
void vit_tags_unref(GstTagList *tags);

// --- What a sink did with a buffer ---------------------------------------------------------------------------

// Called on the streaming thread after the sink's own chain function has returned: the buffer has been synchronised,
// and rendered or dropped. `offset` and `offset_end` are the buffer's own (the bridge keeps the generation and the
// stream time there). `pts` is in the output's running time.
typedef void (*vit_rendered_func)(gpointer data, uint64_t offset, uint64_t offset_end, GstClockTime pts, gboolean rendered);

// Wraps the chain function of `sink`'s sink pad: no signal tells when a frame was shown, and a pad probe runs before
// the synchronisation. `destroy` is called with `data` when the pad is freed.
void vit_watch_rendering(GstElement *sink, vit_rendered_func func, gpointer data, GDestroyNotify destroy);

// --- The clock of a sound device --------------------------------------------------------------------------

// Called on the streaming thread, before the sink takes a buffer: the device's time since it was started, and the
// pipeline clock's, in nanoseconds.
typedef void (*vit_device_clock_func)(gpointer data, uint64_t device, uint64_t ours);

// Makes the sink play at the device's own rate, without skips, and reports both clocks to `func`. `destroy` is called
// with `data` when the sink is freed. False, with no effect, for a sink that isn't based on GstAudioBaseSink: such a
// sink keeps time itself.
gboolean vit_watch_device_clock(GstElement *sink, vit_device_clock_func func, gpointer data, GDestroyNotify destroy);

#pragma clang assume_nonnull end
