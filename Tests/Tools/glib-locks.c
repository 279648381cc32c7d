// Tells the thread sanitizer of GLib's locks, which are futexes inside a library that it doesn't instrument: without this it
// takes whatever a lock of GLib or GStreamer orders for a race. `sanitize thread` builds it and preloads it into the tests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib.h>

// Of the sanitizer's runtime, which is part of the tests' program; other programs that it starts don't have them.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

static void taken(void *lock) {
    if (__tsan_acquire) __tsan_acquire(lock);
}

static void given(void *lock) {
    if (__tsan_release) __tsan_release(lock);
}

// The library's own function of that name, looked up when it is needed first. Two threads may both look: they find the same.
#define LIBRARY(function)                                                                                                    \
    ({                                                                                                                       \
        static typeof(&(function)) found;                                                                                    \
        typeof(found) known = __atomic_load_n(&found, __ATOMIC_ACQUIRE);                                                     \
        if (!known) {                                                                                                        \
            known = (typeof(known))dlsym(RTLD_NEXT, #function);                                                              \
            __atomic_store_n(&found, known, __ATOMIC_RELEASE);                                                               \
        }                                                                                                                    \
        known;                                                                                                               \
    })

#define LOCK(type, name)                                                                                                     \
    void name##_lock(type *lock) {                                                                                           \
        LIBRARY(name##_lock)(lock);                                                                                          \
        taken(lock);                                                                                                         \
    }                                                                                                                        \
    void name##_unlock(type *lock) {                                                                                         \
        given(lock);                                                                                                         \
        LIBRARY(name##_unlock)(lock);                                                                                        \
    }                                                                                                                        \
    gboolean name##_trylock(type *lock) {                                                                                    \
        gboolean is_taken = LIBRARY(name##_trylock)(lock);                                                                   \
        if (is_taken) taken(lock);                                                                                           \
        return is_taken;                                                                                                     \
    }

LOCK(GMutex, g_mutex)
LOCK(GRecMutex, g_rec_mutex)

void g_cond_wait(GCond *condition, GMutex *lock) {
    given(lock);
    LIBRARY(g_cond_wait)(condition, lock);
    taken(lock);
}

gboolean g_cond_wait_until(GCond *condition, GMutex *lock, gint64 end) {
    given(lock);
    gboolean is_signalled = LIBRARY(g_cond_wait_until)(condition, lock, end);
    taken(lock);
    return is_signalled;
}
