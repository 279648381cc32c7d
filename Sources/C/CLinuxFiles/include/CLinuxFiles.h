// Opening files below a folder without leaving it (openat2(2), openat(2)). What Swift cannot reach by itself: glibc has no
// function for openat2, and openat is variadic.
//
// Functions give a descriptor, else a negative errno. O_CLOEXEC is always added.
#pragma once

#pragma clang assume_nonnull begin

// By openat2: no symbolic link is followed, and no part leads out of the folder.
//
// Fails with -ELOOP for a link, -EXDEV for a way out, -ENOSYS on kernels before 5.6; a sandbox that doesn't know the call says
// -EPERM.
int vit_open_beneath(int folder, const char *path, int flags);

// By openat: one name in a folder, which is not followed if it is a link (with O_PATH the link itself is opened).
int vit_open_entry(int folder, const char *name, int flags);

// O_PATH: for looking at what a path leads to, without opening it. Not in Swift's Glibc, as it isn't in POSIX.
int vit_open_path_flag(void);

#pragma clang assume_nonnull end
