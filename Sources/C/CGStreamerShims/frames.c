#include "CGStreamerShims.h"
#include "FramePool.h"
#include "Frames.h"
#include "SharedFrames.h"

#include <gst/allocators/gstdmabuf.h>
#include <string.h>

// --- A frame with a time of its own ------------------------------------------------------------------------------

typedef struct {
    GstBuffer *buffer;
    GstMapInfo map;
} View;

static void view_free(gpointer data)
{
    View *view = data;
    gst_buffer_unmap(view->buffer, &view->map);
    gst_buffer_unref(view->buffer);
    g_free(view);
}

static void copy_video_meta(GstBuffer *to, GstBuffer *from)
{
    GstVideoMeta *meta = gst_buffer_get_video_meta(from);
    if (!meta) return;
    GstVideoMeta *copy = gst_buffer_add_video_meta_full(
        to, meta->flags, meta->format, meta->width, meta->height, meta->n_planes, meta->offset, meta->stride);
    if (copy) gst_video_meta_set_alignment(copy, meta->alignment);
}

// A buffer that shares its memory with another one can't go back to its pool while both live, and one that a copy keeps
// by a parent-buffer meta is released while the copy still holds the memory: pools throw such buffers away. So this
// makes a new GstMemory over the same bytes, and releases the original when that memory is freed.
static GstBuffer *view_of(GstBuffer *original)
{
    View *view = g_new0(View, 1);
    if (!gst_buffer_map(original, &view->map, GST_MAP_READ)) {
        g_free(view);
        return NULL;
    }
    view->buffer = gst_buffer_ref(original);
    GstBuffer *buffer = gst_buffer_new_wrapped_full(
        GST_MEMORY_FLAG_READONLY, view->map.data, view->map.size, 0, view->map.size, view, view_free);
    gst_buffer_copy_into(buffer, original, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_META, 0, -1);
    // Metas aren't copied without the memory.
    copy_video_meta(buffer, original);
    return buffer;
}

// The same memory, which a sink recognises. V4L2 pools take their buffers back with it.
static GstBuffer *copy_of(GstBuffer *original)
{
    GstBuffer *buffer = gst_buffer_copy(original);
    gst_buffer_add_parent_buffer_meta(buffer, original);
    return buffer;
}

static gboolean is_plain_memory(GstBuffer *buffer)
{
    if (gst_buffer_n_memory(buffer) != 1) return FALSE;
    GstMemory *memory = gst_buffer_peek_memory(buffer, 0);
    return gst_memory_is_type(memory, GST_ALLOCATOR_SYSMEM) || vit_is_pool_memory(memory);
}

// A buffer with the same memory for other times. The original goes back to its pool when this one is freed.
static GstBuffer *retimed_of(GstBuffer *original)
{
    GstBuffer *view = is_plain_memory(original) ? view_of(original) : NULL;
    if (view) return view;
    return vit_is_shared_frame(original) ? vit_shared_frame_copy(original) : copy_of(original);
}

void vit_pass_later(GstPad *pad, GstBuffer *original, GstClockTime delay, GstClockTime duration)
{
    GstBuffer *later = retimed_of(original);
    GST_BUFFER_PTS(later) = GST_BUFFER_PTS(original) + delay;
    GST_BUFFER_DTS(later) = GST_CLOCK_TIME_NONE;
    GST_BUFFER_DURATION(later) = duration;
    // A flush that comes meanwhile is told by the next buffer, too.
    (void)gst_pad_chain(pad, later);
}

GstSample *vit_sample_restamped(
    GstSample *sample, GstCaps *caps, gboolean copies, uint64_t pts, uint64_t offset, uint64_t offset_end)
{
    GstBuffer *original = gst_sample_get_buffer(sample);
    if (!original) return NULL;
    GstBuffer *buffer = NULL;
    if (copies && vit_buffer_is_dmabuf(original)) buffer = vit_buffer_packed(original, gst_sample_get_caps(sample), 0);
    if (!buffer) buffer = retimed_of(original);
    GST_BUFFER_PTS(buffer) = pts;
    GST_BUFFER_DTS(buffer) = GST_CLOCK_TIME_NONE;
    GST_BUFFER_DURATION(buffer) = GST_CLOCK_TIME_NONE;
    GST_BUFFER_OFFSET(buffer) = offset;
    GST_BUFFER_OFFSET_END(buffer) = offset_end;
    GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_DISCONT);
    GstSample *stamped = gst_sample_new(buffer, caps ? caps : gst_sample_get_caps(sample), NULL, NULL);
    gst_buffer_unref(buffer);
    return stamped;
}

