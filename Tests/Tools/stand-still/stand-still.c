// Has a part of the player stand still, while it plays. For LD_PRELOAD.
//
// The file that STAND_STILL names says which part; whoever reads it takes it away, so that the next process is whole:
//   loop            a handler of the loop doesn't return
//   sink-block      the sink of the video doesn't return from a frame
//   sink-drop       it drops each frame, and says so to nobody but its own count
//   modeset-block   the kernel doesn't return from a change of modes
//   plane-drop      the kernel says that each frame is on its plane, and puts none there
//   decoder-block   the decoder doesn't return from a frame
// A line on standard error tells when it begins, by CLOCK_MONOTONIC in milliseconds.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <gst/gst.h>
#include <gst/video/gstvideodecoder.h>
#include <gst/video/gstvideosink.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char *path;

// Whether this part is to stand still, from now on.
static int is_asked(const char *part, volatile int *stands) {
    if (*stands) return 1;
    FILE *file = path ? fopen(path, "re") : NULL;
    if (!file) return 0;
    char word[32] = "";
    if (!fgets(word, sizeof word, file)) word[0] = 0;
    fclose(file);
    word[strcspn(word, "\n")] = 0;
    if (strcmp(word, part) != 0) return 0;
    // Two threads may read it: only one takes it away.
    if (unlink(path) != 0) return 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    fprintf(stderr, "stand-still: %s at %lld\n", part, (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000);
    *stands = 1;
    return 1;
}

// Not by turning: virtual time would stand still as well.
static void stand_still(void) {
    for (;;) pause();
}

// --- The loop: where it tells that all is well --------------------------------------------------------------------

ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
    static ssize_t (*original)(int, const struct msghdr *, int);
    static volatile int stands;
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "sendmsg");
    const struct iovec *part = message->msg_iovlen > 0 ? message->msg_iov : NULL;
    if (part && part->iov_len >= 8 && memmem(part->iov_base, part->iov_len, "WATCHDOG", 8) && is_asked("loop", &stands))
        stand_still();
    return original ? original(socket, message, flags) : -1;
}

// --- The card -----------------------------------------------------------------------------------------------------

int ioctl(int file, unsigned long request, ...) {
    static int (*original)(int, unsigned long, void *);
    static volatile int stands, drops;
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "ioctl");
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    // DRM_IOCTL_MODE_ATOMIC; struct drm_mode_atomic begins with its flags: test only is 0x100, a change of modes 0x400.
    const unsigned flags = request == 0xC03864BCUL && argument ? *(unsigned *)argument : 0;
    if ((flags & 0x500) == 0x400 && is_asked("modeset-block", &stands)) stand_still();
    // DRM_IOCTL_MODE_SETPLANE
    if (request == 0xC03064B7UL && is_asked("plane-drop", &drops)) return 0;
    return original ? original(file, request, argument) : -1;
}

// --- Elements -----------------------------------------------------------------------------------------------------

static GstFlowReturn (*render)(GstVideoSink *, GstBuffer *);

static GstFlowReturn standing_render(GstVideoSink *sink, GstBuffer *buffer) {
    static volatile int blocks, drops;
    if (is_asked("sink-block", &blocks)) stand_still();
    if (is_asked("sink-drop", &drops)) return GST_FLOW_CUSTOM_SUCCESS;
    return render(sink, buffer);
}

static GstFlowReturn (*decode)(GstVideoDecoder *, GstVideoCodecFrame *);

static GstFlowReturn standing_decode(GstVideoDecoder *decoder, GstVideoCodecFrame *frame) {
    // This one alone: others go on.
    volatile int blocks = 0;
    if (is_asked("decoder-block", &blocks)) stand_still();
    return decode(decoder, frame);
}

static gpointer class_of(const char *name) {
    GstElementFactory *factory = gst_element_factory_find(name);
    GstPluginFeature *loaded = factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : NULL;
    return loaded ? g_type_class_ref(gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded))) : NULL;
}

gboolean gst_init_check(int *argc, char **argv[], GError **error) {
    gboolean (*init)(int *, char ***, GError **) =
        (gboolean (*)(int *, char ***, GError **))dlsym(RTLD_NEXT, "gst_init_check");
    if (!init || !init(argc, argv, error)) return FALSE;
    path = getenv("STAND_STILL");
    GstVideoSinkClass *sink = class_of("kmssink");
    if (sink && !render) {
        render = sink->show_frame;
        sink->show_frame = standing_render;
    }
    GstVideoDecoderClass *decoder = class_of("avdec_h264");
    if (decoder && !decode) {
        decode = decoder->handle_frame;
        decoder->handle_frame = standing_decode;
    }
    return TRUE;
}
