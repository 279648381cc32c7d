/* kms-modeset: the smallest program that lights a screen, a stand-in for a player.
 *
 * Becomes DRM master, shows a checkered picture on the primary plane and runs a command
 * that inherits the card as file descriptor 3, as a player would hand it to kmssink.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kms-common.h"

enum { CARD_FILE = 3 };

static const char usage[] =
    "usage: kms-modeset [-d CARD] [-m WIDTHxHEIGHT] [COMMAND [ARG...]]\n"
    "\n"
    "Lights the first connected screen of CARD (default " DEFAULT_CARD ") with a checkered\n"
    "picture, then runs COMMAND and exits with its status; without one it stays until it\n"
    "is killed. The preferred mode is set unless -m names another one.\n"
    "\n"
    "COMMAND has the card open as file descriptor 3. In its arguments these are replaced:\n"
    "  @FD@ 3   @OVERLAY@ first overlay plane   @PRIMARY@ primary plane   @CONNECTOR@ connector\n"
    "\n"
    "example: kms-modeset gst-launch-1.0 videotestsrc num-buffers=90 !\n"
    "             kmssink fd=@FD@ plane-id=@OVERLAY@ skip-vsync=true\n";

struct screen {
    uint32_t connector, crtc, primary, overlay;
    drmModeModeInfo mode;
};

static bool choose_mode(const drmModeConnector *connector, int width, int height, drmModeModeInfo *mode)
{
    for (int i = 0; i < connector->count_modes; i++) {
        const drmModeModeInfo *candidate = &connector->modes[i];
        bool wanted = width ? candidate->hdisplay == width && candidate->vdisplay == height
                            : (candidate->type & DRM_MODE_TYPE_PREFERRED) != 0;
        if (wanted) {
            *mode = *candidate;
            return true;
        }
    }
    if (width || !connector->count_modes)
        return false;
    *mode = connector->modes[0];
    return true;
}

/* The index of the first CRTC which the connector can use, -1 if none. */
static int usable_crtc(int card, const drmModeConnector *connector, const drmModeRes *resources)
{
    for (int i = 0; i < connector->count_encoders; i++) {
        drmModeEncoder *encoder = drmModeGetEncoder(card, connector->encoders[i]);
        uint32_t possible = encoder ? encoder->possible_crtcs : 0;
        drmModeFreeEncoder(encoder);
        for (int crtc = 0; crtc < resources->count_crtcs; crtc++) {
            if (possible & (1u << crtc))
                return crtc;
        }
    }
    return -1;
}

/* Fills in connector, CRTC and mode; returns the index of the CRTC. */
static int find_screen(int card, int width, int height, struct screen *screen)
{
    drmModeRes *resources = drmModeGetResources(card);
    if (!resources)
        die("card resources");
    int crtc_index = -1;
    for (int i = 0; i < resources->count_connectors && crtc_index < 0; i++) {
        drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[i]);
        if (connector && connector->connection == DRM_MODE_CONNECTED &&
            choose_mode(connector, width, height, &screen->mode)) {
            screen->connector = connector->connector_id;
            crtc_index = usable_crtc(card, connector, resources);
        }
        drmModeFreeConnector(connector);
    }
    if (crtc_index < 0)
        fail("no connected screen has this mode");
    screen->crtc = resources->crtcs[crtc_index];
    drmModeFreeResources(resources);
    return crtc_index;
}

static void find_planes(int card, int crtc_index, struct screen *screen)
{
    drmModePlaneRes *list = drmModeGetPlaneResources(card);
    for (uint32_t i = 0; list && i < list->count_planes; i++) {
        drmModePlane *plane = drmModeGetPlane(card, list->planes[i]);
        uint64_t type = DRM_PLANE_TYPE_CURSOR;
        find_property(card, list->planes[i], DRM_MODE_OBJECT_PLANE, "type", &type);
        if (plane && (plane->possible_crtcs & (1u << crtc_index))) {
            if (type == DRM_PLANE_TYPE_PRIMARY && !screen->primary)
                screen->primary = plane->plane_id;
            if (type == DRM_PLANE_TYPE_OVERLAY && !screen->overlay)
                screen->overlay = plane->plane_id;
        }
        drmModeFreePlane(plane);
    }
    drmModeFreePlaneResources(list);
}

static void paint_checkers(struct dumb_buffer *buffer)
{
    const uint32_t side = 64, dark = 0x203060, light = 0x604020;
    for (uint32_t y = 0; y < buffer->height; y++) {
        uint32_t *row = (uint32_t *)(buffer->pixels + (size_t)y * buffer->pitch);
        for (uint32_t x = 0; x < buffer->width; x++)
            row[x] = (x / side + y / side) % 2 ? dark : light;
    }
}

