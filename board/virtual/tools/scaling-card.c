/* scaling-card: a card whose planes scale, made of one whose planes can't.
 *
 * vkms refuses to scale. Loaded into a program by LD_PRELOAD, this stands between the program and the kernel: a SetPlane
 * that scales is drawn by the processor and shown 1:1, a test-only commit that scales is told yes. It says which
 * rectangles were asked for and how many framebuffers were made, and it fails when it is told to. Environment:
 *
 *   SCALING_CARD_LOG=FILE       a line of JSON for each SetPlane (with when it began and was over), ADDFB2 and RMFB
 *   SCALING_CARD_SCALES=no      planes don't scale: only the rest of this holds
 *   SCALING_CARD_MOST=2         the most that planes scale, up and down (default: as much as is asked)
 *   SCALING_CARD_FAIL=10:28,20:22  the 10th SetPlane that shows something fails with errno 28, the 20th with 22
 *   SCALING_CARD_MM=154x86      what screens tell of their size
 *   SCALING_CARD_MODES=800x480@60*,1920x1080@30i  what they tell of their modes, * behind the preferred one, i behind
 *                               interlaced ones; in the order in which the kernel lists them
 *
 *   SCALING_CARD_LAYOUTS=NV12:0x0100000000000002  what planes read besides (IN_FORMATS), with commas; such a framebuffer is
 *                               made as if its rows followed each other
 *
 *   SCALING_CARD_LARGEST=1280x720  the largest framebuffer that the card says it takes
 *
 * A source rectangle that lies outside of its framebuffer is ENOSPC, as the kernel has it. Planes that turn pictures by
 * 90 degrees aren't known here.
 */
#define _GNU_SOURCE
#include "preload.h"
#include "scaling-card.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct {
    bool scales;
    unsigned most, width_mm, height_mm, largest_width, largest_height;
    unsigned failures, modes, layouts;
    struct { unsigned long number; int code; } failure[64];
    struct drm_mode_modeinfo mode[64];
    struct { uint32_t code; uint64_t modifier; } layout[8];
} settings;

/* Recursive locking never happens: nothing here calls ioctl but by kernel_ioctl. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long planes_set, added, removed;

/* Framebuffers by their number; the kernel gives small ones, and the same again. */
enum { LARGEST_FRAMEBUFFER = 4096 };
static struct drm_mode_fb_cmd2 framebuffers[LARGEST_FRAMEBUFFER];

/* --- What the environment says --------------------------------------------------------------------------------- */

static void fill_mode(struct drm_mode_modeinfo *mode, unsigned width, unsigned height, unsigned rate, const char *marks)
{
    *mode = (struct drm_mode_modeinfo){
        .hdisplay = width, .hsync_start = width + 16, .hsync_end = width + 64, .htotal = width + 160,
        .vdisplay = height, .vsync_start = height + 10, .vsync_end = height + 12, .vtotal = height + 45,
        .vrefresh = rate, .type = DRM_MODE_TYPE_DRIVER};
    if (*marks == '*') mode->type |= DRM_MODE_TYPE_PREFERRED;
    if (*marks == 'i') mode->flags |= DRM_MODE_FLAG_INTERLACE;
    /* An interlaced mode has two fields to a frame; its rate is that of the fields. */
    uint64_t pixels = (uint64_t)mode->htotal * mode->vtotal * rate;
    mode->clock = (uint32_t)(pixels / (*marks == 'i' ? 2000 : 1000));
    snprintf(mode->name, sizeof mode->name, "%ux%u%s", width, height, *marks == 'i' ? "i" : "");
}

static void read_settings(void)
{
    open_log("SCALING_CARD_LOG");
    const char *text = getenv("SCALING_CARD_SCALES");
    settings.scales = !text || strcmp(text, "no") != 0;
    if ((text = getenv("SCALING_CARD_MOST"))) settings.most = (unsigned)strtoul(text, NULL, 10);
    if ((text = getenv("SCALING_CARD_MM"))) sscanf(text, "%ux%u", &settings.width_mm, &settings.height_mm);
    if ((text = getenv("SCALING_CARD_LARGEST")))
        sscanf(text, "%ux%u", &settings.largest_width, &settings.largest_height);
    unsigned long number;
    int code, length;
    for (text = getenv("SCALING_CARD_FAIL");
         text && settings.failures < 64 && sscanf(text, "%lu:%d%n", &number, &code, &length) == 2;
         text += length + (text[length] == ',')) {
        settings.failure[settings.failures].number = number;
        settings.failure[settings.failures++].code = code;
    }
    char letters[5];
    unsigned long long modifier;
    for (text = getenv("SCALING_CARD_LAYOUTS");
         text && settings.layouts < 8 && sscanf(text, "%4c:%llx%n", letters, &modifier, &length) == 2;
         text += length + (text[length] == ',')) {
        memcpy(&settings.layout[settings.layouts].code, letters, 4);
        settings.layout[settings.layouts++].modifier = modifier;
    }
    unsigned width, height, rate;
    for (text = getenv("SCALING_CARD_MODES");
         text && settings.modes < 64 && sscanf(text, "%ux%u@%u%n", &width, &height, &rate, &length) == 3;) {
        text += length;
        fill_mode(&settings.mode[settings.modes++], width, height, rate, text);
        text += strspn(text, "*i,");
    }
}

