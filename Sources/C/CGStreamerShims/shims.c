#include "CGStreamerShims.h"

#include <string.h>

// --- GObject properties ------------------------------------------------------------------------------------

void vit_set_string(gpointer object, const char *name, const char *value) { g_object_set(object, name, value, NULL); }
void vit_set_int(gpointer object, const char *name, gint value) { g_object_set(object, name, value, NULL); }
void vit_set_uint64(gpointer object, const char *name, uint64_t value) { g_object_set(object, name, value, NULL); }
void vit_set_int64(gpointer object, const char *name, int64_t value) { g_object_set(object, name, value, NULL); }
void vit_set_bool(gpointer object, const char *name, gboolean value) { g_object_set(object, name, value, NULL); }
void vit_set_double(gpointer object, const char *name, double value) { g_object_set(object, name, value, NULL); }
void vit_set_object(gpointer object, const char *name, gpointer value) { g_object_set(object, name, value, NULL); }
void vit_set_caps(gpointer object, const char *name, GstCaps *caps) { g_object_set(object, name, caps, NULL); }

gint vit_get_int(gpointer object, const char *name)
{
    gint value = 0;
    g_object_get(object, name, &value, NULL);
    return value;
}

char *vit_get_string(gpointer object, const char *name)
{
    gchar *value = NULL;
    g_object_get(object, name, &value, NULL);
    return value;
}

GstElement *vit_get_element(gpointer object, const char *name)
{
    GstElement *element = NULL;
    g_object_get(object, name, &element, NULL);
    return element;
}

gboolean vit_has_property(gpointer object, const char *name)
{
    return g_object_class_find_property(G_OBJECT_GET_CLASS(object), name) != NULL;
}

// --- GStreamer macros ----------------------------------------------------------------------------------------

GstMessageType vit_message_type(GstMessage *message) { return GST_MESSAGE_TYPE(message); }
GstObject *vit_message_source(GstMessage *message) { return GST_MESSAGE_SRC(message); }
GstEventType vit_event_type(GstEvent *event) { return GST_EVENT_TYPE(event); }
void vit_replace_event(GstPadProbeInfo *info, GstEvent *event)
{
    gst_event_unref(GST_PAD_PROBE_INFO_EVENT(info));
    info->data = event;
}
void vit_overwrite(GstPadProbeInfo *info, gsize offset, gsize count)
{
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    gst_buffer_memset(buffer, offset, 0, count);
    info->data = buffer;
}
void vit_replace_bytes(GstPadProbeInfo *info, const guint8 *bytes, gsize count)
{
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    gst_buffer_fill(buffer, 0, bytes, count);
    info->data = buffer;
}
GstQueryType vit_query_type(GstQuery *query) { return GST_QUERY_TYPE(query); }
GstClockTime vit_buffer_pts(GstBuffer *buffer) { return GST_BUFFER_PTS(buffer); }
GstClockTime vit_buffer_duration(GstBuffer *buffer) { return GST_BUFFER_DURATION(buffer); }
gboolean vit_buffer_is_interlaced(GstBuffer *buffer)
{
    return GST_BUFFER_FLAG_IS_SET(buffer, GST_VIDEO_BUFFER_FLAG_INTERLACED);
}

// A 3D film of two half pictures is shown as it is, as on any plain screen: decoders would stretch its pixels to the
// size that one half has for one eye.
static void show_both_eyes(GstStructure *structure)
{
    const char *mode = gst_structure_get_string(structure, "multiview-mode");
    if (!mode) return;
    gint width = 1, height = 1;
    gst_structure_get_fraction(structure, "pixel-aspect-ratio", &width, &height);
    gboolean is_wide = width > 0 && height > 0 && width * 2 >= height * 3, is_tall = width > 0 && height * 2 >= width * 3;
    gboolean is_beside = g_str_has_prefix(mode, "side-by-side") || g_str_equal(mode, "column-interleaved");
    gboolean is_above = g_str_equal(mode, "top-bottom") || g_str_equal(mode, "row-interleaved");
    if (is_beside && is_wide)
        gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, width, height * 2, NULL);
    else if (is_above && is_tall)
        gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, width * 2, height, NULL);
    if (is_beside || is_above || g_str_equal(mode, "checkerboard"))
        gst_structure_remove_fields(structure, "multiview-mode", "multiview-flags", NULL);
}