static void set(int card, drmModeAtomicReq *request, uint32_t object, uint32_t type, const char *name, uint64_t value)
{
    drmModeAtomicAddProperty(request, object, require_property(card, object, type, name), value);
}

static void light(int card, const struct screen *screen, const struct dumb_buffer *buffer)
{
    uint32_t mode;
    if (drmModeCreatePropertyBlob(card, &screen->mode, sizeof screen->mode, &mode))
        die("describe the mode");
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    set(card, request, screen->connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", screen->crtc);
    set(card, request, screen->crtc, DRM_MODE_OBJECT_CRTC, "MODE_ID", mode);
    set(card, request, screen->crtc, DRM_MODE_OBJECT_CRTC, "ACTIVE", 1);

    const struct { const char *name; uint64_t value; } plane[] = {
        { "FB_ID", buffer->framebuffer }, { "CRTC_ID", screen->crtc },
        { "CRTC_X", 0 }, { "CRTC_Y", 0 }, { "CRTC_W", buffer->width }, { "CRTC_H", buffer->height },
        { "SRC_X", 0 }, { "SRC_Y", 0 },
        { "SRC_W", (uint64_t)buffer->width << 16 }, { "SRC_H", (uint64_t)buffer->height << 16 },
    };
    for (unsigned i = 0; i < sizeof plane / sizeof *plane; i++)
        set(card, request, screen->primary, DRM_MODE_OBJECT_PLANE, plane[i].name, plane[i].value);
    if (drmModeAtomicCommit(card, request, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL))
        die("set the mode");
    drmModeAtomicFree(request);
}

/* The argument with the first NAME in it replaced by number; the argument itself without one. */
static char *replace(char *argument, const char *name, uint32_t number)
{
    char *place = strstr(argument, name), *result;
    if (!place)
        return argument;
    if (asprintf(&result, "%.*s%u%s", (int)(place - argument), argument, number, place + strlen(name)) < 0)
        die("memory");
    return result;
}

static int run_command(char **arguments, const struct screen *screen)
{
    for (char **argument = arguments; *argument; argument++) {
        *argument = replace(*argument, "@FD@", CARD_FILE);
        *argument = replace(*argument, "@OVERLAY@", screen->overlay);
        *argument = replace(*argument, "@PRIMARY@", screen->primary);
        *argument = replace(*argument, "@CONNECTOR@", screen->connector);
    }
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        execvp(arguments[0], arguments);
        die(arguments[0]);
    }
    int status;
    if (waitpid(child, &status, 0) < 0)
        die("wait");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Opened without close-on-exec and under a fixed number, for the command to inherit. */
static int open_card(const char *path)
{
    int card = open(path, O_RDWR);
    if (card < 0)
        die(path);
    if (card != CARD_FILE) {
        if (dup2(card, CARD_FILE) < 0)
            die("dup2");
        close(card);
    }
    if (drmSetClientCap(CARD_FILE, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1) ||
        drmSetClientCap(CARD_FILE, DRM_CLIENT_CAP_ATOMIC, 1))
        die("atomic mode setting");
    return CARD_FILE;
}

int main(int argc, char **argv)
{
    const char *path = DEFAULT_CARD;
    int width = 0, height = 0, option;
    while ((option = getopt(argc, argv, "+hd:m:")) != -1) {
        bool valid = true;
        switch (option) {
        case 'd': path = optarg; break;
        case 'm': valid = sscanf(optarg, "%dx%d", &width, &height) == 2; break;
        case 'h': fputs(usage, stdout); return 0;
        default: valid = false;
        }
        if (!valid) {
            fputs(usage, stderr);
            return 2;
        }
    }

    int card = open_card(path);
    struct screen screen = { 0 };
    find_planes(card, find_screen(card, width, height, &screen), &screen);
    struct dumb_buffer buffer;
    create_dumb_buffer(card, screen.mode.hdisplay, screen.mode.vdisplay, &buffer);
    paint_checkers(&buffer);
    light(card, &screen, &buffer);
    printf("kms-modeset: %s crtc %u connector %u primary %u overlay %u\n", screen.mode.name, screen.crtc,
           screen.connector, screen.primary, screen.overlay);
    fflush(stdout);

    if (optind < argc)
        return run_command(argv + optind, &screen);
    for (;;)
        pause();
}
