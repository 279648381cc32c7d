// What a run writes down of itself in memory that outlives it, and what is left to do when it is about to die of a signal.
//
// The memory is a file that is mapped: whatever ends the process, the kernel keeps what was stored. On tmpfs that wears out no disk, and
// a store into it is no system call. The next process reads the file (RunRecord in KioskCore, which knows this layout by its offsets).
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

// Of this layout; another one isn't read.
#define VIT_RECORD_VERSION 2

enum {
    VIT_RECORD_DECKS = 6,
    VIT_RECORD_FRAMES = 64,
    VIT_RECORD_MODULES = 32,
    VIT_RECORD_ADDRESS = 4096,
    VIT_RECORD_ELEMENTS = 1024,
    VIT_RECORD_LOG = 16384,
};

// What a deck is at. `leaving`: it is told to go and isn't gone.
typedef enum {
    VIT_STEP_NONE,
    VIT_STEP_BUILDING,
    VIT_STEP_READY,
    VIT_STEP_SEEKING,
    VIT_STEP_PLAYING,
    VIT_STEP_LEAVING,
} vit_step;

// How a run ended, as far as it could say it.
typedef enum {
    VIT_END_NONE,
    // It was asked to.
    VIT_END_CLEAN,
    // Another process is to go on where it was.
    VIT_END_HAND_OVER,
    // It is asked to, and on its way.
    VIT_END_ASKED,
} vit_end;

// Texts end with a NUL, and are cut off where they are longer. Times are nanoseconds of CLOCK_BOOTTIME, but for `real`.
typedef struct {
    // Its number in this run; 0: nothing is here.
    uint32_t deck;
    uint32_t step;
    // Place in the list, from 1; 0: in none.
    uint32_t number;
    uint32_t element_bytes;
    int64_t position;
    int64_t since;
    char screen[64];
    // What is played, and what the list says.
    char uri[VIT_RECORD_ADDRESS];
    char listed[VIT_RECORD_ADDRESS];
    char sha256[72];
    // Names, a line each.
    char elements[VIT_RECORD_ELEMENTS];
} vit_record_deck;

typedef struct {
    // In its module, as the tools for symbols want it.
    uint64_t offset;
    // -1: in none.
    int64_t module;
} vit_record_frame;

typedef struct {
    // 0: none was met.
    int32_t signal;
    // As in siginfo_t: above 0 the kernel has found a fault.
    int32_t code;
    int32_t sender;
    // The deck that the thread works for; 0: none, or not known.
    uint32_t deck;
    uint64_t fault_address;
    int64_t at;
    int64_t real;
    char thread[16];
    uint32_t frame_count;
    uint32_t module_count;
    vit_record_frame frames[VIT_RECORD_FRAMES];
    char modules[VIT_RECORD_MODULES][160];
} vit_record_crash;

typedef struct {
    char magic[8];
    uint32_t version;
    uint32_t size;
    int32_t pid;
    uint32_t end;
    int64_t started;
    // Seconds since 1970.
    int64_t started_real;
    // The loop went round; a frame was shown first; 0: not yet.
    int64_t alive;
    int64_t first_frame;
    char boot[40];
    char program[64];
    // How many bytes were ever written to `log`; the last are there.
    uint64_t log_bytes;
    // How many processes the kernel had ended for want of memory when this run began; -1: it doesn't say.
    int64_t memory_kills;
    // Since when the run says of itself that it stands still; 0: it doesn't.
    int64_t stuck_since;
    // What it blames for that; 0: nothing.
    uint32_t stuck_deck;
    uint32_t reserved;
    vit_record_crash crash;
    vit_record_deck decks[VIT_RECORD_DECKS];
    char log[VIT_RECORD_LOG];
    // The call into a screen's driver that the loop is in, and since when; 0: in none.
    int64_t call_since;
    char call[64];
} vit_record;

// Makes the file anew and maps it; what is written from now on goes there. Once in a process.
//
// Returns 0, else a negative errno: then nothing is written down, and all that follows does nothing.
int vit_record_open(const char *path, const char *boot, const char *program, int64_t memory_kills);

// 0 where there is no record.
int vit_record_is_open(void);

// No other run reads what this one wrote: for tests.
void vit_record_close(void);

void vit_record_end(vit_end end);
// A loop that hasn't come round for longer than longest_round (nanoseconds) stood still.
void vit_record_alive(int64_t longest_round);
void vit_record_first_frame(void);
int vit_record_has_shown(void);

// It stands still, and is to be ended for that; with this deck, or 0. What was said first stays until all is well.
void vit_record_stuck(uint32_t deck);
void vit_record_well(void);

// A deck is about to be built. Where all places are taken, that of the oldest goes.
void vit_record_deck_opens(
    uint32_t deck, const char *screen, uint32_t number, const char *uri, const char *listed, const char *sha256, int64_t position);

// It is about to do something. One that isn't there: nothing.
void vit_record_deck_step(uint32_t deck, const char *screen, vit_step step);
void vit_record_deck_position(uint32_t deck, const char *screen, int64_t position);
void vit_record_deck_goes(uint32_t deck, const char *screen);

// A pipeline has put in an element. Any thread.
void vit_record_element(uint32_t deck, const char *name);

// The loop is about to call a screen's driver; NULL: it has come back.
void vit_record_call(const char *_Nullable what);

// A line of the log, without its end. Any thread.
void vit_record_log(const char *line, uint64_t length);

// The thread that calls works for this deck from now on, and has a stack for the handler; 0: for none.
void vit_crash_thread_serves(uint32_t deck);

// Has fatal signals written down, where there is a record, before the process dies of them. Whoever caught them before us, such as
// Swift's own backtracing, hears of none: it would swallow those that come from outside. Exit status and core dumps stay what they
// are. Once is enough.
//
// Returns 0, else a negative errno.
int vit_crash_install(void);

// For tests of limits: what the handler may take, in seconds.
enum { VIT_CRASH_PATIENCE = 2 };

#pragma clang assume_nonnull end
