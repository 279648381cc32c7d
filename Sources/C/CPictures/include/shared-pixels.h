// Memory that two processes share, and its transfer through a socket. Swift can't use these by itself: memfd_create,
// the seals, the macros of SCM_RIGHTS.
#pragma once

#include <stddef.h>

#pragma clang assume_nonnull begin

// Makes memory of that size, sealed against shrinking and growing: a reader of a file that shrinks would crash. Returns
// a descriptor, else a negative errno.
int vit_pixels_make(size_t size);

// Makes a file of those bytes, sealed against changes. Returns a descriptor, else a negative errno.
int vit_pixels_make_file(const void *bytes, size_t size);

// Sends a descriptor with one byte. Returns 0, else a negative errno. Doesn't wait.
int vit_pixels_send(int socket, int descriptor);

// Waits for a descriptor. Returns it, else a negative errno.
int vit_pixels_receive(int socket);

// Null where the memory can't be mapped.
void *_Nullable vit_pixels_map(int descriptor, size_t size);
// Populates all pages at once. Without this, and where the kernel can't do it (before 5.14), each page is populated
// when it is first written.
void vit_pixels_populate(void *pixels, size_t size);
void vit_pixels_unmap(void *pixels, size_t size);

#pragma clang assume_nonnull end
