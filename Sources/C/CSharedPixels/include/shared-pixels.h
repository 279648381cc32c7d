// Memory that two processes have, and its way through a socket. What Swift can't reach: memfd_create, the seals, the macros of SCM_RIGHTS.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

// Makes memory of that size, which whoever gets it can't make shorter or longer: a reader of a file that shrinks dies of it.
// Gives a descriptor, else a negative errno.
int vit_pixels_make(size_t size);

// One byte goes along. 0, else a negative errno. Doesn't wait.
int vit_pixels_send(int socket, int descriptor);

// Waits for it. Gives a descriptor, else a negative errno.
int vit_pixels_receive(int socket);

// Null where that isn't to be had.
void *_Nullable vit_pixels_map(int descriptor, size_t size);
void vit_pixels_unmap(void *pixels, size_t size);

#pragma clang assume_nonnull end
