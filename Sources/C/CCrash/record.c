#define _GNU_SOURCE
#include "crash.h"
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// CrashRecord in KioskCore reads these offsets.
_Static_assert(sizeof(vit_record_deck) == 96 + 2 * VIT_RECORD_ADDRESS + 72 + VIT_RECORD_ELEMENTS, "a deck has no gaps");
_Static_assert(offsetof(vit_record_crash, frames) == 64, "a crash has no gaps");
_Static_assert(offsetof(vit_record, boot) == 56 && offsetof(vit_record, log_bytes) == 160, "a head has no gaps");
_Static_assert(offsetof(vit_record, memory_kills) == 168 && offsetof(vit_record, stuck_deck) == 184, "a head has no gaps");
_Static_assert(offsetof(vit_record, crash) == 192, "nothing before the crash");
_Static_assert(offsetof(vit_record, log) == 192 + sizeof(vit_record_crash) + VIT_RECORD_DECKS * sizeof(vit_record_deck), "no gaps");

_Static_assert(offsetof(vit_record, call_since) == offsetof(vit_record, log) + VIT_RECORD_LOG, "no gap before the call");

vit_record *vit_the_record;

// Held by threads that write a log line or an element; such writes are rare and short.
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { pthread_mutex_lock(&busy); }
static void unlock(void) { pthread_mutex_unlock(&busy); }

int64_t vit_boot_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void copy(char *target, size_t size, const char *text)
{
    size_t length = strnlen(text, size - 1);
    memcpy(target, text, length);
    memset(target + length, 0, size - length);
}