static void repair_structure(GstStructure *structure)
{
    gint numerator, denominator;
    show_both_eyes(structure);
    if (gst_structure_get_fraction(structure, "pixel-aspect-ratio", &numerator, &denominator) && numerator < 0)
        gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, -numerator, denominator, NULL);
    const char *name = gst_structure_get_string(structure, "format");
    const GstVideoFormatInfo *format = name ? gst_video_format_get_info(gst_video_format_from_string(name)) : NULL;
    const char *colours = gst_structure_get_string(structure, "colorimetry");
    GstVideoColorimetry colorimetry;
    if (!format || !GST_VIDEO_FORMAT_INFO_IS_YUV(format) || !colours ||
        !gst_video_colorimetry_from_string(&colorimetry, colours) || colorimetry.range != GST_VIDEO_COLOR_RANGE_UNKNOWN)
        return;
    colorimetry.range = GST_VIDEO_COLOR_RANGE_16_235;
    char *limited = gst_video_colorimetry_to_string(&colorimetry);
    if (limited) gst_structure_set(structure, "colorimetry", G_TYPE_STRING, limited, NULL);
    g_free(limited);
}

void vit_repair_caps(GstPadProbeInfo *info)
{
    GstEvent *event = gst_pad_probe_info_get_event(info);
    if (!event || GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return;
    GstCaps *caps = NULL;
    gst_event_parse_caps(event, &caps);
    if (!gst_caps_is_fixed(caps) || !gst_structure_has_name(gst_caps_get_structure(caps, 0), "video/x-raw")) return;
    GstCaps *right = gst_caps_copy(caps);
    repair_structure(gst_caps_get_structure(right, 0));
    if (!gst_caps_is_strictly_equal(right, caps)) vit_replace_caps(info, right);
    gst_caps_unref(right);
}

void vit_prefer_factory(const char *better, const char *usual)
{
    GstElementFactory *first = gst_element_factory_find(better), *second = gst_element_factory_find(usual);
    if (first && second)
        gst_plugin_feature_set_rank(
            GST_PLUGIN_FEATURE(first), gst_plugin_feature_get_rank(GST_PLUGIN_FEATURE(second)) + 1);
    g_clear_object(&first);
    g_clear_object(&second);
}


// The values of playback's own enumeration, which no header of GStreamer declares.
enum { SELECT_TRY = 0, SELECT_SKIP = 2 };

static gint skip_pictures(GstElement *bin, GstPad *pad, GstCaps *caps, GstElementFactory *factory, gpointer data)
{
    (void)bin, (void)factory, (void)data;
    if (gst_caps_is_empty(caps) || gst_caps_is_any(caps)
        || !g_str_has_prefix(gst_structure_get_name(gst_caps_get_structure(caps, 0)), "image/"))
        return SELECT_TRY;
    // The bin asks with a ghost pad that stands for the element's.
    GstPad *own = GST_IS_GHOST_PAD(pad) ? gst_ghost_pad_get_target(GST_GHOST_PAD(pad)) : gst_object_ref(pad);
    GstElement *from = own ? gst_pad_get_parent_element(own) : NULL;
    gst_clear_object(&own);
    if (!from) return SELECT_TRY;
    GstElementFactory *made_by = gst_element_get_factory(from);
    const char *klass = made_by ? gst_element_factory_get_metadata(made_by, GST_ELEMENT_METADATA_KLASS) : NULL;
    // The element that has recognised the bytes: the typefinder, or one that has removed a tag.
    gboolean is_by_bytes = made_by
        && (g_str_equal(GST_OBJECT_NAME(made_by), "typefind") || (klass && strstr(klass, "Metadata")));
    gst_object_unref(from);
    return is_by_bytes ? SELECT_SKIP : SELECT_TRY;
}

void vit_leave_pictures_out(GstElement *part)
{
    GstElementFactory *factory = gst_element_get_factory(part);
    if (factory && g_str_equal(GST_OBJECT_NAME(factory), "decodebin"))
        g_signal_connect(part, "autoplug-select", G_CALLBACK(skip_pictures), NULL);
}

GstClockTime vit_stream_time(GstPad *pad, GstBuffer *buffer)
{
    GstEvent *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    if (!event) return GST_CLOCK_TIME_NONE;
    const GstSegment *segment;
    gst_event_parse_segment(event, &segment);
    GstClockTime time = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, GST_BUFFER_PTS(buffer));
    gst_event_unref(event);
    return time;
}