GstCaps *vit_caps_with_text(GstCaps *caps, const char *name, const char *value)
{
    GstCaps *copy = gst_caps_copy(caps);
    for (guint i = 0; i < gst_caps_get_size(copy); i++) {
        GstStructure *structure = gst_caps_get_structure(copy, i);
        if (value) gst_structure_set(structure, name, G_TYPE_STRING, value, NULL);
        else gst_structure_remove_field(structure, name);
    }
    return copy;
}

GstCaps *vit_caps_with_pixel_aspect(GstCaps *caps, gint numerator, gint denominator)
{
    GstCaps *copy = gst_caps_copy(caps);
    for (guint i = 0; i < gst_caps_get_size(copy); i++) {
        GstStructure *structure = gst_caps_get_structure(copy, i);
        if (numerator > 0 && denominator > 0)
            gst_structure_set(structure, "pixel-aspect-ratio", GST_TYPE_FRACTION, numerator, denominator, NULL);
        else gst_structure_remove_field(structure, "pixel-aspect-ratio");
    }
    return copy;
}

// --- Frames for hardware --------------------------------------------------------------------------------------------

static gboolean is_for_hardware(GstCaps *caps, guint index)
{
    const GstStructure *structure = gst_caps_get_structure(caps, index);
    // VA-API's own memory: the processor sees only a handle.
    GstCapsFeatures *features = gst_caps_get_features(caps, index);
    if (features && !gst_caps_features_is_any(features) && gst_caps_features_contains(features, "memory:VAMemory")) return TRUE;
    const GValue *format = gst_structure_get_value(structure, "format");
    if (!format) return FALSE;
    if (G_VALUE_HOLDS_STRING(format)) return g_strcmp0(g_value_get_string(format), "DMA_DRM") == 0;
    // DMA_DRM stands alone in a list: its layouts are in another field.
    if (!GST_VALUE_HOLDS_LIST(format) || gst_value_list_get_size(format) != 1) return FALSE;
    const GValue *only = gst_value_list_get_value(format, 0);
    return G_VALUE_HOLDS_STRING(only) && g_strcmp0(g_value_get_string(only), "DMA_DRM") == 0;
}

gboolean vit_caps_are_for_hardware(GstCaps *caps)
{
    return gst_caps_is_fixed(caps) && is_for_hardware(caps, 0);
}

gboolean vit_query_is_for_hardware(GstQuery *query)
{
    GstCaps *caps = NULL;
    if (GST_QUERY_TYPE(query) != GST_QUERY_ALLOCATION) return FALSE;
    gst_query_parse_allocation(query, &caps, NULL);
    return caps && vit_caps_are_for_hardware(caps);
}

const char *vit_caps_drm_format(GstCaps *caps)
{
    return gst_structure_get_string(gst_caps_get_structure(caps, 0), "drm-format");
}

char *vit_caps_drm_formats(GstCaps *caps)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < gst_caps_get_size(caps); i++) {
        const GValue *formats = gst_structure_get_value(gst_caps_get_structure(caps, i), "drm-format");
        if (!formats) continue;
        if (G_VALUE_HOLDS_STRING(formats)) g_string_append_printf(text, "%s,", g_value_get_string(formats));
        if (!GST_VALUE_HOLDS_LIST(formats)) continue;
        for (guint n = 0; n < gst_value_list_get_size(formats); n++) {
            const GValue *format = gst_value_list_get_value(formats, n);
            if (G_VALUE_HOLDS_STRING(format)) g_string_append_printf(text, "%s,", g_value_get_string(format));
        }
    }
    return g_string_free(text, FALSE);
}

