#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__arm__)
#define ARCHITECTURE AUDIT_ARCH_ARM
#endif

// Refused with EACCES, so that libraries go on without: what kills is for faults of ours.
#define REFUSE(number) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)

static bool limit_calls(bool has_network)
{
#ifdef ARCHITECTURE
    struct sock_filter filter[] = {
        // Another architecture has other numbers: its calls aren't ours.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        REFUSE(__NR_execve),
        REFUSE(__NR_execveat),
        REFUSE(__NR_ptrace),
        REFUSE(__NR_process_vm_readv),
        REFUSE(__NR_process_vm_writev),
        REFUSE(__NR_kill),
        REFUSE(__NR_mount),
        REFUSE(__NR_bpf),
        REFUSE(__NR_add_key),
        REFUSE(__NR_keyctl),
        REFUSE(__NR_unlinkat),
        REFUSE(__NR_renameat2),
#ifdef __NR_unlink
        REFUSE(__NR_unlink),
        REFUSE(__NR_rename),
#endif
        // The last two, left out where there is a network.
        REFUSE(__NR_socket),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    if (has_network) {
        filter[program.len - 3] = filter[program.len - 1];
        program.len -= 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    // For all threads at once; where a service may not call that, for this one and those that it starts.
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
#else
    (void)has_network;
    return false;
#endif
}

static bool limit(__rlimit_resource_t resource, uint64_t most)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most) most = now.rlim_max;
    struct rlimit next = {.rlim_cur = most, .rlim_max = most};
    return setrlimit(resource, &next) == 0;
}

int vit_sandbox_enter(const vit_limits *limits)
{
    bool is_limited = true;
    // A write that is refused, and not a death.
    signal(SIGXFSZ, SIG_IGN);
    is_limited &= limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0);
    if (limits->memory) is_limited &= limit(RLIMIT_DATA, limits->memory);
    if (limits->files) is_limited &= limit(RLIMIT_NOFILE, limits->files);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    if (limits->processor) is_limited &= limit(RLIMIT_CPU, (uint64_t)used.tv_sec + 1 + limits->processor);
    return (is_limited ? 0 : VIT_SANDBOX_LIMITS) | (limit_calls(limits->has_network) ? 0 : VIT_SANDBOX_CALLS);
}