/* --- Connectors --------------------------------------------------------------------------------------------------- */

static int get_connector(int card, struct drm_mode_get_connector *connector)
{
    struct drm_mode_modeinfo unused, *list = (struct drm_mode_modeinfo *)(uintptr_t)connector->modes_ptr;
    unsigned room = connector->count_modes;
    if (settings.modes) {
        /* With a count of 0 the kernel looks for the screen anew. */
        connector->count_modes = room ? 1 : 0;
        connector->modes_ptr = (uintptr_t)&unused;
    }
    int result = kernel_ioctl(card, DRM_IOCTL_MODE_GETCONNECTOR, connector);
    if (settings.modes) connector->modes_ptr = (uintptr_t)list;
    if (result != 0 || connector->connector_type == DRM_MODE_CONNECTOR_WRITEBACK) return result;
    if (settings.modes && connector->connection == 1) {
        connector->count_modes = settings.modes;
        if (list && room >= settings.modes) memcpy(list, settings.mode, settings.modes * sizeof *list);
    }
    if (settings.width_mm) connector->mm_width = settings.width_mm, connector->mm_height = settings.height_mm;
    return 0;
}

/* --- Layouts ------------------------------------------------------------------------------------------------------ */

/* Whether bytes are a table of formats and layouts: the kernel's own order, layouts last. */
static bool is_table(const struct drm_format_modifier_blob *blob, size_t length)
{
    return length >= sizeof *blob && blob->version == FORMAT_BLOB_CURRENT && blob->flags == 0 && blob->count_formats > 0
        && blob->formats_offset == sizeof *blob && blob->formats_offset + 4 * (size_t)blob->count_formats <= length
        && blob->modifiers_offset + sizeof(struct drm_format_modifier) * (size_t)blob->count_modifiers == length;
}

static size_t add_layouts(struct drm_format_modifier_blob *blob, size_t length)
{
    const uint32_t *formats = (const uint32_t *)((char *)blob + blob->formats_offset);
    for (unsigned i = 0; i < settings.layouts; i++)
        for (uint32_t format = 0; format < blob->count_formats; format++) {
            if (formats[format] != settings.layout[i].code) continue;
            struct drm_format_modifier entry = {
                .formats = 1ull << (format % 64), .offset = format / 64 * 64, .modifier = settings.layout[i].modifier};
            memcpy((char *)blob + length, &entry, sizeof entry);
            blob->count_modifiers++;
            length += sizeof entry;
        }
    return length;
}

static int get_blob(int card, struct drm_mode_get_blob *asked)
{
    struct drm_mode_get_blob real = {.blob_id = asked->blob_id};
    if (!settings.layouts || kernel_ioctl(card, DRM_IOCTL_MODE_GETPROPBLOB, &real) != 0)
        return kernel_ioctl(card, DRM_IOCTL_MODE_GETPROPBLOB, asked);
    size_t length = real.length;
    char *bytes = calloc(1, length + 8 * sizeof(struct drm_format_modifier));
    if (!bytes) return errno = ENOMEM, -1;
    real.data = (uintptr_t)bytes;
    int result = kernel_ioctl(card, DRM_IOCTL_MODE_GETPROPBLOB, &real);
    if (result == 0) {
        struct drm_format_modifier_blob *blob = (void *)bytes;
        if (is_table(blob, length)) length = add_layouts(blob, length);
        if (asked->length == length) memcpy((void *)(uintptr_t)asked->data, bytes, length);
        asked->length = (uint32_t)length;
    }
    free(bytes);
    return result;
}

static bool is_layout(const struct drm_mode_fb_cmd2 *fb)
{
    for (unsigned i = 0; i < settings.layouts && fb->flags & DRM_MODE_FB_MODIFIERS; i++)
        if (settings.layout[i].code == fb->pixel_format && settings.layout[i].modifier == fb->modifier[0]) return true;
    return false;
}

/* --- Planes --------------------------------------------------------------------------------------------------------- */

