// What a process takes from itself before it opens files that somebody else has made. There is no way back.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

// What may be used; 0 leaves it as it is.
typedef struct {
    // Bytes of memory of its own.
    uint64_t memory;
    // Seconds of the processor, from now on.
    uint64_t processor;
    // Open files.
    uint64_t files;
    // Sockets may be made.
    int has_network;
} vit_limits;

// What couldn't be taken: a mask of these. All of it is tried.
enum {
    VIT_SANDBOX_LIMITS = 1,
    VIT_SANDBOX_CALLS = 2,
};

// No file is made, changed or taken away, no program is started, no other process is looked into or signalled, and, but for who needs
// it, no socket is made. Threads that there are already are held too. Where memory runs out the kernel ends this process first.
int vit_sandbox_enter(const vit_limits *limits);

// From now on so many seconds of the processor, however many were used before: for who works as long as somebody asks, and is watched by
// that one. A limit for all time stays.
void vit_sandbox_allow_processor(uint64_t seconds);

// What is used up so far that whatever failed just now may have failed for want of it: a mask of these.
enum {
    VIT_SPENT_FILES = 1,
    VIT_SPENT_MEMORY = 2,
};

// So much memory is to be had yet, else it counts as used up: some pictures of 8K.
enum { VIT_SPENT_ROOM = 128 << 20 };

int vit_sandbox_spent(void);

// Exit status of a process that has died of that: this and the mask. No other part of the program ends with such a code.
enum { VIT_SPENT_CODE = 100 };

// From now on a fault of this process ends it with that code, where something is used up; else as it would have.
void vit_sandbox_tell_spent(void);

#pragma clang assume_nonnull end
