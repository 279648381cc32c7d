/* Shared by the kms-* tools of the virtual board. */
#ifndef KMS_COMMON_H
#define KMS_COMMON_H

#include <stdbool.h>
#include <stdint.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

#define DEFAULT_CARD "/dev/dri/card0"

/* Prints "PROGRAM: WHAT: error text of errno" and ends the program with status 1. */
_Noreturn void die(const char *what);

/* Prints "PROGRAM: MESSAGE" and ends the program with status 1. */
_Noreturn void fail(const char *message);

/* The id of an object's property, 0 when there is none; its present value goes to *value
 * unless value is NULL. */
uint32_t find_property(int card, uint32_t object, uint32_t object_type, const char *name, uint64_t *value);

/* As find_property, but a missing property ends the program. */
uint32_t require_property(int card, uint32_t object, uint32_t object_type, const char *name);

/* True when commits made through this open file are accepted. */
bool is_master(int card);

/* Opens a card without becoming its master. Whoever opens one that has no master becomes it: to step
 * back before the program under test can notice, all memory is made present first, so that nothing
 * between the two calls waits. */
int open_without_mastering(const char *path);

/* A picture in memory which the display hardware can read or write. */
struct dumb_buffer {
    uint32_t width, height, pitch, handle, framebuffer;
    uint64_t size;
    uint8_t *pixels; /* XRGB8888: bytes B, G, R, X */
};

void create_dumb_buffer(int card, uint32_t width, uint32_t height, struct dumb_buffer *buffer);
void destroy_dumb_buffer(int card, struct dumb_buffer *buffer);

#endif
