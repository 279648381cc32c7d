/* faulty-decoder: decoders of V4L2 that fail as those of boards do, made of the kernel's virtual ones, which don't.
 *
 * Loaded into a program by LD_PRELOAD, beside scaling-card.so if that is wanted, this stands between the program and the
 * kernel. A decoder begins when its queue of pictures is started. Environment:
 *
 *   FAULTY_DECODER_LOG=FILE        a line of JSON for each beginning, with the buffers for pictures that it has, and each fault
 *   FAULTY_DECODER_HANGS=3:10      of the decoders that begin, each third one gives 9 pictures and then none
 *   FAULTY_DECODER_FROM=20         the faults begin with the 20th decoder (default: 1)
 *   FAULTY_DECODER_HOW=silent      it takes what it is given and never answers (default); stuck: the call never returns
 *   FAULTY_DECODER_BUFFERS=9       so many buffers for pictures at most, whatever is asked for
 *   FAULTY_DECODER_CREATE=no       no buffers can be made later on: CREATE_BUFS is ENOTTY
 */
#define _GNU_SOURCE
#include "preload.h"

#include <errno.h>
#include <linux/media.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_FILES = 4096 };

static struct {
    unsigned every, at, from, buffers;
    bool is_stuck, cannot_create;
} settings = {.from = 1};

/* By descriptor. */
static struct {
    /* Which decoder, from 1 on; 0: none has begun. */
    unsigned number, pictures, buffers;
    /* Of a request: the device that it is for. */
    int device;
} files[MOST_FILES];
static unsigned begun;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void read_settings(void)
{
    open_log("FAULTY_DECODER_LOG");
    const char *text;
    if ((text = getenv("FAULTY_DECODER_HANGS"))) sscanf(text, "%u:%u", &settings.every, &settings.at);
    if ((text = getenv("FAULTY_DECODER_FROM"))) settings.from = (unsigned)strtoul(text, NULL, 10);
    if ((text = getenv("FAULTY_DECODER_BUFFERS"))) settings.buffers = (unsigned)strtoul(text, NULL, 10);
    settings.is_stuck = (text = getenv("FAULTY_DECODER_HOW")) && strcmp(text, "stuck") == 0;
    settings.cannot_create = (text = getenv("FAULTY_DECODER_CREATE")) && strcmp(text, "no") == 0;
}

static bool is_for_pictures(unsigned type)
{
    return type == V4L2_BUF_TYPE_VIDEO_CAPTURE || type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
}

/* Whether the next picture of this device never comes. */
static bool hangs(int device)
{
    unsigned number = files[device].number;
    if (!settings.every || !number || number < settings.from) return false;
    return (number - settings.from + 1) % settings.every == 0 && files[device].pictures + 1 >= settings.at;
}

/* A picture is asked for. */
static bool swallows(int device)
{
    if (device < 0 || device >= MOST_FILES || !files[device].number) return false;
    bool is_over = hangs(device);
    if (!is_over) {
        files[device].pictures++;
        return false;
    }
    if (files[device].pictures + 1 == settings.at)
        say("{\"call\":\"hang\",\"decoder\":%u,\"pictures\":%u}", files[device].number, files[device].pictures);
    /* Once is told. */
    files[device].pictures = settings.at;
    return true;
}

static int queue_request(int file, unsigned long request, void *argument)
{
    int device = file >= 0 && file < MOST_FILES ? files[file].device : -1;
    pthread_mutex_lock(&lock);
    bool is_over = device > 0 && swallows(device);
    pthread_mutex_unlock(&lock);
    if (is_over && settings.is_stuck)
        for (;;) pause();
    return is_over ? 0 : kernel_ioctl(file, request, argument);
}

static int start(int file, unsigned long request, void *argument)
{
    int result = kernel_ioctl(file, request, argument);
    if (result != 0 || !is_for_pictures(*(unsigned *)argument)) return result;
    pthread_mutex_lock(&lock);
    files[file].number = ++begun;
    files[file].pictures = 0;
    say("{\"call\":\"begin\",\"decoder\":%u,\"buffers\":%u}", begun, files[file].buffers);
    pthread_mutex_unlock(&lock);
    return result;
}

static int request_buffers(int file, unsigned long request, struct v4l2_requestbuffers *wish)
{
    bool is_limited = is_for_pictures(wish->type) && settings.buffers && wish->count > settings.buffers;
    if (is_limited) {
        say("{\"call\":\"limit\",\"asked\":%u,\"given\":%u}", wish->count, settings.buffers);
        wish->count = settings.buffers;
    }
    int result = kernel_ioctl(file, request, wish);
    if (result == 0 && is_for_pictures(wish->type)) files[file].buffers = wish->count;
    return result;
}

__attribute__((visibility("default"))) int ioctl(int file, unsigned long request, ...)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    pthread_once(&once, read_settings);
    if (file < 0 || file >= MOST_FILES) return kernel_ioctl(file, request, argument);
    switch ((unsigned)request) {
    case VIDIOC_STREAMON: return start(file, request, argument);
    case VIDIOC_REQBUFS: return request_buffers(file, request, argument);
    case VIDIOC_CREATE_BUFS:
        if (settings.cannot_create) return errno = ENOTTY, -1;
        break;
    case VIDIOC_QBUF: {
        const struct v4l2_buffer *buffer = argument;
        if (buffer->flags & V4L2_BUF_FLAG_REQUEST_FD && buffer->request_fd >= 0 && buffer->request_fd < MOST_FILES)
            files[buffer->request_fd].device = file;
        break;
    }
    case MEDIA_REQUEST_IOC_QUEUE: return queue_request(file, request, argument);
    }
    int result = kernel_ioctl(file, request, argument);
    if (result == 0 && (unsigned)request == VIDIOC_CREATE_BUFS) {
        const struct v4l2_create_buffers *made = argument;
        if (is_for_pictures(made->format.type)) files[file].buffers += made->count;
    }
    return result;
}
