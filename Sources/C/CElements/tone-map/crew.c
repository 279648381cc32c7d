#include "crew.h"

#include <glib.h>

enum {
    // Rows of blocks that a thread takes at a time: few enough to share a picture evenly, many enough to rarely wait
    // for the lock.
    SHARE = 8,
};

typedef struct {
    vit_crew *crew;
    GThread *thread;
    uint16_t *scratch;
} vit_helper;

struct vit_crew {
    GMutex lock;
    GCond work, done;
    // The picture that is being mapped; its number tells helpers that it is a new one.
    const vit_picture *picture;
    unsigned number;
    unsigned busy;
    gboolean is_over;
    gint next_row;
    uint16_t *scratch;
    unsigned count;
    vit_helper helpers[];
};

static void map_shares(vit_crew *crew, const vit_picture *picture, uint16_t *scratch) {
    int rows = vit_block_rows(picture);
    for (;;) {
        int first = g_atomic_int_add(&crew->next_row, SHARE);
        if (first >= rows) return;
        vit_map_rows(picture, first, MIN(first + SHARE, rows), scratch);
    }
}

static gpointer help(gpointer data) {
    vit_helper *helper = data;
    vit_crew *crew = helper->crew;
    unsigned seen = 0;
    g_mutex_lock(&crew->lock);
    for (;;) {
        while (!crew->is_over && crew->number == seen) g_cond_wait(&crew->work, &crew->lock);
        if (crew->is_over) break;
        seen = crew->number;
        const vit_picture *picture = crew->picture;
        g_mutex_unlock(&crew->lock);
        map_shares(crew, picture, helper->scratch);
        g_mutex_lock(&crew->lock);
        if (--crew->busy == 0) g_cond_signal(&crew->done);
    }
    g_mutex_unlock(&crew->lock);
    return NULL;
}

vit_crew *vit_crew_new(unsigned helpers, int width) {
    vit_crew *crew = g_malloc0(sizeof(vit_crew) + helpers * sizeof(vit_helper));
    g_mutex_init(&crew->lock);
    g_cond_init(&crew->work);
    g_cond_init(&crew->done);
    size_t bytes = vit_scratch_samples(width) * sizeof(uint16_t);
    crew->scratch = g_malloc(bytes);
    for (unsigned i = 0; i < helpers; i++) {
        vit_helper *helper = &crew->helpers[crew->count];
        helper->crew = crew;
        helper->scratch = g_malloc(bytes);
        helper->thread = g_thread_try_new("tone-map", help, helper, NULL);
        if (!helper->thread) {
            g_free(helper->scratch);
            break;
        }
        crew->count += 1;
    }
    return crew;
}

void vit_crew_free(vit_crew *crew) {
    g_mutex_lock(&crew->lock);
    crew->is_over = TRUE;
    g_cond_broadcast(&crew->work);
    g_mutex_unlock(&crew->lock);
    for (unsigned i = 0; i < crew->count; i++) {
        g_thread_join(crew->helpers[i].thread);
        g_free(crew->helpers[i].scratch);
    }
    g_free(crew->scratch);
    g_cond_clear(&crew->work);
    g_cond_clear(&crew->done);
    g_mutex_clear(&crew->lock);
    g_free(crew);
}

void vit_crew_map(vit_crew *crew, const vit_picture *picture) {
    g_mutex_lock(&crew->lock);
    crew->picture = picture;
    crew->number += 1;
    crew->busy = crew->count;
    g_atomic_int_set(&crew->next_row, 0);
    g_cond_broadcast(&crew->work);
    g_mutex_unlock(&crew->lock);
    map_shares(crew, picture, crew->scratch);
    g_mutex_lock(&crew->lock);
    while (crew->busy > 0) g_cond_wait(&crew->done, &crew->lock);
    g_mutex_unlock(&crew->lock);
}
