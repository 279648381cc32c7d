#define _GNU_SOURCE
#include "surfaces.h"

#include <fcntl.h>
#include <gst/allocators/gstdmabuf.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <libdrm/drm.h>
#include <libdrm/drm_mode.h>

Surface surface_of(gint width, gint height, gboolean is_deep)
{
    gint across = GST_ROUND_UP_16(width) * (is_deep ? 2 : 1);
    return (Surface){
        .width = width, .height = height, .lines = GST_ROUND_UP_16(height), .stride = GST_ROUND_UP_128(across),
        .format = is_deep ? GST_VIDEO_FORMAT_P010_10LE : GST_VIDEO_FORMAT_NV12,
    };
}

gsize surface_size(const Surface *surface) { return (gsize)surface->stride * (gsize)surface->lines * 3 / 2; }

static int dumb_buffer(const char *path, const Surface *surface)
{
    static int card = -1;
    if (card < 0) card = open(path, O_RDWR | O_CLOEXEC);
    struct drm_mode_create_dumb create = {
        .width = (guint32)surface->stride, .height = (guint32)surface->lines * 3 / 2, .bpp = 8,
    };
    if (card < 0 || ioctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &create) != 0) return -1;
    struct drm_prime_handle prime = {.handle = create.handle, .flags = DRM_CLOEXEC | DRM_RDWR};
    int result = ioctl(card, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime);
    struct drm_mode_destroy_dumb destroy = {.handle = create.handle};
    ioctl(card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
    return result == 0 ? prime.fd : -1;
}

static int unnamed_file(gsize size)
{
    int file = memfd_create("surface", MFD_CLOEXEC);
    return file >= 0 && ftruncate(file, (off_t)size) == 0 ? file : -1;
}

typedef struct {
    GstBufferPool parent;
    Surface surface;
    gboolean is_shared;
    GstAllocator *allocator;
} Surfaces;
typedef struct {
    GstBufferPoolClass parent;
} SurfacesClass;

GType surfaces_get_type(void);
G_DEFINE_TYPE(Surfaces, surfaces, GST_TYPE_BUFFER_POOL)

static GstFlowReturn surfaces_alloc(GstBufferPool *pool, GstBuffer **made, GstBufferPoolAcquireParams *params)
{
    (void)params;
    Surfaces *self = (Surfaces *)pool;
    const Surface *surface = &self->surface;
    gsize luma = (gsize)surface->stride * (gsize)surface->lines, size = surface_size(surface);
    GstMemory *memory = NULL;
    if (self->is_shared) {
        const char *card = getenv("STAND_IN_CARD");
        int file = card ? dumb_buffer(card, surface) : unnamed_file(size);
        if (file < 0) return GST_FLOW_ERROR;
        memory = gst_dmabuf_allocator_alloc(self->allocator, file, size);
    } else {
        memory = gst_allocator_alloc(NULL, size, NULL);
    }
    *made = gst_buffer_new();
    gst_buffer_append_memory(*made, memory);
    gsize offset[GST_VIDEO_MAX_PLANES] = {0, luma};
    gint stride[GST_VIDEO_MAX_PLANES] = {surface->stride, surface->stride};
    gst_buffer_add_video_meta_full(
        *made, GST_VIDEO_FRAME_FLAG_NONE, surface->format, (guint)surface->width, (guint)surface->height, 2, offset, stride);
    return GST_FLOW_OK;
}

static void surfaces_finalize(GObject *object)
{
    gst_object_unref(((Surfaces *)object)->allocator);
    G_OBJECT_CLASS(surfaces_parent_class)->finalize(object);
}

static void surfaces_class_init(SurfacesClass *class)
{
    GST_BUFFER_POOL_CLASS(class)->alloc_buffer = surfaces_alloc;
    G_OBJECT_CLASS(class)->finalize = surfaces_finalize;
}

static void surfaces_init(Surfaces *self) { self->allocator = gst_dmabuf_allocator_new(); }

GstBufferPool *surfaces_new(const Surface *surface, gboolean is_shared)
{
    Surfaces *self = g_object_new(surfaces_get_type(), NULL);
    self->surface = *surface;
    self->is_shared = is_shared;
    GstStructure *config = gst_buffer_pool_get_config(GST_BUFFER_POOL(self));
    gst_buffer_pool_config_set_params(config, NULL, (guint)surface_size(surface), 0, 0);
    gst_buffer_pool_set_config(GST_BUFFER_POOL(self), config);
    gst_buffer_pool_set_active(GST_BUFFER_POOL(self), TRUE);
    return GST_BUFFER_POOL(self);
}

void surfaces_drop(GstBufferPool **pool)
{
    if (*pool) gst_buffer_pool_set_active(*pool, FALSE);
    g_clear_pointer((GstObject **)pool, gst_object_unref);
}

// --- The picture -----------------------------------------------------------------------------------------------------

typedef struct {
    guint8 luma, blue, red;
} Colour;

enum { BORDER = 8 };

// What a test looks for: an edge of white all round; a field of grey that changes with each frame, a blue, a green and a
// brown one; behind the picture's own rows and lines a red that nobody is to see.
static Colour colour_at(const Surface *surface, gint x, gint y, guint number)
{
    gint width = surface->width, height = surface->height;
    if (x >= width || y >= height) return (Colour){81, 90, 240};
    if (x < BORDER || y < BORDER || x >= width - BORDER || y >= height - BORDER) return (Colour){235, 128, 128};
    if (y < height / 2)
        return x < width / 2 ? (Colour){(guint8)(16 + number * 7 % 220), 128, 128} : (Colour){120, 190, 100};
    return x < width / 2 ? (Colour){120, 90, 90} : (Colour){120, 110, 170};
}

// A sample of eight bits, or the same in the upper ones of sixteen.
static void put(guint8 *row, gint place, gint bytes, guint8 value)
{
    row[place * bytes + bytes - 1] = value;
    if (bytes > 1) row[place * bytes] = 0;
}

gboolean surface_paint(GstBuffer *buffer, const Surface *surface, guint number)
{
    GstMapInfo map;
    if (!gst_buffer_map(buffer, &map, GST_MAP_WRITE)) return FALSE;
    gint bytes = surface->format == GST_VIDEO_FORMAT_P010_10LE ? 2 : 1, columns = surface->stride / bytes;
    guint8 *row = map.data;
    for (gint y = 0; y < surface->lines; y++, row += surface->stride)
        for (gint x = 0; x < columns; x++) put(row, x, bytes, colour_at(surface, x, y, number).luma);
    for (gint y = 0; y < surface->lines; y += 2, row += surface->stride)
        for (gint x = 0; x < columns; x += 2) {
            Colour colour = colour_at(surface, x, y, number);
            put(row, x, bytes, colour.blue);
            put(row, x + 1, bytes, colour.red);
        }
    gst_buffer_unmap(buffer, &map);
    return TRUE;
}
