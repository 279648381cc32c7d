// The handler of fatal signals. Everything that it calls is async-signal-safe by POSIX, except backtrace(3): its
// unwinder takes the dynamic linker's lock, which the thread may already hold. So it is called last, and an alarm ends
// the process if it hangs.
#define _GNU_SOURCE
#include "crash.h"
#include "record.h"

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP};
enum { FATAL = sizeof fatal / sizeof fatal[0], STACK = 64 * 1024 };

static atomic_int dying;
// The thread that is handling a fatal signal.
static atomic_int dying_thread;

static _Thread_local uint32_t served_deck;
// The thread's stack for the handler, which is freed with the thread.
static pthread_key_t own_stack;
static bool has_key;

// MARK: Resolving addresses

static uint64_t hexadecimal(const char **text)
{
    uint64_t value = 0;
    for (;; (*text)++) {
        char digit = **text;
        if (digit >= '0' && digit <= '9') value = value * 16 + (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f') value = value * 16 + (uint64_t)(digit - 'a' + 10);
        else return value;
    }
}

// Reads one line of /proc/self/maps: `start-end rights offset device inode path`. A file's base is the address of its
// first byte.
static void take_mapping(const char *line, vit_record_crash *crash, const uint64_t *addresses, uint64_t *base, char *based)
{
    const char *text = line;
    uint64_t start = hexadecimal(&text);
    if (*text++ != '-') return;
    uint64_t end = hexadecimal(&text);
    const char *path = strchr(text, '/');
    if (!path) return;
    // After the rights.
    while (*text == ' ') text++;
    while (*text && *text != ' ') text++;
    while (*text == ' ') text++;
    uint64_t offset = hexadecimal(&text);
    if (offset == 0 || strcmp(path, based) != 0) {
        *base = start - offset;
        strncpy(based, path, 511);
    }
    for (uint32_t index = 0; index < crash->frame_count; index++) {
        if (addresses[index] < start || addresses[index] >= end) continue;
        uint32_t module = 0;
        // Of a long path the end says more.
        size_t length = strlen(path), size = sizeof crash->modules[0];
        const char *name = length >= size ? path + length - size + 1 : path;
        while (module < crash->module_count && strcmp(crash->modules[module], name) != 0) module++;
        if (module == VIT_RECORD_MODULES) continue;
        if (module == crash->module_count) {
            strcpy(crash->modules[module], name);
            crash->module_count++;
        }
        crash->frames[index].module = module;
        crash->frames[index].offset = addresses[index] - *base;
    }
}

static void find_modules(vit_record_crash *crash, const uint64_t *addresses)
{
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char chunk[2048], line[512], based[512] = "";
    uint64_t base = 0;
    size_t length = 0;
    ssize_t count;
    while ((count = read(file, chunk, sizeof chunk)) > 0) {
        for (ssize_t index = 0; index < count; index++) {
            if (chunk[index] != '\n') {
                if (length < sizeof line - 1) line[length++] = chunk[index];
                continue;
            }
            line[length] = 0;
            take_mapping(line, crash, addresses, &base, based);
            length = 0;
        }
    }
    close(file);
}

// MARK: The thread's backtrace

static uint64_t faulting_address(const void *context)
{
    const ucontext_t *where = context;
#if defined(__x86_64__)
    return (uint64_t)where->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    return where->uc_mcontext.pc;
#else
    (void)where;
    return 0;
#endif
}

static void trace(vit_record_crash *crash, uint64_t fault)
{
    // Room for the handler's own frames, which come first.
    void *found[VIT_RECORD_FRAMES + 8];
    uint64_t addresses[VIT_RECORD_FRAMES];
    // The faulting address is known without an unwinder.
    addresses[0] = fault;
    crash->frames[0] = (vit_record_frame){.offset = fault, .module = -1};
    crash->frame_count = 1;
    find_modules(crash, addresses);
    int count = backtrace(found, VIT_RECORD_FRAMES + 8), first = 0;
    while (first < count && (uint64_t)(uintptr_t)found[first] != fault) first++;
    // The faulting address isn't among the frames: a call through a null pointer has no frame of its own.
    if (first == count) first = count > 2 ? 2 : 0;
    else first++;
    uint32_t frames = 1;
    for (int index = first; index < count && frames < VIT_RECORD_FRAMES; index++, frames++) {
        // A return address is behind its call, which may be the last instruction of its function.
        addresses[frames] = (uint64_t)(uintptr_t)found[index] - 1;
        crash->frames[frames] = (vit_record_frame){.offset = addresses[frames], .module = -1};
    }
    crash->module_count = 0;
    crash->frame_count = frames;
    find_modules(crash, addresses);
}

// MARK: The handler

// Ends the process by the signal, as if it had no handler.
static void die(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(number, &action, NULL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    // Sent to this thread, so that the core dump shows it.
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void took_too_long(int number)
{
    (void)number;
    int signal = atomic_load(&dying);
    die(signal ? signal : SIGABRT);
    _exit(128 + SIGABRT);
}

static void limit_time(void)
{
    struct sigaction action = {.sa_handler = took_too_long};
    sigset_t set;
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    alarm(VIT_CRASH_PATIENCE);
}

static void handle(int number, siginfo_t *info, void *context)
{
    int nobody = 0, self = (int)syscall(SYS_gettid);
    if (!atomic_compare_exchange_strong(&dying, &nobody, number)) {
        // The handler itself has faulted: what has been written stays, and the process dies of the first signal.
        if (atomic_load(&dying_thread) == self) {
            die(nobody);
            return;
        }
        // A second thread that crashes waits: the process ends with the first.
        for (;;) pause();
    }
    atomic_store(&dying_thread, self);
    int saved = errno;
    limit_time();
    vit_record *record = vit_the_record;
    if (record) {
        vit_record_crash *crash = &record->crash;
        crash->code = info->si_code;
        crash->sender = info->si_code <= 0 ? info->si_pid : 0;
        crash->fault_address = info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
        crash->deck = served_deck;
        crash->at = vit_boot_time();
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        crash->real = now.tv_sec;
        prctl(PR_GET_NAME, crash->thread, 0, 0, 0);
        // The record is valid from here on; the backtrace only adds to it.
        crash->signal = number;
        trace(crash, faulting_address(context));
    }
    alarm(0);
    errno = saved;
    die(number);
}

// Gives the thread a stack for the handler: after a stack overflow its own stack has no room.
static void give_stack(void)
{
    stack_t now;
    if (!has_key || sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    void *memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = STACK};
    if (pthread_setspecific(own_stack, memory) != 0 || sigaltstack(&stack, NULL) != 0) {
        pthread_setspecific(own_stack, NULL);
        munmap(memory, STACK);
    }
}

static void take_stack(void *memory)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    if (sigaltstack(&none, NULL) == 0) munmap(memory, STACK);
}

void vit_crash_thread_serves(uint32_t deck)
{
    served_deck = deck;
    if (deck && vit_the_record) give_stack();
}

int vit_crash_install(void)
{
    static bool is_installed;
    if (is_installed) return 0;
    // The unwinder is loaded with its first use, which a handler must not do.
    void *frame[1];
    backtrace(frame, 1);
    if (!has_key) has_key = pthread_key_create(&own_stack, take_stack) == 0;
    give_stack();
    // The parent process may have blocked signals: unblocks all in this thread, and so in all threads that it starts.
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    // A fault of the same kind in the handler is ended by the kernel; one of another kind comes to the handler again.
    for (int index = 0; index < FATAL; index++) sigdelset(&action.sa_mask, fatal[index]);
    for (int index = 0; index < FATAL; index++)
        if (sigaction(fatal[index], &action, NULL) != 0) return -errno;
    is_installed = true;
    return 0;
}
