/* What a plane that scales does, done by the processor: see scaling-card.c. */
#define _GNU_SOURCE
#include "preload.h"
#include "scaling-card.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A plane of a format: how many times smaller it is than the picture, and the bytes of a pixel of it. */
struct layer { unsigned reduction, bytes; };
struct format { uint32_t fourcc; unsigned layers; struct layer layer[3]; };

static const struct format formats[] = {
    {DRM_FORMAT_XRGB8888, 1, {{1, 4}}},
    {DRM_FORMAT_ARGB8888, 1, {{1, 4}}},
    {DRM_FORMAT_NV12, 2, {{1, 1}, {2, 2}}},
    {DRM_FORMAT_NV21, 2, {{1, 1}, {2, 2}}},
    {DRM_FORMAT_YUV420, 3, {{1, 1}, {2, 1}, {2, 1}}},
    {DRM_FORMAT_YVU420, 3, {{1, 1}, {2, 1}, {2, 1}}},
};

static const struct format *find_format(uint32_t fourcc)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i].fourcc == fourcc) return &formats[i];
    return NULL;
}

/* --- Imported memory -------------------------------------------------------------------------------------------- */

enum { MOST_IMPORTS = 256, MOST_FRAMEBUFFERS = 256, MOST_LAYERS = 4 };
/* Handles and framebuffers begin at 1; 0 is a free place. */
static struct { uint32_t handle; int dmabuf; } imports[MOST_IMPORTS];
static struct { uint32_t fb; int dmabufs[MOST_LAYERS]; } imported[MOST_FRAMEBUFFERS];

void card_forget_import(uint32_t handle)
{
    for (int i = 0; i < MOST_IMPORTS; i++) {
        if (!handle || imports[i].handle != handle) continue;
        close(imports[i].dmabuf);
        imports[i].handle = 0;
    }
}

void card_note_import(uint32_t handle, int dmabuf)
{
    card_forget_import(handle);
    for (int i = 0; i < MOST_IMPORTS; i++) {
        if (imports[i].handle) continue;
        int kept = fcntl(dmabuf, F_DUPFD_CLOEXEC, 0);
        if (kept < 0) return;
        imports[i].handle = handle;
        imports[i].dmabuf = kept;
        return;
    }
}

static int dmabuf_of_handle(uint32_t handle)
{
    for (int i = 0; i < MOST_IMPORTS; i++)
        if (handle && imports[i].handle == handle) return imports[i].dmabuf;
    return -1;
}

void card_forget_framebuffer(uint32_t fb)
{
    for (int i = 0; i < MOST_FRAMEBUFFERS; i++) {
        if (!fb || imported[i].fb != fb) continue;
        for (int j = 0; j < MOST_LAYERS; j++)
            if (imported[i].dmabufs[j] >= 0) close(imported[i].dmabufs[j]);
        imported[i].fb = 0;
    }
}

bool card_note_framebuffer(const struct drm_mode_fb_cmd2 *fb)
{
    card_forget_framebuffer(fb->fb_id);
    if (dmabuf_of_handle(fb->handles[0]) < 0) return false;
    int place = 0;
    while (place < MOST_FRAMEBUFFERS && imported[place].fb) place++;
    if (place == MOST_FRAMEBUFFERS) return true;
    imported[place].fb = fb->fb_id;
    for (int j = 0; j < MOST_LAYERS; j++) {
        int dmabuf = dmabuf_of_handle(fb->handles[j]);
        imported[place].dmabufs[j] = dmabuf < 0 ? -1 : fcntl(dmabuf, F_DUPFD_CLOEXEC, 0);
    }
    return true;
}

/* The first `size` bytes of a dumb buffer; NULL where they can't be had. */
static uint8_t *map_dumb(int card, uint32_t handle, uint64_t size)
{
    struct drm_mode_map_dumb wish = {.handle = handle};
    if (kernel_ioctl(card, DRM_IOCTL_MODE_MAP_DUMB, &wish) != 0) return NULL;
    void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, card, (off_t)wish.offset);
    return bytes == MAP_FAILED ? NULL : bytes;
}

/* The first `size` bytes of a layer of a framebuffer, to be read. */
static uint8_t *map_layer(int card, const struct drm_mode_fb_cmd2 *fb, unsigned layer, uint64_t size)
{
    for (int i = 0; i < MOST_FRAMEBUFFERS; i++) {
        if (imported[i].fb != fb->fb_id) continue;
        if (imported[i].dmabufs[layer] < 0) return NULL;
        void *bytes = mmap(NULL, size, PROT_READ, MAP_SHARED, imported[i].dmabufs[layer], 0);
        return bytes == MAP_FAILED ? NULL : bytes;
    }
    return map_dumb(card, fb->handles[layer], size);
}

/* --- Framebuffers of our own ------------------------------------------------------------------------------------- */

/* Three in turn for each plane: one is shown, one comes next, one is drawn into. */
enum { MOST_PLANES = 16, IN_TURN = 3 };
struct copy { struct drm_mode_fb_cmd2 fb; struct drm_mode_create_dumb memory; uint8_t *bytes; };
static struct { uint32_t plane; struct copy copies[IN_TURN]; unsigned next; } planes[MOST_PLANES];

