// The record that a run keeps of itself in memory that outlives it, and the handler for fatal signals.
//
// The memory is a mapped file: however the process ends, the kernel keeps what was stored. On tmpfs this wears out no
// disk, and a store into it is no system call. The next process reads the file (CrashRecord in KioskCore, which knows
// this layout by its offsets).
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

// Version of this layout; a record of another version isn't read.
#define VIT_RECORD_VERSION 2

enum {
    VIT_RECORD_DECKS = 6,
    VIT_RECORD_FRAMES = 64,
    VIT_RECORD_MODULES = 32,
    VIT_RECORD_ADDRESS = 4096,
    VIT_RECORD_ELEMENTS = 1024,
    VIT_RECORD_LOG = 16384,
};

// The state of a deck. `leaving`: it has been told to go and isn't gone yet.
typedef enum {
    VIT_STEP_NONE,
    VIT_STEP_BUILDING,
    VIT_STEP_READY,
    VIT_STEP_SEEKING,
    VIT_STEP_PLAYING,
    VIT_STEP_LEAVING,
} vit_step;

// How a run ended, as far as the run itself could record it.
typedef enum {
    VIT_END_NONE,
    // The run was asked to end, and has ended.
    VIT_END_CLEAN,
    // Another process is to take over at the same place.
    VIT_END_HAND_OVER,
    // The run was asked to end, and is ending.
    VIT_END_ASKED,
} vit_end;

// Texts end with a NUL, and are truncated where they are longer. Times are nanoseconds of CLOCK_BOOTTIME, except
// `real`.
typedef struct {
    // The deck's number in this run; 0 for a free entry.
    uint32_t deck;
    uint32_t step;
    // The item's place in the list, from 1; 0 for none.
    uint32_t number;
    uint32_t element_bytes;
    int64_t position;
    int64_t since;
    char screen[64];
    // The address that is played, and the one in the list.
    char uri[VIT_RECORD_ADDRESS];
    char listed[VIT_RECORD_ADDRESS];
    char sha256[72];
    // Names of the elements, a line each.
    char elements[VIT_RECORD_ELEMENTS];
} vit_record_deck;

typedef struct {
    // Offset in its module, as symbolisers want it.
    uint64_t offset;
    // Index of the module; -1 for none.
    int64_t module;
} vit_record_frame;

typedef struct {
    // 0 when no fatal signal was caught.
    int32_t signal;
    // As in siginfo_t: above 0 for a fault that the kernel has found.
    int32_t code;
    int32_t sender;
    // The deck that the thread worked for; 0 for none or an unknown one.
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
    // When the loop last came round, and when a frame was first shown; 0 before.
    int64_t alive;
    int64_t first_frame;
    char boot[40];
    char program[64];
    // Number of bytes that were ever written to `log`, which holds the last of them.
    uint64_t log_bytes;
    // How many processes the kernel had killed for lack of memory when this run began; -1 where it doesn't say.
    int64_t memory_kills;
    // Since when the run has known that it is stuck; 0 when it isn't.
    int64_t stuck_since;
    // The deck that is blamed for that; 0 for none.
    uint32_t stuck_deck;
    uint32_t reserved;
    vit_record_crash crash;
    vit_record_deck decks[VIT_RECORD_DECKS];
    char log[VIT_RECORD_LOG];
    // The call into a screen's driver that the loop is in, and since when; 0 outside of such a call.
    int64_t call_since;
    char call[64];
} vit_record;

// Makes a new file and maps it as this run's record. Call once in a process.
//
// Returns 0, else a negative errno: then there is no record, and all functions below have no effect.
int vit_record_open(const char *path, const char *boot, const char *program, int64_t memory_kills);

void vit_record_end(vit_end end);
// Records a turn of the loop. A loop that hasn't come round for longer than longest_round (nanoseconds) was stuck.
void vit_record_alive(int64_t longest_round);
void vit_record_first_frame(void);
int vit_record_has_shown(void);

// Records that the run is stuck and is to be ended for it; with the deck that is blamed, or 0. The first such entry
// stays until vit_record_well.
void vit_record_stuck(uint32_t deck);
void vit_record_well(void);

// Records a deck that is about to be built. Where all entries are taken, the oldest one is replaced.
void vit_record_deck_opens(
    uint32_t deck, const char *screen, uint32_t number, const char *uri, const char *listed, const char *sha256, int64_t position);

// Records a deck's next step. No effect for an unknown deck.
void vit_record_deck_step(uint32_t deck, const char *screen, vit_step step);
void vit_record_deck_position(uint32_t deck, const char *screen, int64_t position);
void vit_record_deck_goes(uint32_t deck, const char *screen);

// Records an element that was added to a pipeline. Any thread.
void vit_record_element(uint32_t deck, const char *name);

// Records that the loop is about to call a screen's driver; NULL: that it has returned.
void vit_record_call(const char *_Nullable what);

// Records a line of the log, without its end. Any thread.
void vit_record_log(const char *line, uint64_t length);

// Sets the deck that the calling thread works for (0 for none), and gives the thread a stack for the handler.
void vit_crash_thread_serves(uint32_t deck);

// Installs the handler: fatal signals are recorded, where there is a record, before the process dies of them. Handlers
// that were installed before, such as Swift's backtracing, aren't called: that one would swallow signals from outside.
// Exit status and core dumps don't change. Call once.
//
// Returns 0, else a negative errno.
int vit_crash_install(void);

// The time limit of the handler in seconds, for tests of the limits.
enum { VIT_CRASH_PATIENCE = 2 };

#pragma clang assume_nonnull end