gboolean vit_caps_largest(GstCaps *caps, gint *width, gint *height)
{
    *width = *height = 0;
    for (guint i = 0; i < gst_caps_get_size(caps); i++) {
        const GValue *across = gst_structure_get_value(gst_caps_get_structure(caps, i), "width");
        const GValue *down = gst_structure_get_value(gst_caps_get_structure(caps, i), "height");
        if (!is_for_hardware(caps, i) || !across || !down) continue;
        if (!GST_VALUE_HOLDS_INT_RANGE(across) || !GST_VALUE_HOLDS_INT_RANGE(down)) continue;
        *width = MAX(*width, gst_value_get_int_range_max(across));
        *height = MAX(*height, gst_value_get_int_range_max(down));
    }
    return *width > 0 && *height > 0;
}

GstCaps *vit_caps_of_decoded(GstCaps *caps)
{
    static const char *fields[] = {
        "width", "height", "framerate", "pixel-aspect-ratio", "interlace-mode", "colorimetry",
    };
    if (!gst_caps_is_fixed(caps)) return NULL;
    const GstStructure *coded = gst_caps_get_structure(caps, 0);
    // All parsers report ten bits.
    guint depth = 8;
    if (!gst_structure_get_uint(coded, "bit-depth-luma", &depth)) depth = 8;
    GstStructure *raw =
        gst_structure_new("video/x-raw", "format", G_TYPE_STRING, depth > 8 ? "P010_10LE" : "NV12", NULL);
    for (guint i = 0; i < G_N_ELEMENTS(fields); i++) {
        const GValue *value = gst_structure_get_value(coded, fields[i]);
        if (value) gst_structure_set_value(raw, fields[i], value);
    }
    // The parser of H.264 tells of fields in words of its own, and the decoder then leaves it to each frame.
    if (g_strcmp0(gst_structure_get_string(coded, "coded-picture-structure"), "field") == 0)
        gst_structure_set(raw, "interlace-mode", G_TYPE_STRING, "mixed", NULL);
    return gst_caps_new_full(raw, NULL);
}

GstCaps *vit_factory_source_caps(const char *name)
{
    GstCaps *caps = gst_caps_new_empty();
    GstElementFactory *factory = gst_element_factory_find(name);
    if (!factory) return caps;
    for (const GList *link = gst_element_factory_get_static_pad_templates(factory); link; link = link->next) {
        GstStaticPadTemplate *template = link->data;
        if (template->direction == GST_PAD_SRC) caps = gst_caps_merge(caps, gst_static_pad_template_get_caps(template));
    }
    gst_object_unref(factory);
    return caps;
}

GstCaps *vit_caps_as_plain(GstCaps *caps, const char *format)
{
    GstCaps *plain = gst_caps_copy(caps);
    gst_caps_set_features_simple(plain, NULL);
    GstStructure *structure = gst_caps_get_structure(plain, 0);
    gst_structure_remove_field(structure, "drm-format");
    gst_structure_set(structure, "format", G_TYPE_STRING, format, NULL);
    return plain;
}

GstCaps *vit_caps_without_hardware(GstCaps *caps)
{
    GstCaps *plain = gst_caps_copy(caps);
    for (guint i = gst_caps_get_size(plain); i > 0; i--)
        if (is_for_hardware(plain, i - 1)) gst_caps_remove_structure(plain, i - 1);
    return plain;
}

GstSample *vit_sample_as_plain(GstSample *sample, const char *format)
{
    GstCaps *plain = vit_caps_as_plain(gst_sample_get_caps(sample), format);
    GstSample *copy = gst_sample_new(gst_sample_get_buffer(sample), plain, gst_sample_get_segment(sample), NULL);
    gst_caps_unref(plain);
    return copy;
}

gboolean vit_video_info(GstVideoInfo *info, GstCaps *caps)
{
    if (gst_caps_is_empty(caps) || gst_caps_is_any(caps)) return FALSE;
    const gchar *name = gst_structure_get_name(gst_caps_get_structure(caps, 0));
    return (g_str_has_prefix(name, "video/") || g_str_has_prefix(name, "image/")) && gst_video_info_from_caps(info, caps);
}

// --- Answers to decoders ----------------------------------------------------------------------------------------

