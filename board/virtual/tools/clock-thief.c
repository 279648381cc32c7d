/* clock-thief: has a program's pipeline tell that its clock is lost, as a sound device does that is unplugged.
 *
 * Loaded into a program by LD_PRELOAD. CLOCK_THIEF is a FIFO: each line that is written into it is the name of a pipeline, which
 * then posts the message. Nothing else is done to its clock, which goes on.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_PIPELINES = 16 };
static struct {
    char name[32];
    void *pipeline;
} newest[MOST_PIPELINES];
static unsigned count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *known(const char *name)
{
    void *pipeline = NULL;
    pthread_mutex_lock(&lock);
    for (unsigned each = 0; each < count; each++)
        if (strcmp(newest[each].name, name) == 0)
            pipeline = newest[each].pipeline;
    pthread_mutex_unlock(&lock);
    return pipeline;
}

static void tell_loss(void *pipeline)
{
    void *(*clock_of)(void *) = (void *(*)(void *))dlsym(RTLD_DEFAULT, "gst_element_get_clock");
    void *(*message)(void *, void *) = (void *(*)(void *, void *))dlsym(RTLD_DEFAULT, "gst_message_new_clock_lost");
    int (*post)(void *, void *) = (int (*)(void *, void *))dlsym(RTLD_DEFAULT, "gst_element_post_message");
    void (*unref)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "gst_object_unref");
    if (!clock_of || !message || !post || !unref)
        return;
    void *clock = clock_of(pipeline);
    if (!clock)
        return;
    post(pipeline, message(pipeline, clock));
    unref(clock);
}

/* Not by stdio: whoever waits in it has the stream locked, and exit() of glibc 2.41 (Debian 13) waits for the lock. */
static void *listen_for_names(void *path)
{
    /* For writing too, so that there is no end of it. */
    int fifo = open(path, O_RDWR | O_CLOEXEC);
    char name[32], byte;
    size_t length = 0;
    while (fifo >= 0 && read(fifo, &byte, 1) == 1) {
        if (byte != '\n') {
            if (length < sizeof name - 1)
                name[length++] = byte;
            continue;
        }
        name[length] = 0;
        length = 0;
        void *pipeline = known(name);
        if (pipeline)
            tell_loss(pipeline);
    }
    return NULL;
}

/* Pipelines that live as long as the program; of one that is made anew the newest counts. */
void *gst_pipeline_new(const char *name)
{
    void *(*original)(const char *);
    *(void **)&original = dlsym(RTLD_NEXT, "gst_pipeline_new");
    void *pipeline = original ? original(name) : NULL;
    const char *path = getenv("CLOCK_THIEF");
    if (!pipeline || !name || !path)
        return pipeline;
    pthread_mutex_lock(&lock);
    unsigned place = 0;
    while (place < count && strcmp(newest[place].name, name) != 0)
        place++;
    if (place < MOST_PIPELINES) {
        snprintf(newest[place].name, sizeof newest[place].name, "%s", name);
        newest[place].pipeline = pipeline;
        if (place == count && count++ == 0) {
            pthread_t thread;
            pthread_create(&thread, NULL, listen_for_names, strdup(path));
        }
    }
    pthread_mutex_unlock(&lock);
    return pipeline;
}
