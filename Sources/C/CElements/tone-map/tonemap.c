#include "tone-map.h"

#include "crew.h"
#include "lattice.h"
#include <gst/video/gstvideofilter.h>
#include <gst/video/video.h>
#include <math.h>
#include <string.h>

GST_DEBUG_CATEGORY_STATIC(tone_map_debug);
#define GST_CAT_DEFAULT tone_map_debug

enum {
    MOST_NODES = 129,
    // Codes of the deepest format: 12 bits.
    MOST_CODES = 1 << 12,
    // A small picture is done before helpers have woken: below this many pixels one thread does the work.
    SMALL = 320 * 240,
    // More threads would only wait for memory.
    MOST_THREADS = 4,
};

// A lattice that frames on their way may still use after the next one was set.
typedef struct {
    gint references;
    vit_lattice lattice;
} Table;

typedef struct {
    GstVideoFilter parent;

    // Set before the filter is linked.
    guint reduction;

    // Guards `given`.
    GMutex lock;
    Table *given;

    // Used by the streaming thread: the table for the current caps.
    Table *table;
    vit_crew *crew;
    int crew_width;
    // By code. Not inside of the object, because GObject's instances have less than 64 kB.
    vit_place *luma_places, *chroma_places;
} VitToneMap;

typedef GstVideoFilterClass VitToneMapClass;

G_DEFINE_TYPE(VitToneMap, vit_tone_map, GST_TYPE_VIDEO_FILTER)