void vit_answer_allocation(GstQuery *query, guint least)
{
    if (!gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL))
        gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, NULL);
    if (gst_query_get_n_allocation_pools(query) > 0) return;
    GstCaps *caps = NULL;
    gboolean wants_pool = FALSE;
    gst_query_parse_allocation(query, &caps, &wants_pool);
    GstVideoInfo info;
    if (caps && vit_caps_are_for_hardware(caps)) {
        // Only the decoder knows what hardware frames need, and has a pool of its own, so no size is given.
        gst_query_add_allocation_pool(query, NULL, 1, least, 0);
        return;
    }
    if (!caps || !vit_video_info(&info, caps)) return;
    // With a pool, and not only with its numbers. GStreamer 1.22 only: stateless decoders refuse to go on without one
    // when they ask again in the middle of a stream, and would make copies.
    GstBufferPool *pool = vit_frame_pool_new();
    GstStructure *config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, GST_VIDEO_INFO_SIZE(&info), least, 0);
    gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
    if (gst_buffer_pool_set_config(pool, config))
        gst_query_add_allocation_pool(query, pool, GST_VIDEO_INFO_SIZE(&info), least, 0);
    gst_object_unref(pool);
}

// Decoders for which GStreamer, and not the driver, keeps the state of each picture.
static gboolean is_stateless(GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory && g_str_has_prefix(GST_OBJECT_NAME(factory), "v4l2sl");
}

static GstPadProbeReturn ask_once(GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
    (void)data;
    GstEvent *event = gst_pad_probe_info_get_event(info);
    // Checks the flag, and thereby clears it.
    if (event && GST_EVENT_TYPE(event) == GST_EVENT_RECONFIGURE && gst_pad_has_current_caps(pad))
        gst_pad_check_reconfigure(pad);
    return GST_PAD_PROBE_OK;
}

void vit_ask_once(GstElement *decoder)
{
    GstPad *out = is_stateless(decoder) ? gst_element_get_static_pad(decoder, "src") : NULL;
    if (!out) return;
    gst_pad_add_probe(out, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, ask_once, NULL, NULL);
    gst_object_unref(out);
}

// The caps without hardware frames, where others are left. GStreamer 1.26: decoders choose hardware frames whenever
// they may, wherever in the caps these stand.
static GstCaps *plain_if_any(GstCaps *caps)
{
    GstCaps *plain = vit_caps_without_hardware(caps);
    if (!gst_caps_is_empty(plain)) return plain;
    gst_caps_unref(plain);
    return gst_caps_ref(caps);
}

static GQuark wish_quark(void) { return g_quark_from_static_string("vitrine-decoder-wish"); }

static gpointer ref_wish(gpointer wish, gpointer data)
{
    (void)data;
    return wish ? gst_caps_ref(wish) : NULL;
}

static void drop_wish(gpointer wish) { gst_caps_unref(wish); }

void vit_wish_of_decoder(GstPad *pad, GstCaps *wish)
{
    g_object_set_qdata_full(G_OBJECT(pad), wish_quark(), gst_caps_ref(wish), drop_wish);
}

// Answers with the caps that a decoder of several kinds of memory is to produce, also to a query without a filter: an
// unanswered query means "anything" to VA-API decoders, which then read their frames back.
static GstPadProbeReturn ask_for(GstCaps *wish, GstPad *pad, GstPadProbeInfo *info, GstQuery *query)
{
    GstCaps *caps = NULL;
    gboolean is_answered = GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_PULL;
    if (!is_answered && gst_pad_is_linked(pad)) return GST_PAD_PROBE_OK;
    if (is_answered) gst_query_parse_caps_result(query, &caps);
    else gst_query_parse_caps(query, &caps);
    GstCaps *answer = caps ? gst_caps_intersect_full(caps, wish, GST_CAPS_INTERSECT_FIRST) : gst_caps_ref(wish);
    gst_query_set_caps_result(query, answer);
    gst_caps_unref(answer);
    return is_answered ? GST_PAD_PROBE_OK : GST_PAD_PROBE_HANDLED;
}

