#include "SharedFrames.h"

#include "Frames.h"

#include <dlfcn.h>
#include <gst/video/video.h>
#include <string.h>

// GStreamer 1.22 only: the first name. Later versions use the second.
static const char *const memory_types[] = {"wl_shm", "shm"};

// GStreamer makes the allocator with a sink's first connection; to have it earlier, the sink's library is asked
// directly.
static GstAllocator *shared_allocator(void)
{
    static const char *const makers[][2] = {
        {"libgstwayland-1.0.so.0", "gst_wl_shm_allocator_init_once"},
        {"libgstallocators-1.0.so.0", "gst_shm_allocator_init_once"}};
    for (gsize i = 0; i < G_N_ELEMENTS(makers); i++) {
        void *library = dlopen(makers[i][0], RTLD_LAZY | RTLD_NOLOAD);
        if (!library) continue;
        void (*make)(void) = (void (*)(void))dlsym(library, makers[i][1]);
        if (make) make();
        // The sink's plugin keeps the library loaded.
        dlclose(library);
        GstAllocator *allocator = gst_allocator_find(memory_types[i]);
        if (allocator) return allocator;
    }
    return NULL;
}

gboolean vit_offer_shared_frames(GstQuery *query)
{
    GstCaps *caps = NULL;
    GstVideoInfo info;
    gst_query_parse_allocation(query, &caps, NULL);
    if (!caps || gst_query_get_n_allocation_pools(query) > 0 || !vit_video_info(&info, caps)) return FALSE;
    GstAllocator *allocator = shared_allocator();
    if (!allocator) return FALSE;
    GstBufferPool *pool = gst_video_buffer_pool_new();
    GstStructure *config = gst_buffer_pool_get_config(pool);
    gst_buffer_pool_config_set_params(config, caps, GST_VIDEO_INFO_SIZE(&info), 2, 0);
    gst_buffer_pool_config_set_allocator(config, allocator, NULL);
    gboolean is_set = gst_buffer_pool_set_config(pool, config);
    if (is_set) {
        gst_query_add_allocation_pool(query, pool, GST_VIDEO_INFO_SIZE(&info), 2, 0);
        gst_query_add_allocation_param(query, allocator, NULL);
    }
    gst_object_unref(pool);
    gst_object_unref(allocator);
    return is_set;
}

gboolean vit_is_shared_frame(GstBuffer *buffer)
{
    if (gst_buffer_n_memory(buffer) != 1) return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(memory_types); i++)
        if (gst_memory_is_type(gst_buffer_peek_memory(buffer, 0), memory_types[i])) return TRUE;
    return FALSE;
}

// --- Releasing the original later ---------------------------------------------------------------------------------

typedef struct {
    GstMeta meta;
    GstBuffer *original;
} LaterMeta;

static GstBuffer *waiting;

static void exchange(GstBuffer *original)
{
    GstBuffer *before = __atomic_exchange_n(&waiting, original, __ATOMIC_SEQ_CST);
    if (before) gst_buffer_unref(before);
}

static gboolean meta_init(GstMeta *meta, gpointer params, GstBuffer *buffer)
{
    ((LaterMeta *)meta)->original = NULL;
    return TRUE;
}

// A buffer frees its metas before its memory.
static void meta_free(GstMeta *meta, GstBuffer *buffer)
{
    GstBuffer *original = ((LaterMeta *)meta)->original;
    if (original) exchange(original);
}

static const GstMetaInfo *later_meta(void)
{
    static gsize is_made = 0;
    static const GstMetaInfo *info = NULL;
    if (g_once_init_enter(&is_made)) {
        static const char *tags[] = {NULL};
        GType type = gst_meta_api_type_register("VitrineLaterMetaAPI", tags);
        // Copies don't get this meta: their memory is the original's, which its pool then throws away.
        info = gst_meta_register(type, "VitrineLaterMeta", sizeof(LaterMeta), meta_init, meta_free, NULL);
        g_once_init_leave(&is_made, 1);
    }
    return info;
}

GstBuffer *vit_shared_frame_copy(GstBuffer *original)
{
    GstBuffer *buffer = gst_buffer_copy(original);
    LaterMeta *meta = (LaterMeta *)gst_buffer_add_meta(buffer, later_meta(), NULL);
    meta->original = gst_buffer_ref(original);
    return buffer;
}

void vit_release_shared_frame(void) { exchange(NULL); }
