/* kms-screenshot: saves what a CRTC composes, also while another process is DRM master.
 *
 * The picture is made by the card itself through its writeback connector. Only the master
 * may ask for that, so the master's open file is duplicated (pidfd_getfd, needs root) and
 * the request made through it; the master notices nothing but a commit that takes its turn.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "kms-common.h"

static const char usage[] =
    "usage: kms-screenshot [-d CARD] [-c CRTC] [-p PID] [-k] [-t] OUT.ppm\n"
    "\n"
    "Saves what a CRTC of CARD (default " DEFAULT_CARD ") shows, all planes composed.\n"
    "\n"
    "  -d CARD  the card's device node\n"
    "  -c CRTC  object id of the CRTC (default: the first active one)\n"
    "  -p PID   the process that is DRM master (default: found by itself)\n"
    "  -k       keep the writeback connector attached afterwards, so that the next\n"
    "           screenshot needs no mode setting\n"
    "  -t       print when the picture was composed: nanoseconds of CLOCK_MONOTONIC\n";

static bool is_same_device(const char *path, const struct stat *device)
{
    struct stat status;
    return !stat(path, &status) && S_ISCHR(status.st_mode) && status.st_rdev == device->st_rdev;
}

static int count_objects(int card)
{
    drmModeRes *resources = drmModeGetResources(card);
    int count = resources ? resources->count_connectors + resources->count_crtcs : 0;
    drmModeFreeResources(resources);
    return count;
}

/* Duplicates the open file of pid that is master of the device; -1 when it has none. A lease is
 * master of a part, and has no writeback connector: of several files the one that sees most. */
static int duplicate_master_file(pid_t pid, const struct stat *device)
{
    char directory[64];
    snprintf(directory, sizeof directory, "/proc/%d/fd", pid);
    DIR *files = opendir(directory);
    if (!files)
        return -1;

    int card = -1, most = 0;
    int pidfd = syscall(SYS_pidfd_open, pid, 0);
    struct dirent *entry;
    while (pidfd >= 0 && (entry = readdir(files))) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (!is_same_device(path, device))
            continue;
        int found = syscall(SYS_pidfd_getfd, pidfd, atoi(entry->d_name), 0);
        if (found < 0)
            continue;
        int count = is_master(found) ? count_objects(found) : 0;
        if (count > most) {
            if (card >= 0)
                close(card);
            card = found;
            most = count;
        } else {
            close(found);
        }
    }
    if (pidfd >= 0)
        close(pidfd);
    closedir(files);
    return card;
}

static int find_master_file(const struct stat *device)
{
    DIR *processes = opendir("/proc");
    if (!processes)
        die("/proc");
    int card = -1;
    struct dirent *entry;
    while (card < 0 && (entry = readdir(processes))) {
        if (isdigit((unsigned char)entry->d_name[0]))
            card = duplicate_master_file(atoi(entry->d_name), device);
    }
    closedir(processes);
    return card;
}

/* An open file of the card through which commits are accepted. */
static int open_as_master(const char *path, pid_t master)
{
    struct stat device;
    if (stat(path, &device))
        die(path);
    int card = master ? duplicate_master_file(master, &device) : find_master_file(&device);
    if (card >= 0)
        return card;
    if (master)
        fail("the process given by -p is not master of the card");

    card = open(path, O_RDWR | O_CLOEXEC); /* nobody is master: opening makes us so */
    if (card < 0)
        die(path);
    if (!is_master(card))
        fail("another process is master of the card, and its open file could not be duplicated (root needed)");
    return card;
}

/* The wanted CRTC (0 = any) if it is active; *index is its place in the card's list. */
static drmModeCrtc *find_active_crtc(int card, const drmModeRes *resources, uint32_t wanted, int *index)
{
    for (*index = 0; *index < resources->count_crtcs; ++*index) {
        drmModeCrtc *crtc = drmModeGetCrtc(card, resources->crtcs[*index]);
        if (crtc && crtc->mode_valid && (!wanted || crtc->crtc_id == wanted))
            return crtc;
        drmModeFreeCrtc(crtc);
    }
    fail(wanted ? "this CRTC is not active" : "no CRTC is active");
}

static bool can_drive(int card, const drmModeConnector *connector, int crtc_index)
{
    for (int i = 0; i < connector->count_encoders; i++) {
        drmModeEncoder *encoder = drmModeGetEncoder(card, connector->encoders[i]);
        bool possible = encoder && (encoder->possible_crtcs & (1u << crtc_index));
        drmModeFreeEncoder(encoder);
        if (possible)
            return true;
    }
    return false;
}

static uint32_t find_writeback_connector(int card, const drmModeRes *resources, int crtc_index)
{
    for (int i = 0; i < resources->count_connectors; i++) {
        drmModeConnector *connector = drmModeGetConnector(card, resources->connectors[i]);
        uint32_t id = 0;
        if (connector && connector->connector_type == DRM_MODE_CONNECTOR_WRITEBACK &&
            can_drive(card, connector, crtc_index))
            id = connector->connector_id;
        drmModeFreeConnector(connector);
        if (id)
            return id;
    }
    fail("this CRTC has no writeback connector");
}

