// The parts of GLib that Swift can't use by itself: macros, variadic functions, GSource subclasses. Each entry gives
// its reason.
#pragma once

#include <glib.h>
// The settings of glibc's allocator, which Swift's Glibc module leaves out.
#include <malloc.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// pthread_setname_np is hidden behind _GNU_SOURCE.
void vit_thread_set_name(const char *name);

// Closes all files from that number on in the process that is started. Hidden behind _GNU_SOURCE too; `actions` is a
// posix_spawn_file_actions_t, whose header Swift has from Glibc.
int vit_spawn_close_from(void *actions, int first);

// A GSource that carries only a wake-up. GSourceFuncs has to live as long as the process. `drain` runs on the context's
// thread after vit_wake_source_wake; a wake-up during a drain isn't lost. `destroy` is called with `data` when the
// source is freed, which may be on any thread.
GSource *vit_wake_source_new(int priority, gboolean (*drain)(gpointer), gpointer data, GDestroyNotify destroy);
void vit_wake_source_wake(GSource *source);

// A one-shot or repeating timer with microsecond resolution (g_timeout_source_new has milliseconds).
GSource *vit_timer_source_new(int64_t first_us, int64_t repeat_us);

// A source for a descriptor that needs work right before and right after each poll. `will_poll` returns the
// GIOCondition to wait for, or 0 to be dispatched at once; `did_poll` gets what is ready and returns whether to
// dispatch. Both get the `data` of the source's callback and are never called after g_source_destroy.
GSource *vit_poll_source_new(int fd, int priority, uint32_t (*will_poll)(gpointer data),
                             gboolean (*did_poll)(gpointer data, uint32_t ready), gpointer data);

// Whether the kernel reports its clock as synchronised. Swift's Glibc module leaves out <sys/timex.h>.
gboolean vit_is_clock_synchronised(void);

// Opens a descriptor that becomes readable when the clock is set; the caller closes it. -1 where the kernel has none.
// Not in Swift's Glibc module.
int vit_clock_jumps_open(void);
// Whether the clock was set; the descriptor then waits for the next time.
gboolean vit_clock_jumps_take(int descriptor);

#pragma clang assume_nonnull end