// Called before the query is passed on, and after it.
static GstPadProbeReturn prefer_plain(GstPad *pad, GstPadProbeInfo *info, GstQuery *query)
{
    GstCaps *caps = NULL;
    if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_PULL) {
        gst_query_parse_caps_result(query, &caps);
        if (!caps || gst_caps_is_any(caps)) return GST_PAD_PROBE_OK;
    } else {
        if (gst_pad_is_linked(pad)) return GST_PAD_PROBE_OK;
        gst_query_parse_caps(query, &caps);
        if (!caps || gst_caps_is_any(caps)) return GST_PAD_PROBE_OK;
    }
    GstCaps *plain = plain_if_any(caps);
    gst_query_set_caps_result(query, plain);
    gst_caps_unref(plain);
    return GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_PULL ? GST_PAD_PROBE_OK : GST_PAD_PROBE_HANDLED;
}

static GstPadProbeReturn answer_for_hardware(GstPad *pad, GstPadProbeInfo *info, gpointer least)
{
    GstQuery *query = gst_pad_probe_info_get_query(info);
    if (query && GST_QUERY_TYPE(query) == GST_QUERY_CAPS) {
        GstCaps *wish = g_object_dup_qdata(G_OBJECT(pad), wish_quark(), ref_wish, NULL);
        if (!wish) return prefer_plain(pad, info, query);
        GstPadProbeReturn result = ask_for(wish, pad, info, query);
        gst_caps_unref(wish);
        return result;
    }
    if (!query || !vit_query_is_for_hardware(query)) return GST_PAD_PROBE_OK;
    vit_answer_allocation(query, GPOINTER_TO_UINT(least));
    return GST_PAD_PROBE_HANDLED;
}

void vit_answer_for_hardware(GstElement *decoder, guint least)
{
    GstPad *out = gst_element_get_static_pad(decoder, "src");
    if (!out) return;
    gst_pad_add_probe(out, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer_for_hardware, GUINT_TO_POINTER(least), NULL);
    gst_object_unref(out);
}

void vit_prepare_stateless(GstElement *element)
{
    if (!is_stateless(element)) return;
    vit_ask_once(element);
    vit_answer_for_hardware(element, 1);
}

// --- Frames for sinks ------------------------------------------------------------------------------------------------

gboolean vit_buffer_is_dmabuf(GstBuffer *buffer)
{
    return gst_buffer_n_memory(buffer) > 0 && gst_memory_is_type(gst_buffer_peek_memory(buffer, 0), GST_ALLOCATOR_DMABUF);
}

gsize vit_buffer_size(GstBuffer *buffer) { return gst_buffer_get_size(buffer); }

static gsize size_in(GstBufferPool *pool)
{
    GstBuffer *buffer = NULL;
    if (!gst_buffer_pool_set_active(pool, TRUE)) return 0;
    gsize size = 0;
    if (gst_buffer_pool_acquire_buffer(pool, &buffer, NULL) == GST_FLOW_OK) {
        size = gst_buffer_get_size(buffer);
        gst_buffer_unref(buffer);
    }
    gst_buffer_pool_set_active(pool, FALSE);
    return size;
}

gsize vit_sink_frame_size(GstElement *sink, GstCaps *caps)
{
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    if (!pad) return 0;
    gsize size = 0;
    GstQuery *query = gst_query_new_allocation(caps, TRUE);
    if (gst_pad_query(pad, query) && gst_query_get_n_allocation_pools(query) > 0) {
        GstBufferPool *pool = NULL;
        gst_query_parse_nth_allocation_pool(query, 0, &pool, NULL, NULL, NULL);
        if (pool) {
            size = size_in(pool);
            gst_object_unref(pool);
        }
    }
    gst_query_unref(query);
    gst_object_unref(pad);
    return size;
}

