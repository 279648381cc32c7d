// Makes GStreamer's decoder of H.264 in software dereference null in the middle of a film, as a faulty one does with a damaged
// file.
// For LD_PRELOAD.
//
// Only where the file that is played ends with the eight bytes "CRASHES!", at its 20th picture or that of CRASH_AT; with
// CRASH_HOW=abort it calls abort, with CRASH_HOW=stack it uses up its stack, with CRASH_HOW=memory all memory that there is, with
// CRASH_HOW=kill it kills itself by SIGKILL, and with CRASH_HOW=block it doesn't come back. What comes behind the last box of an MP4 is read by nobody else.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gst/gst.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The first members of GstVideoDecoderClass are an element's class and its functions; this one has its place by the headers.
#include <gst/video/gstvideodecoder.h>

static GstFlowReturn (*handle_frame)(GstVideoDecoder *, GstVideoCodecFrame *);

static gboolean is_marked(const char *path)
{
    FILE *file = fopen(path, "rb");
    char end[8] = "";
    if (!file) return FALSE;
    gboolean is_read = fseek(file, -8, SEEK_END) == 0 && fread(end, 1, 8, file) == 8;
    fclose(file);
    return is_read && memcmp(end, "CRASHES!", 8) == 0;
}

// The file that the decoder's pipeline plays.
static gboolean plays_marked(GstElement *element)
{
    GstObject *top = gst_object_ref(GST_OBJECT(element));
    GstObject *parent;
    while ((parent = gst_object_get_parent(top))) {
        gst_object_unref(top);
        top = parent;
    }
    GstElement *source = GST_IS_BIN(top) ? gst_bin_get_by_name(GST_BIN(top), "source") : NULL;
    char *location = NULL;
    if (source && g_object_class_find_property(G_OBJECT_GET_CLASS(source), "location"))
        g_object_get(source, "location", &location, NULL);
    gboolean is = location && is_marked(location);
    g_free(location);
    if (source) gst_object_unref(source);
    gst_object_unref(top);
    return is;
}

__attribute__((noinline)) static int use_up(int depth)
{
    volatile char page[4096];
    page[0] = (char)depth;
    // Always; the compiler isn't to know.
    return depth < 0 ? 0 : use_up(depth + 1) + page[0];
}

static GstFlowReturn faulty_handle_frame(GstVideoDecoder *decoder, GstVideoCodecFrame *frame)
{
    const char *at = getenv("CRASH_AT");
    if (frame->system_frame_number == (at ? (guint)atoi(at) : 20) && plays_marked(GST_ELEMENT(decoder))) {
        const char *how = getenv("CRASH_HOW");
        if (how && strcmp(how, "abort") == 0) abort();
        if (how && strcmp(how, "stack") == 0) exit(use_up(0));
        if (how && strcmp(how, "kill") == 0) raise(SIGKILL);
        if (how && strcmp(how, "memory") == 0)
            for (char *taken; (taken = malloc(1 << 20));) memset(taken, 1, 1 << 20);
        // Not by turning: virtual time would stand still as well.
        if (how && strcmp(how, "block") == 0)
            for (;;) pause();
        *(volatile int *)NULL = 0;
    }
    return handle_frame(decoder, frame);
}

gboolean gst_init_check(int *argc, char **argv[], GError **error)
{
    gboolean (*init)(int *, char ***, GError **) =
        (gboolean (*)(int *, char ***, GError **))dlsym(RTLD_NEXT, "gst_init_check");
    if (!init || !init(argc, argv, error)) return FALSE;
    GstElementFactory *factory = gst_element_factory_find("avdec_h264");
    GstPluginFeature *loaded = factory ? gst_plugin_feature_load(GST_PLUGIN_FEATURE(factory)) : NULL;
    if (!loaded) return TRUE;
    GstVideoDecoderClass *type = g_type_class_ref(gst_element_factory_get_element_type(GST_ELEMENT_FACTORY(loaded)));
    if (!handle_frame) {
        handle_frame = type->handle_frame;
        type->handle_frame = faulty_handle_frame;
    }
    return TRUE;
}
