/* kms-flips: tells when the planes of a card show something else. Reads only, needs not be master. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "kms-common.h"

static const char usage[] =
    "usage: kms-flips [-d CARD] [-i MICROSECONDS]\n"
    "\n"
    "Prints one line \"TIME PLANE FB\" when a plane of CARD shows another framebuffer\n"
    "than before (0: none), until it is ended. TIME is in microseconds since 1970, as\n"
    "EPOCHREALTIME of bash. Looks each MICROSECONDS (default 1000).\n";

#define MOST 64

int main(int argc, char **argv)
{
    const char *path = DEFAULT_CARD;
    long interval = 1000;
    int option;
    while ((option = getopt(argc, argv, "hd:i:")) != -1) {
        switch (option) {
        case 'd': path = optarg; break;
        case 'i': interval = atol(optarg); break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }
    int card = open_without_mastering(path);
    if (drmSetClientCap(card, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1))
        die("planes");
    drmModePlaneRes *planes = drmModeGetPlaneResources(card);
    if (!planes)
        die("plane resources");
    setvbuf(stdout, NULL, _IOLBF, 0);
    uint32_t shown[MOST] = { 0 };
    for (;;) {
        for (uint32_t i = 0; i < planes->count_planes && i < MOST; i++) {
            drmModePlane *plane = drmModeGetPlane(card, planes->planes[i]);
            uint32_t framebuffer = plane ? plane->fb_id : 0;
            if (plane)
                drmModeFreePlane(plane);
            if (framebuffer == shown[i])
                continue;
            shown[i] = framebuffer;
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            printf("%lld %u %u\n", now.tv_sec * 1000000LL + now.tv_nsec / 1000, planes->planes[i], framebuffer);
        }
        struct timespec wait = { .tv_sec = interval / 1000000, .tv_nsec = interval % 1000000 * 1000 };
        nanosleep(&wait, NULL);
    }
}
