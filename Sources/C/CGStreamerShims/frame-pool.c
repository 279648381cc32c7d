#include "FramePool.h"

#include <string.h>
#include <sys/mman.h>

#define MEMORY_TYPE "VitrineFrame"
// Blocks that are kept for reuse: those that are released between two frames, and one more. Others are given back at
// once.
enum { MOST_SPARE_BLOCKS = 3 };

// --- Memory ---------------------------------------------------------------------------------------------------------

typedef struct {
    GstAllocator parent;
    GMutex lock;
    gsize size;
    guint count;
    void *spare[MOST_SPARE_BLOCKS];
} VitFrameAllocator;

typedef struct {
    GstAllocatorClass parent;
} VitFrameAllocatorClass;

typedef struct {
    GstMemory memory;
    guint8 *block;
    gsize length;
    // How many mappings for writing there are now.
    gint writers;
    gint views;
} FrameMemory;

GType vit_frame_allocator_get_type(void);
G_DEFINE_TYPE(VitFrameAllocator, vit_frame_allocator, GST_TYPE_ALLOCATOR)

static void *take_block(VitFrameAllocator *self, gsize length)
{
    void *block = NULL;
    g_mutex_lock(&self->lock);
    if (self->size == length && self->count > 0) block = self->spare[--self->count];
    g_mutex_unlock(&self->lock);
    if (block) return block;
    // Pages of its own instead of the heap's: a deck's memory is given back with it, without leaving holes.
    block = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void give_block(VitFrameAllocator *self, void *block, gsize length)
{
    gboolean is_kept = FALSE;
    g_mutex_lock(&self->lock);
    if (self->count == 0) self->size = length;
    if (self->size == length && self->count < MOST_SPARE_BLOCKS) {
        self->spare[self->count++] = block;
        is_kept = TRUE;
    }
    g_mutex_unlock(&self->lock);
    if (!is_kept) munmap(block, length);
}

static GstMemory *allocate(GstAllocator *allocator, gsize size, GstAllocationParams *params)
{
    enum { MOST_ALIGNMENT = 4095 };
    // Blocks begin at a page.
    if (params->align > MOST_ALIGNMENT) return NULL;
    gsize prefix = (params->prefix + params->align) & ~params->align;
    gsize length = prefix + size + params->padding;
    guint8 *block = take_block((VitFrameAllocator *)allocator, length);
    if (!block) return NULL;
    // A reused block may have any content.
    if (params->flags & GST_MEMORY_FLAG_ZERO_PREFIXED) memset(block, 0, prefix);
    if (params->flags & GST_MEMORY_FLAG_ZERO_PADDED) memset(block + prefix + size, 0, params->padding);
    FrameMemory *self = g_new0(FrameMemory, 1);
    self->block = block;
    self->length = length;
    gst_memory_init(GST_MEMORY_CAST(self), params->flags, allocator, NULL, length, params->align, prefix, size);
    return GST_MEMORY_CAST(self);
}

static void release(GstAllocator *allocator, GstMemory *memory)
{
    FrameMemory *self = (FrameMemory *)memory;
    give_block((VitFrameAllocator *)allocator, self->block, self->length);
    g_free(self);
}

static gpointer map(GstMemory *memory, GstMapInfo *info, gsize size)
{
    (void)size;
    FrameMemory *self = (FrameMemory *)memory;
    if (info->flags & GST_MAP_WRITE) g_atomic_int_inc(&self->writers);
    return self->block;
}

static void unmap(GstMemory *memory, GstMapInfo *info)
{
    FrameMemory *self = (FrameMemory *)memory;
    if (info->flags & GST_MAP_WRITE) g_atomic_int_add(&self->writers, -1);
}

static void view_gone(gpointer data)
{
    FrameMemory *self = data;
    g_atomic_int_add(&self->views, -1);
    gst_memory_unref(GST_MEMORY_CAST(self));
}

static GstMemory *view(GstMemory *memory, gssize offset, gssize size)
{
    FrameMemory *self = (FrameMemory *)memory;
    gsize begin = memory->offset + (gsize)offset;
    gsize length = size < 0 ? memory->size - (gsize)offset : (gsize)size;
    g_atomic_int_inc(&self->views);
    return gst_memory_new_wrapped(
        GST_MEMORY_FLAG_READONLY, self->block, memory->maxsize, begin, length, gst_memory_ref(memory), view_gone);
}

static GstMemory *copy(GstMemory *memory, gssize offset, gssize size)
{
    FrameMemory *self = (FrameMemory *)memory;
    // A decoder that passes on a frame while it keeps it mapped only reads it from then on: later pictures refer to it.
    if (g_atomic_int_get(&self->writers) > 0) return view(memory, offset, size);
    gsize length = size < 0 ? memory->size - (gsize)offset : (gsize)size;
    GstMemory *copy = gst_allocator_alloc(NULL, length, NULL);
    GstMapInfo to;
    if (!copy) return NULL;
    if (!gst_memory_map(copy, &to, GST_MAP_WRITE)) {
        gst_memory_unref(copy);
        return NULL;
    }
    memcpy(to.data, self->block + memory->offset + offset, length);
    gst_memory_unmap(copy, &to);
    return copy;
}

static void finalize_allocator(GObject *object)
{
    VitFrameAllocator *self = (VitFrameAllocator *)object;
    for (guint i = 0; i < self->count; i++) munmap(self->spare[i], self->size);
    g_mutex_clear(&self->lock);
    G_OBJECT_CLASS(vit_frame_allocator_parent_class)->finalize(object);
}

static void vit_frame_allocator_class_init(VitFrameAllocatorClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize_allocator;
    GST_ALLOCATOR_CLASS(class)->alloc = allocate;
    GST_ALLOCATOR_CLASS(class)->free = release;
}

static void vit_frame_allocator_init(VitFrameAllocator *self)
{
    GstAllocator *allocator = GST_ALLOCATOR_CAST(self);
    g_mutex_init(&self->lock);
    allocator->mem_type = MEMORY_TYPE;
    allocator->mem_map_full = map;
    allocator->mem_unmap_full = unmap;
    allocator->mem_copy = copy;
    allocator->mem_share = view;
    GST_OBJECT_FLAG_SET(allocator, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

gboolean vit_is_pool_memory(GstMemory *memory) { return gst_memory_is_type(memory, MEMORY_TYPE); }

// --- Buffers --------------------------------------------------------------------------------------------------------

typedef struct {
    GstVideoBufferPool parent;
    GstAllocator *allocator;
    GstAllocationParams params;
    guint size;
} VitFramePool;

typedef struct {
    GstVideoBufferPoolClass parent;
} VitFramePoolClass;

GType vit_frame_pool_get_type(void);
G_DEFINE_TYPE(VitFramePool, vit_frame_pool, GST_TYPE_VIDEO_BUFFER_POOL)

static gboolean set_config(GstBufferPool *pool, GstStructure *config)
{
    VitFramePool *self = (VitFramePool *)pool;
    if (gst_buffer_pool_config_get_allocator(config, NULL, &self->params))
        gst_buffer_pool_config_set_allocator(config, self->allocator, &self->params);
    if (!GST_BUFFER_POOL_CLASS(vit_frame_pool_parent_class)->set_config(pool, config)) return FALSE;
    // The parent's function may have enlarged them.
    return gst_buffer_pool_config_get_params(config, NULL, &self->size, NULL, NULL);
}

static void release_buffer(GstBufferPool *pool, GstBuffer *buffer)
{
    GstMemory *memory = gst_buffer_n_memory(buffer) == 1 ? gst_buffer_peek_memory(buffer, 0) : NULL;
    if (memory && vit_is_pool_memory(memory) && g_atomic_int_get(&((FrameMemory *)memory)->views) > 0) {
        // The memory stays for the views, and is given back when they have gone. With new memory the buffer can be used
        // at once.
        VitFramePool *self = (VitFramePool *)pool;
        GstMemory *other = gst_allocator_alloc(self->allocator, self->size, &self->params);
        if (other) {
            gst_buffer_replace_all_memory(buffer, other);
            GST_BUFFER_FLAG_UNSET(buffer, GST_BUFFER_FLAG_TAG_MEMORY);
        } else {
            // The pool then frees the buffer.
            GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_TAG_MEMORY);
        }
    }
    GST_BUFFER_POOL_CLASS(vit_frame_pool_parent_class)->release_buffer(pool, buffer);
}

static void finalize_pool(GObject *object)
{
    gst_object_unref(((VitFramePool *)object)->allocator);
    G_OBJECT_CLASS(vit_frame_pool_parent_class)->finalize(object);
}

static void vit_frame_pool_class_init(VitFramePoolClass *class)
{
    G_OBJECT_CLASS(class)->finalize = finalize_pool;
    GST_BUFFER_POOL_CLASS(class)->set_config = set_config;
    GST_BUFFER_POOL_CLASS(class)->release_buffer = release_buffer;
}

static void vit_frame_pool_init(VitFramePool *self)
{
    self->allocator = g_object_new(vit_frame_allocator_get_type(), NULL);
    gst_object_ref_sink(self->allocator);
}

GstBufferPool *vit_frame_pool_new(void)
{
    GstBufferPool *pool = g_object_new(vit_frame_pool_get_type(), NULL);
    gst_object_ref_sink(pool);
    return pool;
}
