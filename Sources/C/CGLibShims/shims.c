#define _GNU_SOURCE
#include "CGLibShims.h"

#include <sys/timerfd.h>
#include <sys/timex.h>

#include <errno.h>
#include <pthread.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

int vit_spawn_close_from(void *actions, int first)
{
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

void vit_thread_set_name(const char *name) { pthread_setname_np(pthread_self(), name); }

static gboolean wake_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    // Re-armed before the drain, so that a wake during the drain is not lost.
    g_source_set_ready_time(source, -1);
    return callback ? callback(data) : G_SOURCE_REMOVE;
}

static GSourceFuncs wake_funcs = {NULL, NULL, wake_dispatch, NULL, NULL, NULL};

GSource *vit_wake_source_new(int priority, gboolean (*drain)(gpointer), gpointer data, GDestroyNotify destroy)
{
    GSource *source = g_source_new(&wake_funcs, sizeof(GSource));
    g_source_set_priority(source, priority);
    g_source_set_callback(source, drain, data, destroy);
    g_source_set_can_recurse(source, FALSE);
    g_source_set_static_name(source, "vitrine-wake");
    return source;
}

void vit_wake_source_wake(GSource *source) { g_source_set_ready_time(source, 0); }

typedef struct {
    GSource source;
    gint64 repeat_us;
} TimerSource;

static gboolean timer_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    TimerSource *timer = (TimerSource *)source;
    if (timer->repeat_us > 0) {
        // From the due time, not from now: a late dispatch must not make the timer drift.
        gint64 next = g_source_get_ready_time(source) + timer->repeat_us;
        gint64 now = g_get_monotonic_time();
        g_source_set_ready_time(source, next > now ? next : now + timer->repeat_us);
    } else {
        g_source_set_ready_time(source, -1);
    }
    gboolean again = callback ? callback(data) : G_SOURCE_REMOVE;
    return timer->repeat_us > 0 ? again : G_SOURCE_REMOVE;
}

static GSourceFuncs timer_funcs = {NULL, NULL, timer_dispatch, NULL, NULL, NULL};

GSource *vit_timer_source_new(int64_t first_us, int64_t repeat_us)
{
    GSource *source = g_source_new(&timer_funcs, sizeof(TimerSource));
    ((TimerSource *)source)->repeat_us = repeat_us;
    g_source_set_ready_time(source, g_get_monotonic_time() + first_us);
    g_source_set_static_name(source, "vitrine-timer");
    return source;
}

typedef struct {
    GSource source;
    GPollFD poll;
    uint32_t (*will_poll)(gpointer data);
    gboolean (*did_poll)(gpointer data, uint32_t ready);
    gpointer data;
} PollSource;

static gboolean poll_prepare(GSource *source, gint *timeout)
{
    PollSource *self = (PollSource *)source;
    *timeout = -1;
    uint32_t events = self->will_poll(self->data);
    // Written directly: g_source_modify_unix_fd would wake the context, which would then spin.
    self->poll.events = (gushort)events;
    self->poll.revents = 0;
    return events == 0;
}

static gboolean poll_check(GSource *source)
{
    PollSource *self = (PollSource *)source;
    return self->did_poll(self->data, self->poll.revents);
}

static gboolean poll_dispatch(GSource *source, GSourceFunc callback, gpointer data)
{
    return callback ? callback(data) : G_SOURCE_REMOVE;
}

static GSourceFuncs poll_funcs = {poll_prepare, poll_check, poll_dispatch, NULL, NULL, NULL};

GSource *vit_poll_source_new(int fd, int priority, uint32_t (*will_poll)(gpointer data),
                             gboolean (*did_poll)(gpointer data, uint32_t ready), gpointer data)
{
    GSource *source = g_source_new(&poll_funcs, sizeof(PollSource));
    PollSource *self = (PollSource *)source;
    self->poll.fd = fd;
    self->will_poll = will_poll;
    self->did_poll = did_poll;
    self->data = data;
    g_source_add_poll(source, &self->poll);
    g_source_set_priority(source, priority);
    g_source_set_can_recurse(source, FALSE);
    g_source_set_static_name(source, "vitrine-poll");
    return source;
}

gboolean vit_is_clock_synchronised(void)
{
    struct timex state = { 0 };
    return adjtimex(&state) != TIME_ERROR && !(state.status & STA_UNSYNC);
}

int vit_clock_jumps_open(void)
{
    int descriptor = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (descriptor >= 0) vit_clock_jumps_take(descriptor);
    return descriptor;
}

gboolean vit_clock_jumps_take(int descriptor)
{
    uint64_t count = 0;
    gboolean has_jumped = read(descriptor, &count, sizeof count) < 0 && errno == ECANCELED;
    // A due time that is never awaited: the timer exists to be cancelled by a change of the clock.
    struct itimerspec later = {.it_value = {.tv_sec = time(NULL) + (time_t)30 * 365 * 86400}};
    timerfd_settime(descriptor, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &later, NULL);
    return has_jumped;
}
