/* kms-planes: one line of JSON for each plane of a card. Reads only, needs not be master. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kms-common.h"

static const char usage[] =
    "usage: kms-planes [-d CARD]\n"
    "\n"
    "Prints one line of JSON for each plane of CARD (default " DEFAULT_CARD "):\n"
    "  plane     object id                  order   place in the stack, 0 = lowest\n"
    "  type      primary, overlay, cursor   zpos    the property, null if there is none\n"
    "  crtc, fb  object ids, 0 = unused     format  fourcc of the framebuffer, null if none\n"
    "  x y width height                     rectangle on the CRTC\n"
    "  source_x source_y source_width source_height   rectangle in the framebuffer, pixels\n"
    "  possible_crtcs                       bit mask\n";

struct plane {
    uint32_t id, crtc, framebuffer, possible_crtcs;
    uint64_t type, zpos;
    bool has_zpos;
};

static uint64_t value_of(int card, uint32_t plane, const char *name)
{
    uint64_t value = 0;
    find_property(card, plane, DRM_MODE_OBJECT_PLANE, name, &value);
    return value;
}

static const char *type_name(uint64_t type)
{
    switch (type) {
    case DRM_PLANE_TYPE_PRIMARY: return "primary";
    case DRM_PLANE_TYPE_CURSOR: return "cursor";
    default: return "overlay";
    }
}

static struct plane read_plane(int card, uint32_t id)
{
    drmModePlane *source = drmModeGetPlane(card, id);
    if (!source)
        die("read a plane");
    struct plane plane = {
        .id = id, .crtc = source->crtc_id, .framebuffer = source->fb_id,
        .possible_crtcs = source->possible_crtcs, .type = value_of(card, id, "type"),
    };
    plane.has_zpos = find_property(card, id, DRM_MODE_OBJECT_PLANE, "zpos", &plane.zpos);
    drmModeFreePlane(source);
    return plane;
}

/* Where zpos is missing or equal the kernel stacks planes by their ids. */
static bool is_below(const struct plane *a, const struct plane *b)
{
    return a->zpos != b->zpos ? a->zpos < b->zpos : a->id < b->id;
}

static unsigned order_of(const struct plane *planes, uint32_t count, const struct plane *plane)
{
    unsigned below = 0;
    for (uint32_t i = 0; i < count; i++)
        below += is_below(&planes[i], plane);
    return below;
}

static void print_format(int card, uint32_t framebuffer)
{
    drmModeFB2 *info = framebuffer ? drmModeGetFB2(card, framebuffer) : NULL;
    if (!info) {
        printf("null");
        return;
    }
    uint32_t code = info->pixel_format;
    printf("\"%c%c%c%c\"", code & 0xff, code >> 8 & 0xff, code >> 16 & 0xff, code >> 24 & 0x7f);
    /* Root gets handles of its own, which would keep the buffers alive. */
    for (int i = 0; i < 4; i++) {
        if (info->handles[i] && (i == 0 || info->handles[i] != info->handles[i - 1]))
            drmCloseBufferHandle(card, info->handles[i]);
    }
    drmModeFreeFB2(info);
}

static void print_plane(int card, const struct plane *plane, unsigned order)
{
    printf("{\"plane\":%u,\"type\":\"%s\",\"order\":%u,", plane->id, type_name(plane->type), order);
    if (plane->has_zpos)
        printf("\"zpos\":%u,", (unsigned)plane->zpos);
    else
        printf("\"zpos\":null,");
    printf("\"crtc\":%u,\"fb\":%u,\"format\":", plane->crtc, plane->framebuffer);
    print_format(card, plane->framebuffer);
    printf(",\"x\":%d,\"y\":%d,\"width\":%u,\"height\":%u,",
           (int32_t)value_of(card, plane->id, "CRTC_X"), (int32_t)value_of(card, plane->id, "CRTC_Y"),
           (uint32_t)value_of(card, plane->id, "CRTC_W"), (uint32_t)value_of(card, plane->id, "CRTC_H"));
    const double fraction = 65536.0; /* SRC_* are in 16.16 fixed point */
    printf("\"source_x\":%g,\"source_y\":%g,\"source_width\":%g,\"source_height\":%g,",
           value_of(card, plane->id, "SRC_X") / fraction, value_of(card, plane->id, "SRC_Y") / fraction,
           value_of(card, plane->id, "SRC_W") / fraction, value_of(card, plane->id, "SRC_H") / fraction);
    printf("\"possible_crtcs\":%u}\n", plane->possible_crtcs);
}

int main(int argc, char **argv)
{
    const char *path = DEFAULT_CARD;
    int option;
    while ((option = getopt(argc, argv, "hd:")) != -1) {
        switch (option) {
        case 'd': path = optarg; break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }

    int card = open_without_mastering(path);
    /* The rectangles are properties which only atomic clients see. */
    if (drmSetClientCap(card, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1) || drmSetClientCap(card, DRM_CLIENT_CAP_ATOMIC, 1))
        die("atomic mode setting");

    drmModePlaneRes *list = drmModeGetPlaneResources(card);
    if (!list)
        die("plane resources");
    struct plane *planes = calloc(list->count_planes + 1, sizeof *planes);
    if (!planes)
        die("memory");
    for (uint32_t i = 0; i < list->count_planes; i++)
        planes[i] = read_plane(card, list->planes[i]);
    for (uint32_t i = 0; i < list->count_planes; i++)
        print_plane(card, &planes[i], order_of(planes, list->count_planes, &planes[i]));
    free(planes);
    drmModeFreePlaneResources(list);
    return 0;
}