static bool is_too_much(uint32_t from, uint32_t to)
{
    return settings.most && ((uint64_t)from > (uint64_t)to * settings.most || (uint64_t)to > (uint64_t)from * settings.most);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + time.tv_nsec / 1e9;
}

static int told_to_fail(unsigned long number)
{
    for (unsigned i = 0; i < settings.failures; i++)
        if (settings.failure[i].number == number) return settings.failure[i].code;
    return 0;
}

static int set_plane(int card, const struct drm_mode_set_plane *asked)
{
    const struct drm_mode_fb_cmd2 *fb = asked->fb_id < LARGEST_FRAMEBUFFER ? &framebuffers[asked->fb_id] : NULL;
    struct drm_mode_set_plane real = *asked;
    uint32_t width = asked->src_w >> 16, height = asked->src_h >> 16;
    bool is_scaled = asked->fb_id && (asked->crtc_w != width || asked->crtc_h != height);
    unsigned long number = asked->fb_id ? ++planes_set : 0;
    const char *how = "as it is";
    double begun = now();
    int code = number ? told_to_fail(number) : 0;
    if (code) {
        how = "told to fail";
    } else if (is_scaled && settings.scales && fb && fb->fb_id) {
        how = "scaled";
        if ((uint64_t)asked->src_x + asked->src_w > (uint64_t)fb->width << 16 ||
            (uint64_t)asked->src_y + asked->src_h > (uint64_t)fb->height << 16)
            code = ENOSPC;
        else if (is_too_much(width, asked->crtc_w) || is_too_much(height, asked->crtc_h))
            code = ERANGE;
        else if ((real.fb_id = card_draw_scaled(card, asked, fb)) == 0)
            code = EINVAL;
        real.src_x = real.src_y = 0;
        real.src_w = asked->crtc_w << 16;
        real.src_h = asked->crtc_h << 16;
    }
    /* It waits for the vertical blank: not while others wait for us. */
    pthread_mutex_unlock(&lock);
    if (!code && kernel_ioctl(card, DRM_IOCTL_MODE_SETPLANE, &real) != 0) code = errno;
    pthread_mutex_lock(&lock);
    if (number)
        say("{\"call\":\"setplane\",\"number\":%lu,\"plane\":%u,\"fb\":%u,\"size\":[%u,%u],\"format\":\"%.4s\","
            "\"source\":[%g,%g,%g,%g],\"place\":[%d,%d,%u,%u],\"how\":\"%s\",\"errno\":%d,"
            "\"from\":%.6f,\"until\":%.6f}",
            number, asked->plane_id, asked->fb_id, fb ? fb->width : 0, fb ? fb->height : 0,
            fb && fb->fb_id ? (const char *)&fb->pixel_format : "?", asked->src_x / 65536.0, asked->src_y / 65536.0,
            asked->src_w / 65536.0, asked->src_h / 65536.0, asked->crtc_x, asked->crtc_y, asked->crtc_w,
            asked->crtc_h, how, code, begun, now());
    errno = code;
    return code ? -1 : 0;
}

/* Which of a plane's rectangles a property is part of. */
enum property { SRC_W, SRC_H, CRTC_W, CRTC_H, OTHER };

static enum property property_named(int card, uint32_t number)
{
    static const char *const names[] = {"SRC_W", "SRC_H", "CRTC_W", "CRTC_H"};
    struct drm_mode_get_property property = {.prop_id = number};
    if (kernel_ioctl(card, DRM_IOCTL_MODE_GETPROPERTY, &property) != 0) return OTHER;
    for (int i = SRC_W; i < OTHER; i++)
        if (strcmp(property.name, names[i]) == 0) return i;
    return OTHER;
}

/* Whether a plane would scale is only ever asked here: the answer is that of the smaller of both rectangles, unscaled. */
static int test_commit(int card, const struct drm_mode_atomic *asked)
{
    const uint32_t *counts = (const uint32_t *)(uintptr_t)asked->count_props_ptr;
    const uint32_t *numbers = (const uint32_t *)(uintptr_t)asked->props_ptr;
    const uint64_t *values = (const uint64_t *)(uintptr_t)asked->prop_values_ptr;
    size_t total = 0;
    for (uint32_t i = 0; i < asked->count_objs; i++) total += counts[i];
    uint64_t *changed = calloc(total + 1, sizeof *changed);
    if (!changed) return errno = ENOMEM, -1;
    if (total) memcpy(changed, values, total * sizeof *changed);
    int code = 0;
    size_t first = 0;
    for (uint32_t i = 0; i < asked->count_objs; first += counts[i++]) {
        uint64_t *side[OTHER + 1] = {NULL};
        for (uint32_t j = 0; j < counts[i]; j++)
            side[property_named(card, numbers[first + j])] = &changed[first + j];
        for (int axis = 0; axis < 2; axis++) {
            uint64_t *from = side[SRC_W + axis], *to = side[CRTC_W + axis];
            if (!from || !to || !*to || *from >> 16 == *to) continue;
            if (is_too_much((uint32_t)(*from >> 16), (uint32_t)*to)) code = ERANGE;
            if (*from >> 16 < *to) *to = *from >> 16;
            else *from = *to << 16;
        }
    }
    struct drm_mode_atomic real = *asked;
    real.prop_values_ptr = (uintptr_t)changed;
    if (!code && kernel_ioctl(card, DRM_IOCTL_MODE_ATOMIC, &real) != 0) code = errno;
    free(changed);
    errno = code;
    return code ? -1 : 0;
}

