#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
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

// The same on all architectures, and newer than some headers.
enum {
    NR_PIDFD_SEND_SIGNAL = 424,
    NR_IO_URING_SETUP = 425,
    NR_IO_URING_ENTER = 426,
    NR_IO_URING_REGISTER = 427,
    NR_OPENAT2 = 437,
    NR_PIDFD_GETFD = 438,
    NR_FCHMODAT2 = 452,
    X32_CALLS = 0x40000000,
};

// Refused with EACCES, so that libraries go on without the call: killing is for faults of the program's own.
#define REFUSED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
#define ALLOWED BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), REFUSED
// The relevant half of an argument; the architectures of boards are little endian.
#define LOAD_ARGUMENT(index) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[index]))
#define LOAD_NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
// A call that opens a file, checked by its flags: it must not make or empty a file.
#define OPEN_ONLY(number, flags) \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 4), LOAD_ARGUMENT(flags), \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_CREAT | O_TRUNC, 0, 1), REFUSED, ALLOWED

static bool limit_calls(bool has_network)
{
#ifdef ARCHITECTURE
    struct sock_filter filter[] = {
        // Another architecture has other numbers, so its calls can't be checked.
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        LOAD_NUMBER,
#ifdef __x86_64__
        // The calls of x32 are the same under other numbers, with the same architecture.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32_CALLS, 0, 1),
        REFUSED,
#endif
        // Programs, and other processes.
        REFUSE(__NR_execve),
        REFUSE(__NR_execveat),
        REFUSE(__NR_ptrace),
        REFUSE(__NR_process_vm_readv),
        REFUSE(__NR_process_vm_writev),
        REFUSE(NR_PIDFD_GETFD),
        REFUSE(__NR_kill),
        REFUSE(__NR_tkill),
        REFUSE(__NR_rt_sigqueueinfo),
        REFUSE(__NR_rt_tgsigqueueinfo),
        REFUSE(NR_PIDFD_SEND_SIGNAL),
        // The process may signal its own threads: abort(3) does, and must be seen as what it is.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4),
        LOAD_ARGUMENT(0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 1, 0),
        REFUSED,
        ALLOWED,
        REFUSE(__NR_mount),
        REFUSE(__NR_bpf),
        REFUSE(__NR_add_key),
        REFUSE(__NR_keyctl),
        // An io_uring makes calls that no filter sees.
        REFUSE(NR_IO_URING_SETUP),
        REFUSE(NR_IO_URING_ENTER),
        REFUSE(NR_IO_URING_REGISTER),
        // Files must not be made, emptied, shortened, renamed, removed or given to another owner.
        OPEN_ONLY(__NR_openat, 2),
        REFUSE(__NR_truncate),
        REFUSE(__NR_ftruncate),
        REFUSE(__NR_fallocate),
        REFUSE(__NR_unlinkat),
        REFUSE(__NR_linkat),
        REFUSE(__NR_symlinkat),
        REFUSE(__NR_mkdirat),
        REFUSE(__NR_mknodat),
        REFUSE(__NR_renameat2),
#ifdef __NR_renameat
        REFUSE(__NR_renameat),
#endif
        REFUSE(__NR_fchmod),
        REFUSE(__NR_fchmodat),
        REFUSE(NR_FCHMODAT2),
        REFUSE(__NR_fchown),
        REFUSE(__NR_fchownat),
        REFUSE(__NR_utimensat),
        REFUSE(__NR_setxattr),
        REFUSE(__NR_lsetxattr),
        REFUSE(__NR_fsetxattr),
        REFUSE(__NR_removexattr),
        REFUSE(__NR_lremovexattr),
        REFUSE(__NR_fremovexattr),
#ifdef __NR_open
        // Older calls, which newer architectures don't have.
        OPEN_ONLY(__NR_open, 1),
        REFUSE(__NR_creat),
        REFUSE(__NR_unlink),
        REFUSE(__NR_rmdir),
        REFUSE(__NR_link),
        REFUSE(__NR_symlink),
        REFUSE(__NR_mkdir),
        REFUSE(__NR_mknod),
        REFUSE(__NR_rename),
        REFUSE(__NR_chmod),
        REFUSE(__NR_chown),
        REFUSE(__NR_lchown),
        REFUSE(__NR_utimes),
        REFUSE(__NR_futimesat),
#endif
#ifdef __NR_utime
        REFUSE(__NR_utime),
#endif
#ifdef __NR_truncate64
        REFUSE(__NR_truncate64),
        REFUSE(__NR_ftruncate64),
#endif
        // Its flags are in memory, which a filter can't read. Refused as by a kernel without the call: callers then use
        // openat.
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NR_OPENAT2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        // The last three entries; two of them are left out where there is a network.
        REFUSE(__NR_socket),
        ALLOWED,
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    if (has_network) {
        filter[program.len - 3] = filter[program.len - 1];
        program.len -= 2;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
    // For all threads at once; where a service may not do that, for this thread and those that it starts.
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
#else
    (void)has_network;
    return false;
#endif
}

// `spare`: how much further the process may go after the kernel's first warning.
static bool limit(__rlimit_resource_t resource, uint64_t most, uint64_t spare)
{
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) return false;
    uint64_t hard = most + spare;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < hard) hard = now.rlim_max;
    if (most > hard) most = hard;
    struct rlimit next = {.rlim_cur = most, .rlim_max = hard};
    return setrlimit(resource, &next) == 0;
}