static void route_writeback(int card, uint32_t connector, uint32_t crtc)
{
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    uint32_t property = require_property(card, connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID");
    drmModeAtomicAddProperty(request, connector, property, crtc);
    if (drmModeAtomicCommit(card, request, DRM_MODE_ATOMIC_ALLOW_MODESET, NULL))
        die(crtc ? "attach the writeback connector" : "detach the writeback connector");
    drmModeAtomicFree(request);
}

/* One writeback job; false when the card did not finish it. */
static bool write_back(int card, uint32_t connector, uint32_t crtc, uint32_t framebuffer, uint32_t flags)
{
    const uint32_t type = DRM_MODE_OBJECT_CONNECTOR;
    int32_t fence = -1;
    drmModeAtomicReq *request = drmModeAtomicAlloc();
    drmModeAtomicAddProperty(request, connector, require_property(card, connector, type, "CRTC_ID"), crtc);
    drmModeAtomicAddProperty(request, connector, require_property(card, connector, type, "WRITEBACK_FB_ID"),
                             framebuffer);
    drmModeAtomicAddProperty(request, connector, require_property(card, connector, type, "WRITEBACK_OUT_FENCE_PTR"),
                             (uintptr_t)&fence);
    if (drmModeAtomicCommit(card, request, flags, NULL))
        die("start the writeback");
    drmModeAtomicFree(request);

    struct pollfd done = { .fd = fence, .events = POLLIN };
    bool finished = poll(&done, 1, 500) == 1;
    close(fence);
    return finished;
}

/* Two commits and not one: attaching the connector sets a mode, after which vkms reports the
 * flip done at once, and a flip of the other process before the next vblank would drop the job. */
static void capture(int card, uint32_t connector, uint32_t crtc, uint32_t framebuffer)
{
    const int attempts = 5;
    uint64_t attached = 0;
    find_property(card, connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", &attached);
    if (attached != crtc)
        route_writeback(card, connector, crtc);
    for (int attempt = 0; attempt < attempts; attempt++) {
        uint32_t flags = attempt ? DRM_MODE_ATOMIC_ALLOW_MODESET : 0;
        if (write_back(card, connector, crtc, framebuffer, flags))
            return;
    }
    fail("the card did not finish the writeback");
}

static void save_ppm(const char *path, const struct dumb_buffer *buffer)
{
    FILE *file = fopen(path, "wb");
    uint8_t *row = malloc((size_t)buffer->width * 3);
    if (!file || !row)
        die(path);
    fprintf(file, "P6\n%u %u\n255\n", buffer->width, buffer->height);
    for (uint32_t y = 0; y < buffer->height; y++) {
        const uint8_t *source = buffer->pixels + (size_t)y * buffer->pitch;
        for (uint32_t x = 0; x < buffer->width; x++) {
            row[x * 3] = source[x * 4 + 2];
            row[x * 3 + 1] = source[x * 4 + 1];
            row[x * 3 + 2] = source[x * 4];
        }
        fwrite(row, 3, buffer->width, file);
    }
    free(row);
    if (ferror(file) | fclose(file))
        die(path);
}

int main(int argc, char **argv)
{
    const char *path = DEFAULT_CARD;
    uint32_t wanted_crtc = 0;
    pid_t master = 0;
    bool keep = false, tell_time = false;
    int option;
    while ((option = getopt(argc, argv, "hktc:d:p:")) != -1) {
        switch (option) {
        case 'k': keep = true; break;
        case 't': tell_time = true; break;
        case 'c': wanted_crtc = strtoul(optarg, NULL, 0); break;
        case 'd': path = optarg; break;
        case 'p': master = atoi(optarg); break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }
    if (optind + 1 != argc) {
        fputs(usage, stderr);
        return 2;
    }

    int card = open_as_master(path, master);
    if (drmSetClientCap(card, DRM_CLIENT_CAP_ATOMIC, 1))
        die("atomic mode setting");
    if (drmSetClientCap(card, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1))
        die("writeback connectors");
    drmModeRes *resources = drmModeGetResources(card);
    if (!resources)
        die("card resources");

    int crtc_index;
    drmModeCrtc *crtc = find_active_crtc(card, resources, wanted_crtc, &crtc_index);
    uint32_t connector = find_writeback_connector(card, resources, crtc_index);
    struct dumb_buffer buffer;
    create_dumb_buffer(card, crtc->width, crtc->height, &buffer);
    capture(card, connector, crtc->crtc_id, buffer.framebuffer);
    if (tell_time) {
        struct timespec time;
        clock_gettime(CLOCK_MONOTONIC, &time);
        printf("%lld\n", time.tv_sec * 1000000000LL + time.tv_nsec);
    }
    save_ppm(argv[optind], &buffer);

    if (!keep)
        route_writeback(card, connector, 0);
    destroy_dumb_buffer(card, &buffer);
    /* The open file is shared: the master must not start to see a writeback connector. */
    drmSetClientCap(card, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 0);
    drmModeFreeCrtc(crtc);
    drmModeFreeResources(resources);
    return 0;
}
