#define _GNU_SOURCE
#include "CWaylandShims.h"
#include "viewporter-client-protocol.h"
#include "xdg-shell-client-protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

const struct wl_interface *vit_wl_compositor_interface(void) { return &wl_compositor_interface; }
const struct wl_interface *vit_wl_subcompositor_interface(void) { return &wl_subcompositor_interface; }
const struct wl_interface *vit_wl_shm_interface(void) { return &wl_shm_interface; }
const struct wl_interface *vit_wl_seat_interface(void) { return &wl_seat_interface; }
const struct wl_interface *vit_wl_output_interface(void) { return &wl_output_interface; }
const struct wl_interface *vit_xdg_wm_base_interface(void) { return &xdg_wm_base_interface; }
const struct wl_interface *vit_wp_viewporter_interface(void) { return &wp_viewporter_interface; }

int vit_memory_file(size_t size)
{
    int fd = memfd_create("vitrine", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -1;
    if (ftruncate(fd, (off_t)size) < 0) {
        int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    // A file that can't shrink can't crash the compositor with SIGBUS; compositors read such files without guards.
    // Without the seal everything works as well.
    (void)fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL);
    return fd;
}
