/* Parts of scaling-card.so; see scaling-card.c. */
#ifndef SCALING_CARD_H
#define SCALING_CARD_H

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <stdbool.h>
#include <stdint.h>

/* libdrm of Debian 12 is older than this call. */
#ifndef DRM_IOCTL_MODE_CLOSEFB
struct drm_mode_closefb { uint32_t fb_id, pad; };
#define DRM_IOCTL_MODE_CLOSEFB DRM_IOWR(0xD0, struct drm_mode_closefb)
#endif

/* --- scaling-card-draw.c: pictures scaled by the processor, as a plane would. Not for several threads at once. */

/* A dmabuf was imported as this handle: framebuffers made of it are read by the dmabuf itself. */
void card_note_import(uint32_t handle, int dmabuf);
void card_forget_import(uint32_t handle);
/* The dmabufs of the handles that a framebuffer was made of, which may be closed while it lives. Whether there are any. */
bool card_note_framebuffer(const struct drm_mode_fb_cmd2 *fb);
void card_forget_framebuffer(uint32_t fb);

/* Draws the part of `picture` that `wanted` shows in the size in which it shows it, nearest pixel, into a framebuffer of
 * its own; gives that one's number, or 0 for a format or a memory that can't be read. */
uint32_t card_draw_scaled(int card, const struct drm_mode_set_plane *wanted, const struct drm_mode_fb_cmd2 *picture);

#endif