static void drop_copy(int card, struct copy *copy)
{
    if (copy->bytes) munmap(copy->bytes, copy->memory.size);
    if (copy->fb.fb_id) kernel_ioctl(card, DRM_IOCTL_MODE_RMFB, &copy->fb.fb_id);
    struct drm_mode_destroy_dumb gone = {.handle = copy->memory.handle};
    if (gone.handle) kernel_ioctl(card, DRM_IOCTL_MODE_DESTROY_DUMB, &gone);
    memset(copy, 0, sizeof *copy);
}

static bool make_copy(int card, struct copy *copy, const struct format *format, uint32_t width, uint32_t height)
{
    /* Even sides hold a chroma of half the size; twice the rows hold all layers of every format. */
    uint32_t even_width = (width + 1) & ~1u, rows = (height + 1) & ~1u;
    copy->memory =
        (struct drm_mode_create_dumb){.width = even_width, .height = rows * 2, .bpp = 8 * format->layer[0].bytes};
    copy->fb = (struct drm_mode_fb_cmd2){.width = width, .height = height, .pixel_format = format->fourcc};
    if (kernel_ioctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &copy->memory) != 0) return false;
    uint32_t offset = 0;
    for (unsigned i = 0; i < format->layers; i++) {
        uint32_t pitch = copy->memory.pitch * format->layer[i].bytes / format->layer[0].bytes / format->layer[i].reduction;
        copy->fb.handles[i] = copy->memory.handle;
        copy->fb.pitches[i] = pitch;
        copy->fb.offsets[i] = offset;
        offset += pitch * (rows / format->layer[i].reduction);
    }
    copy->bytes = map_dumb(card, copy->memory.handle, copy->memory.size);
    return copy->bytes && kernel_ioctl(card, DRM_IOCTL_MODE_ADDFB2, &copy->fb) == 0;
}

static struct copy *next_copy(int card, uint32_t plane, const struct format *format, uint32_t width, uint32_t height)
{
    unsigned slot = 0;
    while (slot < MOST_PLANES - 1 && planes[slot].plane && planes[slot].plane != plane) slot++;
    planes[slot].plane = plane;
    struct copy *copy = &planes[slot].copies[planes[slot].next++ % IN_TURN];
    if (copy->fb.fb_id && copy->fb.width == width && copy->fb.height == height &&
        copy->fb.pixel_format == format->fourcc)
        return copy;
    drop_copy(card, copy);
    if (make_copy(card, copy, format, width, height)) return copy;
    drop_copy(card, copy);
    return NULL;
}

/* --- Drawing ------------------------------------------------------------------------------------------------------ */

static uint32_t divided(uint32_t number, unsigned divisor) { return (number + divisor - 1) / divisor; }

/* Which pixel of `count` lies at `place` of a row that begins at `start`, both in 1/65536 pixels. */
static uint32_t nearest(uint64_t start, uint64_t place, uint32_t count)
{
    uint64_t at = (start + place) >> 16;
    return at < count ? (uint32_t)at : count - 1;
}

static bool draw_layer(
    int card, const struct drm_mode_set_plane *wanted, const struct drm_mode_fb_cmd2 *from, struct copy *to,
    const struct layer *layer, unsigned number)
{
    uint32_t columns = divided(from->width, layer->reduction), rows = divided(from->height, layer->reduction);
    uint64_t size = from->offsets[number] + (uint64_t)from->pitches[number] * rows;
    uint8_t *bytes = map_layer(card, from, number, size);
    if (!bytes) return false;
    uint32_t width = divided(to->fb.width, layer->reduction), height = divided(to->fb.height, layer->reduction);
    for (uint32_t y = 0; y < height; y++) {
        /* The middle of each pixel counts. */
        uint64_t down = (uint64_t)wanted->src_h * (2 * y + 1) / (2 * height) / layer->reduction;
        uint32_t row = nearest(wanted->src_y / layer->reduction, down, rows);
        const uint8_t *source = bytes + from->offsets[number] + (uint64_t)from->pitches[number] * row;
        uint8_t *target = to->bytes + to->fb.offsets[number] + (uint64_t)to->fb.pitches[number] * y;
        for (uint32_t x = 0; x < width; x++) {
            uint64_t across = (uint64_t)wanted->src_w * (2 * x + 1) / (2 * width) / layer->reduction;
            uint32_t column = nearest(wanted->src_x / layer->reduction, across, columns);
            memcpy(target + (uint64_t)x * layer->bytes, source + (uint64_t)column * layer->bytes, layer->bytes);
        }
    }
    munmap(bytes, size);
    return true;
}

uint32_t card_draw_scaled(int card, const struct drm_mode_set_plane *wanted, const struct drm_mode_fb_cmd2 *picture)
{
    const struct format *format = find_format(picture->pixel_format);
    if (!format || !wanted->crtc_w || !wanted->crtc_h || !picture->width || !picture->height) return 0;
    struct copy *copy = next_copy(card, wanted->plane_id, format, wanted->crtc_w, wanted->crtc_h);
    if (!copy) return 0;
    for (unsigned i = 0; i < format->layers; i++)
        if (!draw_layer(card, wanted, picture, copy, &format->layer[i], i)) return 0;
    return copy->fb.fb_id;
}
