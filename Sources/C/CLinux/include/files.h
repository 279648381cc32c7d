// Opens files below a folder without leaving it (openat2(2), openat(2)). Swift can't do this by itself: glibc has no
// function for openat2, and openat is variadic.
//
// Functions return a descriptor, else a negative errno. O_CLOEXEC is always added.
#pragma once

#pragma clang assume_nonnull begin

// Opens with openat2: no symbolic link is followed, and no part of the path leads out of the folder.
//
// Fails with -ELOOP for a link, -EXDEV for a way out, -ENOSYS on kernels before 5.6, and -EPERM in a sandbox that
// doesn't allow the call.
int vit_open_beneath(int folder, const char *path, int flags);

// Opens one name in a folder with openat, without following a link (with O_PATH the link itself is opened).
int vit_open_entry(int folder, const char *name, int flags);

// O_PATH: to examine the file at a path without opening it. Not in Swift's Glibc, as it isn't in POSIX.
int vit_open_path_flag(void);

#pragma clang assume_nonnull end
