// The parts of Wayland that Swift can't use by itself. Each entry gives its reason.
#pragma once

#include <stddef.h>
#include <wayland-client.h>

#pragma clang assume_nonnull begin

// Swift imports the value of an `extern const struct`, and its address is lost; libwayland compares addresses.
const struct wl_interface *vit_wl_compositor_interface(void);
const struct wl_interface *vit_wl_subcompositor_interface(void);
const struct wl_interface *vit_wl_shm_interface(void);
const struct wl_interface *vit_wl_seat_interface(void);
const struct wl_interface *vit_wl_output_interface(void);
const struct wl_interface *vit_xdg_wm_base_interface(void);
const struct wl_interface *vit_wp_viewporter_interface(void);

// An anonymous file of `size` zero bytes that can't shrink, or -1 with errno set. The caller closes it.
// memfd_create and the seals are hidden behind _GNU_SOURCE.
int vit_memory_file(size_t size);

#pragma clang assume_nonnull end
