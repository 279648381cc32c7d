// What Swift cannot reach of GStreamer by itself: macros, variadic functions, and the one place where a pad's chain
// function has to be wrapped. Each entry says why it is here.
#pragma once

#include "FramePool.h"
#include "Frames.h"
#include "Manifests.h"
#include "DecodeCheck.h"
#include "LibraryLog.h"
#include "MediaProbe.h"
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
// To be freed with g_free; null when not set. Only for text properties.
char *_Nullable vit_get_string(gpointer object, const char *name);
// An element that another one has as a property, with a reference for the caller; null without one.
GstElement *_Nullable vit_get_element(gpointer object, const char *name);
gboolean vit_has_property(gpointer object, const char *name);

// --- GStreamer macros ---------------------------------------------------------------------------------------

// Has a part of a pipeline that puts decoders together (decodebin; others are left alone) take nothing for a picture that is one by its
// own bytes, at the start or behind a tag: such a decoder can't be called off. Pictures that a container has are frames of a film.
void vit_leave_pictures_out(GstElement *part);

GstMessageType vit_message_type(GstMessage *message);
GstObject *_Nullable vit_message_source(GstMessage *message);
GstEventType vit_event_type(GstEvent *event);
// In a probe for events: another one in its place, whose reference is taken over.
void vit_replace_event(GstPadProbeInfo *info, GstEvent *event);
// Whether frames of these caps have an alpha channel that can be looked at.
gboolean vit_has_plain_alpha(GstCaps *caps);
// Puts a colour (0xRRGGBB) behind the frame that passes a probe of the pad.
void vit_fill_behind(GstPadProbeInfo *probe, GstPad *pad, guint32 colour);
// Gives PCM in the header of an MP4 the names that qtdemux knows. True where the buffer had such PCM in it: the header's own first bytes come
// alone before it.
// `is_swapped` is set where its samples have the other byte order.
gboolean vit_name_pcm(GstPadProbeInfo *info, gboolean *is_swapped);
// Turns the bytes of each sample in a buffer of that pad round.
void vit_swap_samples(GstPadProbeInfo *info, GstPad *pad);
// Writes zeros over a part of the buffer that passes a probe.
void vit_overwrite(GstPadProbeInfo *info, gsize offset, gsize count);
GstQueryType vit_query_type(GstQuery *query);
GstClockTime vit_buffer_pts(GstBuffer *buffer);
GstClockTime vit_buffer_duration(GstBuffer *buffer);
// Whether a frame of video holds two fields: a flag of the video library.
gboolean vit_buffer_is_interlaced(GstBuffer *buffer);
// By the segment that a pad has now.
GstClockTime vit_stream_time(GstPad *pad, GstBuffer *buffer);
// In a probe for events: where these are caps of video that no converter understands rightly, puts right ones in their
// place. YUV whose range is unknown is limited (FFmpeg's DNxHD decoder doesn't say; GStreamer's converter takes it for
// full), and pixels have no negative aspect (AVI's uncompressed RGB that stands on its head).
void vit_repair_caps(GstPadProbeInfo *info);
// One factory is tried right before another from now on, where both are installed.
void vit_prefer_factory(const char *better, const char *usual);
GstBin *vit_bin(gpointer object);
const char *_Nullable vit_factory_name(GstElementFactory *factory);
// Counting of mini objects is by static inline functions that Swift doesn't import.
void vit_query_unref(GstQuery *query);
GstCaps *vit_caps_ref(GstCaps *caps);
void vit_caps_unref(GstCaps *caps);
GstSample *vit_sample_ref(GstSample *sample);
void vit_sample_unref(GstSample *sample);
void vit_message_unref(GstMessage *message);

// Gives a copy of `size` bytes to an appsrc; the fields of a buffer are set by macros.
void vit_push_bytes(GstElement *appsrc, const void *bytes, gsize size, uint64_t pts, uint64_t duration);

// A buffer around decoded pixels, which aren't copied: their rows lie `stride` bytes apart. `release` is called with `owner`
// when nobody needs them any more.
GstBuffer *vit_picture_buffer(
    const void *pixels, gsize size, GstVideoFormat format, guint width, guint height, gint stride, uint64_t pts,
    uint64_t duration, gpointer owner, GDestroyNotify release);
void vit_buffer_unref(GstBuffer *buffer);

// A Wayland display for a sink that asked for it by NEED_CONTEXT (GstWl*DisplayHandleContextType).
void vit_give_wayland_display(GstElement *element, const char *context_type, void *display);
void vit_context_unref(GstContext *context);

// A clock as fast as the system's monotonic one, ahead of it by so many nanoseconds: the constructor is variadic.
GstClock *vit_clock_new(gint64 ahead);

// The sample that a sink has shown last, with a reference for the caller: g_object_get is variadic.
GstSample *_Nullable vit_last_sample(GstElement *sink);

// --- The overlay in the frames: counting is by static inline functions, the formats are macros ----------------------

// A picture to be drawn into frames at (x, y), copied from `pixels` (width * height of 32 bits, row by row):
// premultiplied ARGB in native byte order, or bytes A, Y, U, V, not premultiplied. Null when there is no memory.
GstVideoOverlayComposition *_Nullable vit_composition_new(
    const void *pixels, gint x, gint y, guint width, guint height, gboolean is_yuv);
GstVideoOverlayComposition *vit_composition_ref(GstVideoOverlayComposition *composition);
void vit_composition_unref(GstVideoOverlayComposition *composition);
gboolean vit_caps_are_yuv(GstCaps *caps);

// --- Streams of a playbin: action signals are emitted by a variadic function --------------------------------------

// Tags of stream `index` (signal `get-audio-tags` and its like), with a reference for the caller; null without any.
GstTagList *_Nullable vit_stream_tags(GstElement *playbin, const char *signal, gint index);
// The container's GstStreamFlags of stream `index` (signal `get-audio-pad` and its like); all ones while they aren't known.
guint vit_stream_flags(GstElement *playbin, const char *signal, gint index);
// A string tag, to be freed with g_free; null when absent.
char *_Nullable vit_tag_string(const GstTagList *tags, const char *tag);
void vit_tags_unref(GstTagList *tags);

// --- What a sink did with a buffer ---------------------------------------------------------------------------

// Called on the streaming thread after the sink's own chain function has returned: the buffer has been
// synchronised, and rendered or dropped. `offset` and `offset_end` are the buffer's own (the bridge keeps
// the generation and the stream time there). `pts` is in the output's running time.
typedef void (*vit_rendered_func)(gpointer data, uint64_t offset, uint64_t offset_end, GstClockTime pts, gboolean rendered);

// Wraps the chain function of `sink`'s sink pad. There is no signal that tells when a frame was shown, and a
// pad probe runs before the synchronisation. `destroy` is called with `data` when the pad goes.
void vit_watch_rendering(GstElement *sink, vit_rendered_func func, gpointer data, GDestroyNotify destroy);

// --- How a sound device's clock goes --------------------------------------------------------------------------

// Called on the streaming thread, before the sink takes a buffer: how far the device has come since it was started, and how far the
// pipeline's clock, in nanoseconds.
typedef void (*vit_device_clock_func)(gpointer data, uint64_t device, uint64_t ours);

// From now on the sink gives the device what it gets at the device's own rate, without skips; `func` hears how that goes.
// `destroy` is called with `data` when the sink goes. False, and nothing happens, for a sink that isn't one of GStreamer's
// for devices: such a one keeps time by itself.
gboolean vit_watch_device_clock(GstElement *sink, vit_device_clock_func func, gpointer data, GDestroyNotify destroy);

#pragma clang assume_nonnull end