static int add_framebuffer(int card, struct drm_mode_fb_cmd2 *fb)
{
    struct drm_mode_fb_cmd2 real = *fb;
    uint64_t modifier = fb->flags & DRM_MODE_FB_MODIFIERS ? fb->modifier[0] : 0;
    if (is_layout(fb)) {
        real.flags &= ~(uint32_t)DRM_MODE_FB_MODIFIERS;
        memset(real.modifier, 0, sizeof real.modifier);
    }
    int result = kernel_ioctl(card, DRM_IOCTL_MODE_ADDFB2, &real);
    fb->fb_id = real.fb_id;
    if (result != 0 || fb->fb_id >= LARGEST_FRAMEBUFFER) return result;
    framebuffers[fb->fb_id] = real;
    bool is_imported = card_note_framebuffer(fb);
    say("{\"call\":\"addfb2\",\"fb\":%u,\"size\":[%u,%u],\"format\":\"%.4s\",\"layout\":\"0x%016llx\",\"imported\":%s,"
        "\"added\":%lu,\"removed\":%lu}",
        fb->fb_id, fb->width, fb->height, (const char *)&fb->pixel_format, (unsigned long long)modifier, is_imported ? "true" : "false", ++added, removed);
    return 0;
}

static int remove_framebuffer(int card, unsigned long request, void *argument)
{
    /* Both RMFB and CLOSEFB begin with the number. */
    uint32_t number = *(uint32_t *)argument;
    int result = kernel_ioctl(card, request, argument);
    if (result == 0) card_forget_framebuffer(number);
    if (result == 0) say("{\"call\":\"rmfb\",\"fb\":%u,\"added\":%lu,\"removed\":%lu}", number, added, ++removed);
    return result;
}

__attribute__((visibility("default"))) int ioctl(int card, unsigned long request, ...)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    pthread_once(&once, read_settings);
    unsigned long type = request >> 8 & 0xff;
    if (type != DRM_IOCTL_BASE) return kernel_ioctl(card, request, argument);
    pthread_mutex_lock(&lock);
    int result;
    switch (request & 0xffffffff) {
    case DRM_IOCTL_MODE_GETRESOURCES: {
        struct drm_mode_card_res *resources = argument;
        result = kernel_ioctl(card, request, resources);
        if (settings.largest_width) resources->max_width = settings.largest_width;
        if (settings.largest_height) resources->max_height = settings.largest_height;
        break;
    }
    case DRM_IOCTL_MODE_GETCONNECTOR: result = get_connector(card, argument); break;
    case DRM_IOCTL_MODE_SETPLANE: result = set_plane(card, argument); break;
    case DRM_IOCTL_MODE_GETPROPBLOB: result = get_blob(card, argument); break;
    case DRM_IOCTL_MODE_ADDFB2: result = add_framebuffer(card, argument); break;
    case DRM_IOCTL_MODE_RMFB:
    case DRM_IOCTL_MODE_CLOSEFB: result = remove_framebuffer(card, request, argument); break;
    case DRM_IOCTL_PRIME_FD_TO_HANDLE: {
        struct drm_prime_handle *prime = argument;
        result = kernel_ioctl(card, request, prime);
        if (result == 0) card_note_import(prime->handle, prime->fd);
        break;
    }
    case DRM_IOCTL_GEM_CLOSE:
        card_forget_import(((struct drm_gem_close *)argument)->handle);
        result = kernel_ioctl(card, request, argument);
        break;
    case DRM_IOCTL_MODE_ATOMIC:
        if (settings.scales && ((struct drm_mode_atomic *)argument)->flags & DRM_MODE_ATOMIC_TEST_ONLY) {
            result = test_commit(card, argument);
            break;
        }
        /* fallthrough */
    default: {
        /* Some wait for long. */
        pthread_mutex_unlock(&lock);
        return kernel_ioctl(card, request, argument);
    }
    }
    int code = errno;
    pthread_mutex_unlock(&lock);
    errno = code;
    return result;
}