GstBin *vit_bin(gpointer object) { return GST_BIN_CAST(object); }
const char *vit_factory_name(GstElementFactory *factory) { return GST_OBJECT_NAME(factory); }
void vit_query_unref(GstQuery *query) { gst_query_unref(query); }
GstCaps *vit_caps_ref(GstCaps *caps) { return gst_caps_ref(caps); }
void vit_caps_unref(GstCaps *caps) { gst_caps_unref(caps); }
GstSample *vit_sample_ref(GstSample *sample) { return gst_sample_ref(sample); }
void vit_sample_unref(GstSample *sample) { gst_sample_unref(sample); }
void vit_message_unref(GstMessage *message) { gst_message_unref(message); }

GstVideoOverlayComposition *vit_composition_new(
    const void *pixels, gint x, gint y, guint width, guint height, gboolean is_yuv)
{
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, (gsize)width * height * 4, NULL);
    if (!buffer)
        return NULL;
    gst_buffer_fill(buffer, 0, pixels, (gsize)width * height * 4);
    gst_buffer_add_video_meta(
        buffer, GST_VIDEO_FRAME_FLAG_NONE,
        is_yuv ? GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_YUV : GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, width, height);
    GstVideoOverlayRectangle *rectangle = gst_video_overlay_rectangle_new_raw(
        buffer, x, y, width, height,
        is_yuv ? GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE : GST_VIDEO_OVERLAY_FORMAT_FLAG_PREMULTIPLIED_ALPHA);
    gst_buffer_unref(buffer);
    GstVideoOverlayComposition *composition = gst_video_overlay_composition_new(rectangle);
    gst_video_overlay_rectangle_unref(rectangle);
    return composition;
}

GstVideoOverlayComposition *vit_composition_ref(GstVideoOverlayComposition *composition)
{
    return gst_video_overlay_composition_ref(composition);
}

void vit_composition_unref(GstVideoOverlayComposition *composition)
{
    gst_video_overlay_composition_unref(composition);
}

gboolean vit_caps_are_yuv(GstCaps *caps)
{
    GstVideoInfo info;
    return vit_video_info(&info, caps) && GST_VIDEO_INFO_IS_YUV(&info);
}

void vit_push_bytes(GstElement *appsrc, const void *bytes, gsize size, uint64_t pts, uint64_t duration)
{
    GstBuffer *buffer = gst_buffer_new_memdup(bytes, size);
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DURATION(buffer) = duration;
    gst_app_src_push_buffer(GST_APP_SRC_CAST(appsrc), buffer); // takes the buffer
}

GstBuffer *vit_picture_buffer(
    const void *pixels, gsize size, GstVideoFormat format, guint width, guint height, gint stride, uint64_t pts,
    uint64_t duration, gpointer owner, GDestroyNotify release)
{
    // Read-only, so that no element writes into the decoder's memory.
    GstBuffer *buffer =
        gst_buffer_new_wrapped_full(GST_MEMORY_FLAG_READONLY, (gpointer)pixels, size, 0, size, owner, release);
    const gsize offsets[GST_VIDEO_MAX_PLANES] = {0};
    const gint strides[GST_VIDEO_MAX_PLANES] = {stride};
    gst_buffer_add_video_meta_full(
        buffer, GST_VIDEO_FRAME_FLAG_NONE, format, width, height, 1, (gsize *)offsets, (gint *)strides);
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DURATION(buffer) = duration;
    return buffer;
}

void vit_buffer_unref(GstBuffer *buffer) { gst_buffer_unref(buffer); }

void vit_give_wayland_display(GstElement *element, const char *context_type, void *display)
{
    GstContext *context = gst_context_new(context_type, TRUE);
    // Up to 1.24 the field is "handle", later "display"; a sink reads the one that it knows.
    gst_structure_set(gst_context_writable_structure(context), "handle", G_TYPE_POINTER, display, "display",
                      G_TYPE_POINTER, display, NULL);
    gst_element_set_context(element, context);
    gst_context_unref(context);
}

guint vit_stream_flags(GstElement *playbin, const char *signal, gint index)
{
    GstPad *pad = NULL;
    g_signal_emit_by_name(playbin, signal, index, &pad);
    GstEvent *event = pad ? gst_pad_get_sticky_event(pad, GST_EVENT_STREAM_START, 0) : NULL;
    GstStreamFlags flags = GST_STREAM_FLAG_NONE;
    if (event) gst_event_parse_stream_flags(event, &flags);
    gboolean is_known = event != NULL;
    g_clear_pointer(&event, gst_event_unref);
    g_clear_pointer(&pad, gst_object_unref);
    return is_known ? (guint)flags : G_MAXUINT;
}