// Makes the kernel end this process, and not the player, when memory runs out.
static void go_first(void)
{
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    // Whether or not that was refused, the process goes on.
    ssize_t written = write(file, "1000", 4);
    (void)written;
    close(file);
}

int vit_sandbox_enter(const vit_limits *limits)
{
    bool is_limited = true;
    go_first();
    // A refused write fails, instead of ending the process.
    signal(SIGXFSZ, SIG_IGN);
    is_limited &= limit(RLIMIT_FSIZE, 0, 0) && limit(RLIMIT_CORE, 0, 0);
    if (limits->memory) is_limited &= limit(RLIMIT_DATA, limits->memory, 0);
    if (limits->files) is_limited &= limit(RLIMIT_NOFILE, limits->files, 0);
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    // SIGXCPU comes first, which shows the reason; SIGKILL, which doesn't, follows if the process goes on.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGXCPU);
    signal(SIGXCPU, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    if (limits->processor) is_limited &= limit(RLIMIT_CPU, (uint64_t)used.tv_sec + 1 + limits->processor, 5);
    return (is_limited ? 0 : VIT_SANDBOX_LIMITS) | (limit_calls(limits->has_network) ? 0 : VIT_SANDBOX_CALLS);
}

void vit_sandbox_allow_processor(uint64_t seconds)
{
    struct rlimit now;
    struct timespec used;
    if (getrlimit(RLIMIT_CPU, &now) != 0 || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return;
    rlim_t most = (rlim_t)used.tv_sec + 1 + seconds;
    now.rlim_cur = now.rlim_max != RLIM_INFINITY && now.rlim_max < most ? now.rlim_max : most;
    setrlimit(RLIMIT_CPU, &now);
}

int vit_sandbox_spent(void)
{
    int spent = 0;
    int file = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (file >= 0) close(file);
    else if (errno == EMFILE || errno == ENFILE) spent |= VIT_SPENT_FILES;
    void *memory = mmap(NULL, VIT_SPENT_ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) munmap(memory, VIT_SPENT_ROOM);
    else if (errno == ENOMEM || errno == EAGAIN) spent |= VIT_SPENT_MEMORY;
    return spent;
}

static void died(int number)
{
    // A lack of memory mostly shows as a fault, where an allocation wasn't checked.
    int spent = vit_sandbox_spent();
    if (spent) _exit(VIT_SPENT_CODE + spent);
    signal(number, SIG_DFL);
    raise(number);
}

void vit_sandbox_tell_spent(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL};
    struct sigaction action = {.sa_handler = died, .sa_flags = SA_RESETHAND | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (size_t index = 0; index < sizeof fatal / sizeof fatal[0]; index++) sigaction(fatal[index], &action, NULL);
}