GstBuffer *vit_buffer_packed(GstBuffer *buffer, GstCaps *caps, gsize size)
{
    GstVideoInfo info;
    if (vit_caps_are_for_hardware(caps) || !vit_video_info(&info, caps)) return NULL;
    GstBuffer *packed = gst_buffer_new_allocate(NULL, MAX(size, GST_VIDEO_INFO_SIZE(&info)), NULL);
    if (!packed) return NULL;
    gst_buffer_add_video_meta_full(
        packed, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
        GST_VIDEO_INFO_HEIGHT(&info), GST_VIDEO_INFO_N_PLANES(&info), info.offset, info.stride);
    GstVideoFrame from, to;
    gboolean is_copied = FALSE;
    if (gst_video_frame_map(&from, &info, buffer, GST_MAP_READ)) {
        if (gst_video_frame_map(&to, &info, packed, GST_MAP_WRITE)) {
            is_copied = gst_video_frame_copy(&to, &from);
            gst_video_frame_unmap(&to);
        }
        gst_video_frame_unmap(&from);
    }
    if (!is_copied) {
        gst_buffer_unref(packed);
        return NULL;
    }
    gst_buffer_copy_into(packed, buffer, GST_BUFFER_COPY_FLAGS | GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
    return packed;
}

void vit_replace_buffer(GstPadProbeInfo *info, GstBuffer *buffer)
{
    gst_buffer_unref(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
}

void vit_replace_caps(GstPadProbeInfo *info, GstCaps *caps)
{
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    GstEvent *other = gst_event_new_caps(caps);
    gst_event_set_seqnum(other, gst_event_get_seqnum(event));
    vit_replace_event(info, other);
}

void vit_complete_colorimetry(GstPadProbeInfo *info)
{
    enum { MOST_LINES_OF_SD = 576 };
    GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS) return;
    GstCaps *caps = NULL;
    gst_event_parse_caps(event, &caps);
    const GstStructure *structure = gst_caps_get_structure(caps, 0);
    const char *told = gst_structure_get_string(structure, "colorimetry");
    GstVideoColorimetry colours;
    gint height = 0;
    if (!told || !gst_video_colorimetry_from_string(&colours, told)) return;
    gst_structure_get_int(structure, "height", &height);
    gboolean is_sd = height > 0 && height <= MOST_LINES_OF_SD;
    if (colours.range == GST_VIDEO_COLOR_RANGE_UNKNOWN) colours.range = GST_VIDEO_COLOR_RANGE_16_235;
    if (colours.matrix == GST_VIDEO_COLOR_MATRIX_UNKNOWN)
        colours.matrix = is_sd ? GST_VIDEO_COLOR_MATRIX_BT601 : GST_VIDEO_COLOR_MATRIX_BT709;
    if (colours.transfer == GST_VIDEO_TRANSFER_UNKNOWN)
        colours.transfer = is_sd ? GST_VIDEO_TRANSFER_BT601 : GST_VIDEO_TRANSFER_BT709;
    if (colours.primaries == GST_VIDEO_COLOR_PRIMARIES_UNKNOWN)
        colours.primaries = is_sd ? GST_VIDEO_COLOR_PRIMARIES_SMPTE170M : GST_VIDEO_COLOR_PRIMARIES_BT709;
    char *whole = gst_video_colorimetry_to_string(&colours);
    if (whole && strcmp(whole, told) != 0) {
        GstCaps *right = vit_caps_with_text(caps, "colorimetry", whole);
        vit_replace_caps(info, right);
        gst_caps_unref(right);
    }
    g_free(whole);
}

void vit_show_part(GstPadProbeInfo *info, guint x, guint y, guint width, guint height)
{
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    GST_PAD_PROBE_INFO_DATA(info) = buffer;
    GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta(buffer);
    if (!crop) {
        crop = gst_buffer_add_video_crop_meta(buffer);
        *crop = (GstVideoCropMeta){.meta = crop->meta};
    }
    crop->x += x;
    crop->y += y;
    crop->width = width;
    crop->height = height;
}

gboolean vit_shown_part(GstBuffer *buffer, guint *x, guint *y, guint *width, guint *height)
{
    GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta(buffer);
    if (!crop) return FALSE;
    *x = crop->x;
    *y = crop->y;
    *width = crop->width;
    *height = crop->height;
    return TRUE;
}

GstSample *vit_sample_whole(GstSample *sample)
{
    GstBuffer *buffer = gst_sample_get_buffer(sample);
    if (!buffer || !gst_buffer_get_video_crop_meta(buffer)) return gst_sample_ref(sample);
    GstBuffer *whole = gst_buffer_copy(buffer);
    GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta(whole);
    if (crop) gst_buffer_remove_meta(whole, &crop->meta);
    GstSample *copy = gst_sample_new(whole, gst_sample_get_caps(sample), gst_sample_get_segment(sample), NULL);
    gst_buffer_unref(whole);
    return copy;
}
