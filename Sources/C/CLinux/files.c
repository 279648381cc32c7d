#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

// The number is the same on every architecture; older headers lack it.
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

static int result(long returned) { return returned < 0 ? -errno : (int)returned; }

int vit_open_beneath(int folder, const char *path, int flags)
{
    struct open_how how = {
        .flags = (unsigned int)(flags | O_CLOEXEC),
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
    };
    return result(syscall(SYS_openat2, folder, path, &how, sizeof how));
}

int vit_open_entry(int folder, const char *name, int flags)
{
    return result(openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC));
}

int vit_open_path_flag(void) { return O_PATH; }