char *vit_stream_id(GstElement *playbin, const char *signal, gint index)
{
    GstPad *pad = NULL;
    g_signal_emit_by_name(playbin, signal, index, &pad);
    char *id = pad ? gst_pad_get_stream_id(pad) : NULL;
    g_clear_pointer(&pad, gst_object_unref);
    return id;
}

void vit_activate_stream(GstElement *playbin, const char *signal, gint index)
{
    GstPad *pad = NULL;
    g_signal_emit_by_name(playbin, signal, index, &pad);
    if (!pad) return;
    GstObject *selector = gst_object_get_parent(GST_OBJECT(pad));
    if (selector) g_object_set(selector, "active-pad", pad, NULL);
    g_clear_pointer(&selector, gst_object_unref);
    gst_object_unref(pad);
}

GstTagList *vit_stream_tags(GstElement *playbin, const char *signal, gint index)
{
    GstTagList *tags = NULL;
    g_signal_emit_by_name(playbin, signal, index, &tags);
    return tags;
}

char *vit_tag_string(const GstTagList *tags, const char *tag)
{
    gchar *value = NULL;
    return gst_tag_list_get_string(tags, tag, &value) ? value : NULL;
}

void vit_tags_unref(GstTagList *tags) { gst_tag_list_unref(tags); }

GstSample *vit_last_sample(GstElement *sink)
{
    GstSample *sample = NULL;
    g_object_get(sink, "last-sample", &sample, NULL);
    return sample;
}

// --- Watching what a sink does with a buffer --------------------------------------------------------------------

typedef struct {
    GstPadChainFunction chain;
    vit_rendered_func func;
    gpointer data;
    GDestroyNotify destroy;
    guint64 rendered;
} RenderWatch;

static void render_watch_free(gpointer data)
{
    RenderWatch *watch = data;
    watch->destroy(watch->data);
    g_free(watch);
}

static guint64 rendered_count(GstBaseSink *sink)
{
    guint64 count = 0;
    GstStructure *stats = gst_base_sink_get_stats(sink);
    gst_structure_get_uint64(stats, "rendered", &count);
    gst_structure_free(stats);
    return count;
}

static GstFlowReturn watching_chain(GstPad *pad, GstObject *parent, GstBuffer *buffer)
{
    RenderWatch *watch = pad->chaindata;
    guint64 offset = GST_BUFFER_OFFSET(buffer), offset_end = GST_BUFFER_OFFSET_END(buffer);
    GstClockTime pts = GST_BUFFER_PTS(buffer);
    GstFlowReturn flow = watch->chain(pad, parent, buffer); // takes the buffer
    if (flow == GST_FLOW_OK) {
        guint64 count = rendered_count(GST_BASE_SINK_CAST(parent));
        watch->func(watch->data, offset, offset_end, pts, count != watch->rendered);
        watch->rendered = count;
    }
    return flow;
}

void vit_watch_rendering(GstElement *sink, vit_rendered_func func, gpointer data, GDestroyNotify destroy)
{
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    if (!pad) {
        destroy(data);
        return;
    }
    RenderWatch *watch = g_new0(RenderWatch, 1);
    *watch = (RenderWatch){.chain = GST_PAD_CHAINFUNC(pad), .func = func, .data = data, .destroy = destroy};
    gst_pad_set_chain_function_full(pad, watching_chain, watch, render_watch_free);
    gst_object_unref(pad);
}

void vit_context_unref(GstContext *context) { gst_context_unref(context); }

GstClock *vit_clock_new(gint64 ahead)
{
    GstClock *clock = g_object_new(GST_TYPE_SYSTEM_CLOCK, "clock-type", GST_CLOCK_TYPE_MONOTONIC, NULL);
    gst_object_ref_sink(clock);
    // A clock's times are never negative: a clock that is behind counts from a later zero.
    GstClockTime internal = ahead < 0 ? (GstClockTime)-ahead : 0;
    gst_clock_set_calibration(clock, internal, ahead > 0 ? (GstClockTime)ahead : 0, 1, 1);
    return clock;
}
