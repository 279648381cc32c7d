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

// No file grows by what this process writes, no program is started, no other process is looked into, and, but for who needs it, no
// socket is made. Threads that there are already are held too.
int vit_sandbox_enter(const vit_limits *limits);

#pragma clang assume_nonnull end