#define SELF(object) ((VitToneMap *)(object))

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE(
    "sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_VIDEO_CAPS_MAKE(VIT_TONE_MAP_FORMATS)));
static GstStaticPadTemplate source_template = GST_STATIC_PAD_TEMPLATE(
    "src", GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS(GST_VIDEO_CAPS_MAKE("{ NV12, I420 }")));

// --- Tables -----------------------------------------------------------------------------------------------------------

static void table_unref(Table *table) {
    if (!table || !g_atomic_int_dec_and_test(&table->references)) return;
    g_aligned_free(table->lattice.nodes);
    g_free(table);
}

static Table *given_table(VitToneMap *self) {
    g_mutex_lock(&self->lock);
    Table *table = self->given;
    if (table) g_atomic_int_inc(&table->references);
    g_mutex_unlock(&self->lock);
    return table;
}

gboolean vit_tone_map_set_reduction(GstElement *filter, guint reduction) {
    if (!G_TYPE_CHECK_INSTANCE_TYPE(filter, vit_tone_map_get_type()) || reduction < 1 || reduction > 2) return FALSE;
    SELF(filter)->reduction = reduction;
    return TRUE;
}

gboolean vit_tone_map_set_table(GstElement *filter, const float *nodes, guint luma_nodes, guint chroma_nodes) {
    if (!G_TYPE_CHECK_INSTANCE_TYPE(filter, vit_tone_map_get_type())) return FALSE;
    if (luma_nodes < 2 || luma_nodes > MOST_NODES || chroma_nodes < 3 || chroma_nodes > MOST_NODES) return FALSE;
    if (chroma_nodes % 2 == 0) return FALSE;
    gsize count = (gsize)luma_nodes * chroma_nodes * chroma_nodes;
    Table *table = g_new0(Table, 1);
    table->references = 1;
    table->lattice.luma_nodes = (int)luma_nodes;
    table->lattice.chroma_nodes = (int)chroma_nodes;
    table->lattice.nodes = g_aligned_alloc(count, sizeof(vit_node), sizeof(vit_node));
    for (gsize i = 0; i < count; i++)
        for (int lane = 0; lane < 4; lane++) {
            float value = nodes[i * 4 + (gsize)lane];
            // Interpolated values then are valid codes, and frames need no check: 255 plus a threshold below 1 stays
            // 255.
            table->lattice.nodes[i][lane] = value >= 0 ? MIN(value, 255) : 0;
        }
    VitToneMap *self = SELF(filter);
    g_mutex_lock(&self->lock);
    Table *old = self->given;
    self->given = table;
    g_mutex_unlock(&self->lock);
    table_unref(old);
    return TRUE;
}

static vit_place place(float position, int nodes) {
    // Written so that a position that is NaN gives the first node.
    float inside = position >= 0 ? MIN(position, (float)(nodes - 1)) : 0;
    int index = MIN((int)inside, nodes - 2);
    return (vit_place){.index = (uint16_t)index, .fraction = inside - (float)index};
}

// Finds the place of each code of that depth and range.
static void find_places(VitToneMap *self, const GstVideoInfo *info) {
    int depth = (int)GST_VIDEO_INFO_COMP_DEPTH(info, 0), codes = 1 << depth;
    gboolean is_full = info->colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
    float unit = (float)(1 << (depth - 8));
    float black = is_full ? 0 : 16 * unit, luma_range = is_full ? (float)(codes - 1) : 219 * unit;
    float grey = 128 * unit, chroma_range = is_full ? (float)(codes - 1) : 224 * unit;
    const vit_lattice *lattice = &self->table->lattice;
    float middle = (float)(lattice->chroma_nodes - 1) / 2;
    for (int code = 0; code < codes; code++) {
        float luma = ((float)code - black) / luma_range, chroma = ((float)code - grey) / chroma_range;
        self->luma_places[code] = place(luma * (float)(lattice->luma_nodes - 1), lattice->luma_nodes);
        float u = sqrtf(2 * fabsf(chroma));
        self->chroma_places[code] = place(middle + middle * (chroma < 0 ? -u : u), lattice->chroma_nodes);
    }
}

// --- Caps -------------------------------------------------------------------------------------------------------------

static void set_side(GstStructure *to, const char *name, guint reduction) {
    int value;
    if (reduction == 1) return;
    if (gst_structure_get_int(to, name, &value))
        gst_structure_set(to, name, G_TYPE_INT, MAX(1, value / (int)reduction), NULL);
    else
        gst_structure_set(to, name, GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
}

static GstCaps *transform_caps(GstBaseTransform *base, GstPadDirection direction, GstCaps *caps, GstCaps *filter) {
    guint reduction = SELF(base)->reduction;
    GstCaps *formats = gst_static_pad_template_get_caps(direction == GST_PAD_SINK ? &source_template : &sink_template);
    const GValue *list = gst_structure_get_value(gst_caps_get_structure(formats, 0), "format");
    GstCaps *result = gst_caps_new_empty();
    for (guint i = 0; i < gst_caps_get_size(caps); i++) {
        GstStructure *structure = gst_structure_copy(gst_caps_get_structure(caps, i));
        gst_structure_set_value(structure, "format", list);
        gst_structure_remove_fields(structure, "colorimetry", "mastering-display-info", "content-light-level", NULL);
        if (direction == GST_PAD_SINK) {
            gst_structure_set(structure, "colorimetry", G_TYPE_STRING, GST_VIDEO_COLORIMETRY_BT709, NULL);
            set_side(structure, "width", reduction);
            set_side(structure, "height", reduction);
        } else if (reduction > 1) {
            gst_structure_set(
                structure, "width", GST_TYPE_INT_RANGE, 1, G_MAXINT, "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, NULL);
        }
        gst_caps_append_structure(result, structure);
    }
    gst_caps_unref(formats);
    if (!filter) return result;
    GstCaps *filtered = gst_caps_intersect_full(filter, result, GST_CAPS_INTERSECT_FIRST);
    gst_caps_unref(result);
    return filtered;
}

static void drop_crew(VitToneMap *self) {
    g_clear_pointer(&self->crew, vit_crew_free);
    self->crew_width = 0;
}

static gboolean set_info(
    GstVideoFilter *filter, GstCaps *in_caps, GstVideoInfo *in, GstCaps *out_caps, GstVideoInfo *out) {
    VitToneMap *self = SELF(filter);
    table_unref(self->table);
    self->table = given_table(self);
    if (!self->table) {
        GST_ERROR_OBJECT(self, "no table was given");
        return FALSE;
    }
    int width = GST_VIDEO_INFO_WIDTH(out), height = GST_VIDEO_INFO_HEIGHT(out), reduction = (int)self->reduction;
    if (width != MAX(1, GST_VIDEO_INFO_WIDTH(in) / reduction)) return FALSE;
    if (height != MAX(1, GST_VIDEO_INFO_HEIGHT(in) / reduction)) return FALSE;
    find_places(self, in);
    unsigned threads = MIN(MOST_THREADS, g_get_num_processors());
    if ((gint64)width * height <= SMALL) threads = 1;
    if (self->crew && self->crew_width == width) return TRUE;
    drop_crew(self);
    self->crew = vit_crew_new(threads - 1, width);
    self->crew_width = width;
    return TRUE;
}

static gboolean stop(GstBaseTransform *base) {
    VitToneMap *self = SELF(base);
    drop_crew(self);
    g_clear_pointer(&self->table, table_unref);
    return TRUE;
}

// --- Frames -----------------------------------------------------------------------------------------------------------

static vit_plane_in plane_in(const GstVideoFrame *frame, guint component) {
    int bytes = GST_VIDEO_FRAME_COMP_DEPTH(frame, component) > 8 ? 2 : 1;
    const uint8_t *data = GST_VIDEO_FRAME_COMP_DATA(frame, component);
    // GStreamer 1.22 only: it says that Cr of P010 begins one byte after Cb, in the middle of a sample.
    if (component == 2 && GST_VIDEO_FRAME_COMP_PLANE(frame, 1) == GST_VIDEO_FRAME_COMP_PLANE(frame, 2))
        data = (const uint8_t *)GST_VIDEO_FRAME_COMP_DATA(frame, 1) + bytes;
    return (vit_plane_in){
        .data = data,
        .stride = GST_VIDEO_FRAME_COMP_STRIDE(frame, component),
        .width = GST_VIDEO_FRAME_COMP_WIDTH(frame, component),
        .height = GST_VIDEO_FRAME_COMP_HEIGHT(frame, component),
        .step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component) / bytes,
    };
}

static vit_plane_out plane_out(const GstVideoFrame *frame, guint component) {
    return (vit_plane_out){
        .data = GST_VIDEO_FRAME_COMP_DATA(frame, component),
        .stride = GST_VIDEO_FRAME_COMP_STRIDE(frame, component),
        .step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component),
    };
}

static GstFlowReturn transform_frame(GstVideoFilter *filter, GstVideoFrame *in, GstVideoFrame *out) {
    VitToneMap *self = SELF(filter);
    const GstVideoFormatInfo *format = in->info.finfo;
    int reduction = (int)self->reduction;
    vit_picture picture = {
        .lattice = &self->table->lattice,
        .luma_places = self->luma_places,
        .chroma_places = self->chroma_places,
        .code_mask = (uint16_t)((1 << GST_VIDEO_FORMAT_INFO_DEPTH(format, 0)) - 1),
        .shift = (int)GST_VIDEO_FORMAT_INFO_SHIFT(format, 0),
        .is_wide = GST_VIDEO_FORMAT_INFO_DEPTH(format, 0) > 8,
        .y = plane_in(in, 0),
        .cb = plane_in(in, 1),
        .cr = plane_in(in, 2),
        .luma_factor = reduction,
        .chroma_factor_x = (2 >> GST_VIDEO_FORMAT_INFO_W_SUB(format, 1)) * reduction,
        .chroma_factor_y = (2 >> GST_VIDEO_FORMAT_INFO_H_SUB(format, 1)) * reduction,
        .to_y = plane_out(out, 0),
        .to_cb = plane_out(out, 1),
        .to_cr = plane_out(out, 2),
        .width = GST_VIDEO_FRAME_WIDTH(out),
        .height = GST_VIDEO_FRAME_HEIGHT(out),
    };
    vit_crew_map(self->crew, &picture);
    return GST_FLOW_OK;
}

// --- The class --------------------------------------------------------------------------------------------------------

static void finalize(GObject *object) {
    VitToneMap *self = SELF(object);
    drop_crew(self);
    table_unref(self->table);
    table_unref(self->given);
    g_free(self->luma_places);
    g_free(self->chroma_places);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(vit_tone_map_parent_class)->finalize(object);
}

static void vit_tone_map_init(VitToneMap *self) {
    g_mutex_init(&self->lock);
    self->reduction = 1;
    self->luma_places = g_new0(vit_place, MOST_CODES);
    self->chroma_places = g_new0(vit_place, MOST_CODES);
}

static void vit_tone_map_class_init(VitToneMapClass *type) {
    G_OBJECT_CLASS(type)->finalize = finalize;
    GstElementClass *element = GST_ELEMENT_CLASS(type);
    gst_element_class_set_static_metadata(
        element, "HDR to SDR", "Filter/Effect/Video", "Maps PQ and HLG pictures to 8 bits by a table", "Vitrine");
    gst_element_class_add_static_pad_template(element, &sink_template);
    gst_element_class_add_static_pad_template(element, &source_template);
    GstBaseTransformClass *base = GST_BASE_TRANSFORM_CLASS(type);
    base->transform_caps = transform_caps;
    base->stop = stop;
    base->passthrough_on_same_caps = FALSE;
    type->set_info = set_info;
    type->transform_frame = transform_frame;
}

gboolean vit_tone_map_register(void) {
    GST_DEBUG_CATEGORY_INIT(tone_map_debug, "vitrinetonemap", 0, "HDR to SDR");
    return gst_element_register(NULL, "vitrinetonemap", GST_RANK_NONE, vit_tone_map_get_type());
}
