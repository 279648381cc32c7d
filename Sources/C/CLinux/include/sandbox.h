// Restricts a process before it opens untrusted files. It can't be undone.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

// Resource limits; 0 leaves a limit unchanged.
typedef struct {
    // Bytes of the process's own memory.
    uint64_t memory;
    // Seconds of processor time, from now on.
    uint64_t processor;
    // Open files.
    uint64_t files;
    // Whether sockets may be made.
    int has_network;
} vit_limits;

// The restrictions that failed: a mask of these. All of them are attempted.
enum {
    VIT_SANDBOX_LIMITS = 1,
    VIT_SANDBOX_CALLS = 2,
};

// Forbids making, changing and removing files, starting programs, reading and signalling other processes, and, unless
// `has_network`, making sockets. Applies to existing threads too. If memory runs out, the kernel ends this process
// first.
int vit_sandbox_enter(const vit_limits *limits);

// Allows this many seconds of processor time from now on, however many were used before: for a process that works on
// request and is watched by the process that asks. A limit for its whole life stays.
void vit_sandbox_allow_processor(uint64_t seconds);

// The resources that are used up, which may have caused the latest failure: a mask of these.
enum {
    VIT_SPENT_FILES = 1,
    VIT_SPENT_MEMORY = 2,
};

// Memory counts as used up when less than this is left: some pictures of 8K.
enum { VIT_SPENT_ROOM = 128 << 20 };

int vit_sandbox_spent(void);

// Exit status of a process that has died of a used-up resource: this plus the mask. No other part of the program uses
// such a status.
enum { VIT_SPENT_CODE = 100 };

// From now on a fault of this process ends it with that status, if a resource is used up; otherwise as usual.
void vit_sandbox_tell_spent(void);

#pragma clang assume_nonnull end
