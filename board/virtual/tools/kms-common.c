#define _GNU_SOURCE
#include "kms-common.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include <drm_fourcc.h>

void die(const char *what)
{
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, strerror(errno));
    exit(1);
}

void fail(const char *message)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, message);
    exit(1);
}

uint32_t find_property(int card, uint32_t object, uint32_t object_type, const char *name, uint64_t *value)
{
    uint32_t id = 0;
    drmModeObjectProperties *properties = drmModeObjectGetProperties(card, object, object_type);
    for (uint32_t i = 0; properties && i < properties->count_props && !id; i++) {
        drmModePropertyRes *property = drmModeGetProperty(card, properties->props[i]);
        if (property && !strcmp(property->name, name)) {
            id = property->prop_id;
            if (value)
                *value = properties->prop_values[i];
        }
        drmModeFreeProperty(property);
    }
    drmModeFreeObjectProperties(properties);
    return id;
}

uint32_t require_property(int card, uint32_t object, uint32_t object_type, const char *name)
{
    uint32_t id = find_property(card, object, object_type, name, NULL);
    if (!id) {
        fprintf(stderr, "%s: object %u has no property %s\n", program_invocation_short_name, object, name);
        exit(1);
    }
    return id;
}

bool is_master(int card)
{
    /* Authenticating the impossible token 0 is refused with EACCES only for a non-master. */
    return drmAuthMagic(card, 0) != -EACCES;
}

void create_dumb_buffer(int card, uint32_t width, uint32_t height, struct dumb_buffer *buffer)
{
    struct drm_mode_create_dumb create = { .width = width, .height = height, .bpp = 32 };
    if (drmIoctl(card, DRM_IOCTL_MODE_CREATE_DUMB, &create))
        die("create a dumb buffer");

    uint32_t handles[4] = { create.handle }, pitches[4] = { create.pitch }, offsets[4] = { 0 };
    uint32_t framebuffer;
    if (drmModeAddFB2(card, width, height, DRM_FORMAT_XRGB8888, handles, pitches, offsets, &framebuffer, 0))
        die("add a framebuffer");

    struct drm_mode_map_dumb map = { .handle = create.handle };
    if (drmIoctl(card, DRM_IOCTL_MODE_MAP_DUMB, &map))
        die("map the dumb buffer");
    void *pixels = mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, card, map.offset);
    if (pixels == MAP_FAILED)
        die("mmap");

    *buffer = (struct dumb_buffer){
        .width = width, .height = height, .pitch = create.pitch, .handle = create.handle,
        .framebuffer = framebuffer, .size = create.size, .pixels = pixels,
    };
}

void destroy_dumb_buffer(int card, struct dumb_buffer *buffer)
{
    munmap(buffer->pixels, buffer->size);
    drmModeRmFB(card, buffer->framebuffer);
    struct drm_mode_destroy_dumb destroy = { .handle = buffer->handle };
    drmIoctl(card, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy);
}

int open_without_mastering(const char *path)
{
    mlockall(MCL_CURRENT);
    int card = open(path, O_RDWR | O_CLOEXEC);
    if (card >= 0)
        ioctl(card, DRM_IOCTL_DROP_MASTER, 0);
    if (card < 0)
        die(path);
    munlockall();
    return card;
}
