/* more-modes: gives a virtual screen the modes that a television would list.
 *
 * vkms lists 60 Hz only, because nothing tells it what its screen can do, but it sets whatever it is asked for, and its
 * vertical blank has that rate then. Loaded into a program by LD_PRELOAD, this adds modes to those of every connector.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <xf86drmMode.h>

/* Blank pixels and lines: any will do that leave the clock a whole number of kilohertz for usual rates. */
enum { BLANK_PIXELS = 160, BLANK_LINES = 45 };

static void fill(drmModeModeInfo *mode, unsigned width, unsigned height, double rate)
{
    memset(mode, 0, sizeof *mode);
    unsigned total = width + BLANK_PIXELS, lines = height + BLANK_LINES;
    mode->clock = (uint32_t)(total * lines * rate / 1000 + 0.5);
    mode->hdisplay = (uint16_t)width;
    mode->hsync_start = (uint16_t)(width + 16);
    mode->hsync_end = (uint16_t)(width + 64);
    mode->htotal = (uint16_t)total;
    mode->vdisplay = (uint16_t)height;
    mode->vsync_start = (uint16_t)(height + 10);
    mode->vsync_end = (uint16_t)(height + 12);
    mode->vtotal = (uint16_t)lines;
    mode->vrefresh = (uint32_t)(rate + 0.5);
    mode->type = DRM_MODE_TYPE_DRIVER;
    snprintf(mode->name, sizeof mode->name, "%ux%u", width, height);
}

/* MORE_MODES: words such as 640x480@23.976. */
static void add_modes(drmModeConnector *connector)
{
    const char *wanted = getenv("MORE_MODES");
    if (!wanted || connector->count_modes == 0)
        return;
    unsigned width, height;
    double rate;
    int length;
    for (; sscanf(wanted, " %ux%u@%lf%n", &width, &height, &rate, &length) == 3; wanted += length) {
        /* libdrm frees the list by free(). */
        drmModeModeInfo *modes = realloc(connector->modes, (size_t)(connector->count_modes + 1) * sizeof *modes);
        if (!modes)
            return;
        connector->modes = modes;
        fill(&modes[connector->count_modes++], width, height, rate);
    }
}

drmModeConnectorPtr drmModeGetConnector(int card, uint32_t id)
{
    drmModeConnectorPtr (*original)(int, uint32_t);
    *(void **)&original = dlsym(RTLD_NEXT, "drmModeGetConnector");
    drmModeConnectorPtr connector = original ? original(card, id) : NULL;
    if (connector)
        add_modes(connector);
    return connector;
}

drmModeConnectorPtr drmModeGetConnectorCurrent(int card, uint32_t id)
{
    drmModeConnectorPtr (*original)(int, uint32_t);
    *(void **)&original = dlsym(RTLD_NEXT, "drmModeGetConnectorCurrent");
    drmModeConnectorPtr connector = original ? original(card, id) : NULL;
    if (connector)
        add_modes(connector);
    return connector;
}