int vit_record_open(const char *path, const char *boot, const char *program, int64_t memory_kills)
{
    if (vit_the_record) return -EEXIST;
    // A new file: a process that hangs in a driver may still have the old one mapped.
    if (unlink(path) != 0 && errno != ENOENT) return -errno;
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return -errno;
    // The blocks are allocated now, so that a full disk fails here instead of by SIGBUS later.
    int code = -posix_fallocate(file, 0, sizeof(vit_record));
    void *memory = MAP_FAILED;
    if (code == 0) {
        memory = mmap(NULL, sizeof(vit_record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (memory == MAP_FAILED) code = -errno;
    }
    close(file);
    if (code != 0) {
        unlink(path);
        return code;
    }
    vit_record *record = memory;
    record->version = VIT_RECORD_VERSION;
    record->size = sizeof(vit_record);
    record->pid = getpid();
    record->started = vit_boot_time();
    record->started_real = time(NULL);
    record->memory_kills = memory_kills;
    copy(record->boot, sizeof record->boot, boot);
    copy(record->program, sizeof record->program, program);
    // Last: without the magic the file isn't a record.
    memcpy(record->magic, "VITRINE", 8);
    vit_the_record = record;
    return 0;
}

void vit_record_end(vit_end end) { if (vit_the_record) vit_the_record->end = end; }

void vit_record_alive(int64_t longest_round)
{
    static int64_t last_round;
    if (!vit_the_record) return;
    int64_t now = vit_boot_time();
    /* The first round after a silence proves nothing: a process that was stopped is let go on so that it takes the watchdog's
     * SIGABRT, and may come round once more before that does. */
    int is_late = last_round && now - last_round > longest_round;
    last_round = now;
    if (!is_late) vit_the_record->alive = now;
}

void vit_record_first_frame(void)
{
    if (vit_the_record && !vit_the_record->first_frame) vit_the_record->first_frame = vit_boot_time();
}

void vit_record_stuck(uint32_t deck)
{
    if (!vit_the_record || vit_the_record->stuck_since) return;
    vit_the_record->stuck_deck = deck;
    // Last: a reader of `stuck_since` then finds the deck.
    atomic_signal_fence(memory_order_seq_cst);
    vit_the_record->stuck_since = vit_boot_time();
}

void vit_record_well(void)
{
    if (vit_the_record && vit_the_record->stuck_since) vit_the_record->stuck_since = 0;
}

int vit_record_has_shown(void) { return vit_the_record && vit_the_record->first_frame; }

static vit_record_deck *_Nullable find(uint32_t deck, const char *screen)
{
    if (!vit_the_record || !deck) return NULL;
    for (int index = 0; index < VIT_RECORD_DECKS; index++) {
        vit_record_deck *place = &vit_the_record->decks[index];
        if (place->deck == deck && strncmp(place->screen, screen, sizeof place->screen - 1) == 0) return place;
    }
    return NULL;
}

void vit_record_deck_opens(
    uint32_t deck, const char *screen, uint32_t number, const char *uri, const char *listed, const char *sha256, int64_t position)
{
    if (!vit_the_record || !deck) return;
    vit_record_deck *place = find(deck, screen);
    for (int index = 0; index < VIT_RECORD_DECKS && !place; index++)
        if (!vit_the_record->decks[index].deck) place = &vit_the_record->decks[index];
    if (!place) {
        place = &vit_the_record->decks[0];
        for (int index = 1; index < VIT_RECORD_DECKS; index++)
            if (vit_the_record->decks[index].since < place->since) place = &vit_the_record->decks[index];
    }
    lock();
    // A half-written entry belongs to no deck.
    place->deck = 0;
    atomic_signal_fence(memory_order_seq_cst);
    place->step = VIT_STEP_BUILDING;
    place->number = number;
    place->element_bytes = 0;
    memset(place->elements, 0, sizeof place->elements);
    place->position = position;
    place->since = vit_boot_time();
    copy(place->screen, sizeof place->screen, screen);
    copy(place->uri, sizeof place->uri, uri);
    copy(place->listed, sizeof place->listed, listed);
    copy(place->sha256, sizeof place->sha256, sha256);
    atomic_signal_fence(memory_order_seq_cst);
    place->deck = deck;
    unlock();
}

void vit_record_deck_step(uint32_t deck, const char *screen, vit_step step)
{
    vit_record_deck *place = find(deck, screen);
    if (!place) return;
    place->step = step;
    place->since = vit_boot_time();
}

void vit_record_deck_position(uint32_t deck, const char *screen, int64_t position)
{
    vit_record_deck *place = find(deck, screen);
    if (place) place->position = position;
}

void vit_record_deck_goes(uint32_t deck, const char *screen)
{
    vit_record_deck *place = find(deck, screen);
    if (place) place->deck = 0;
}

void vit_record_element(uint32_t deck, const char *name)
{
    if (!vit_the_record || !deck) return;
    lock();
    for (int index = 0; index < VIT_RECORD_DECKS; index++) {
        vit_record_deck *place = &vit_the_record->decks[index];
        if (place->deck != deck) continue;
        size_t length = strlen(name), at = place->element_bytes;
        // The last byte stays a NUL.
        if (at + length + 2 > sizeof place->elements) continue;
        memcpy(place->elements + at, name, length);
        place->elements[at + length] = '\n';
        place->element_bytes = (uint32_t)(at + length + 1);
    }
    unlock();
}

void vit_record_call(const char *what)
{
    if (!vit_the_record) return;
    vit_the_record->call_since = 0;
    if (!what) return;
    copy(vit_the_record->call, sizeof vit_the_record->call, what);
    atomic_signal_fence(memory_order_seq_cst);
    vit_the_record->call_since = vit_boot_time();
}

void vit_record_log(const char *line, uint64_t length)
{
    if (!vit_the_record) return;
    // One line must not push out all others.
    if (length > VIT_RECORD_LOG / 16) length = VIT_RECORD_LOG / 16;
    lock();
    uint64_t at = vit_the_record->log_bytes;
    for (uint64_t index = 0; index < length; index++) {
        char byte = line[index] == '\n' ? ' ' : line[index];
        vit_the_record->log[(at + index) % VIT_RECORD_LOG] = byte;
    }
    vit_the_record->log[(at + length) % VIT_RECORD_LOG] = '\n';
    vit_the_record->log_bytes = at + length + 1;
    unlock();
}
