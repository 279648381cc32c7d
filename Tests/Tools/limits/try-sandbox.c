// Enters the sandbox of probes and tries what it is to refuse. In a folder of its own, with a file `f` and a folder `d` in it.
//
// usage: try-sandbox calls      prints a line for each call: its name, and the error's number, or 0
//        try-sandbox abort      calls abort(3)
//        try-sandbox processor  uses the processor for longer than it may
//        try-sandbox memory     takes memory until there is none, then faults
//        try-sandbox files      opens files until there is none, then faults
//        try-sandbox fault      just faults
#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static long number_of_x32(void)
{
#ifdef __x86_64__
    return 0x40000000L | 39;
#else
    // There is none: what is refused anyway stands for it.
    return __NR_kill;
#endif
}

static void say(const char *name, long result) { printf("%s %d\n", name, result < 0 ? errno : 0); }
#define TRY(name, ...) say(name, syscall(__VA_ARGS__))

static void calls(int file)
{
    pid_t parent = getppid(), self = getpid();
    struct open_how how = {.flags = O_RDONLY};
    siginfo_t info = {.si_code = SI_QUEUE};
    char byte;
    struct iovec here = {&byte, 1};
    char *none[] = {NULL};
    int at = AT_FDCWD;
    TRY("execve", __NR_execve, "/bin/true", none, none);
    TRY("execveat", __NR_execveat, at, "/bin/true", none, none, 0);
    TRY("ptrace", __NR_ptrace, PTRACE_TRACEME, 0, 0, 0);
    TRY("process_vm_readv", __NR_process_vm_readv, self, &here, 1UL, &here, 1UL, 0UL);
    TRY("process_vm_writev", __NR_process_vm_writev, self, &here, 1UL, &here, 1UL, 0UL);
    TRY("kill", __NR_kill, parent, 0);
    TRY("tkill", __NR_tkill, parent, 0);
    TRY("tgkill of another", __NR_tgkill, parent, parent, 0);
    TRY("rt_sigqueueinfo", __NR_rt_sigqueueinfo, parent, 0, &info);
    TRY("rt_tgsigqueueinfo", __NR_rt_tgsigqueueinfo, parent, parent, 0, &info);
    TRY("pidfd_send_signal", 424, syscall(434, parent, 0), 0, NULL, 0);
    TRY("pidfd_getfd", 438, syscall(434, self, 0), 0, 0);
    TRY("io_uring_setup", 425, 1, NULL);
    TRY("io_uring_enter", 426, file, 0, 0, 0, NULL, 0);
    TRY("io_uring_register", 427, file, 0, NULL, 0);
    TRY("x32", number_of_x32());
    TRY("socket", __NR_socket, AF_INET, SOCK_STREAM, 0);
    TRY("openat that makes", __NR_openat, at, "made", O_WRONLY | O_CREAT, 0600);
    TRY("openat that empties", __NR_openat, at, "f", O_WRONLY | O_TRUNC, 0);
    TRY("truncate", __NR_truncate, "f", 1L);
    TRY("ftruncate", __NR_ftruncate, file, 1L);
    TRY("fallocate", __NR_fallocate, file, 3, 0L, 1L);
    TRY("renameat2", __NR_renameat2, at, "f", at, "g", 0);
    TRY("linkat", __NR_linkat, at, "f", at, "g", 0);
    TRY("symlinkat", __NR_symlinkat, "f", at, "g");
    TRY("mkdirat", __NR_mkdirat, at, "g", 0700);
    TRY("mknodat", __NR_mknodat, at, "g", S_IFREG | 0600, 0);
    TRY("fchmod", __NR_fchmod, file, 0600);
    TRY("fchmodat", __NR_fchmodat, at, "f", 0600);
    TRY("fchmodat2", 452, at, "f", 0600, 0);
    TRY("fchown", __NR_fchown, file, getuid(), getgid());
    TRY("fchownat", __NR_fchownat, at, "f", getuid(), getgid(), 0);
    TRY("utimensat", __NR_utimensat, at, "f", NULL, 0);
    TRY("setxattr", __NR_setxattr, "f", "user.a", "b", 1UL, 0);
    TRY("unlinkat", __NR_unlinkat, at, "f", 0);
    TRY("unlinkat of a folder", __NR_unlinkat, at, "d", AT_REMOVEDIR);
#ifdef __NR_renameat
    TRY("renameat", __NR_renameat, at, "f", at, "g");
#endif
#ifdef __NR_open
    TRY("open that makes", __NR_open, "made", O_WRONLY | O_CREAT, 0600);
    TRY("open that empties", __NR_open, "f", O_WRONLY | O_TRUNC, 0);
    TRY("creat", __NR_creat, "f", 0600);
    TRY("rename", __NR_rename, "f", "g");
    TRY("link", __NR_link, "f", "g");
    TRY("symlink", __NR_symlink, "f", "g");
    TRY("mkdir", __NR_mkdir, "g", 0700);
    TRY("mknod", __NR_mknod, "g", S_IFREG | 0600, 0);
    TRY("chmod", __NR_chmod, "f", 0600);
    TRY("chown", __NR_chown, "f", getuid(), getgid());
    TRY("rmdir", __NR_rmdir, "d");
    TRY("unlink", __NR_unlink, "f");
#endif
    TRY("allowed: openat2 as if it weren't there", __NR_openat2, at, "f", &how, sizeof how);
    TRY("allowed: openat", __NR_openat, at, "f", O_RDWR, 0);
    TRY("allowed: tgkill of itself", __NR_tgkill, self, (pid_t)syscall(__NR_gettid), 0);
}

int main(int count, char **words)
{
    if (count != 2) return 64;
    int file = open("f", O_RDWR);
    vit_limits limits = {.memory = 512 << 20, .processor = 1, .files = 64};
    setvbuf(stdout, NULL, _IONBF, 0);
    if (file < 0 || vit_sandbox_enter(&limits) != 0) return 1;
    vit_sandbox_tell_spent();
    if (strcmp(words[1], "calls") == 0) {
        calls(file);
        return 0;
    }
    if (strcmp(words[1], "abort") == 0) abort();
    if (strcmp(words[1], "processor") == 0)
        for (volatile unsigned turn = 0;; turn++) {}
    if (strcmp(words[1], "memory") == 0)
        for (void *volatile taken = &limits; taken;) taken = malloc(1 << 20);
    if (strcmp(words[1], "files") == 0)
        while (dup(file) >= 0) {}
    *(volatile int *)NULL = 0;
    return 0;
}
