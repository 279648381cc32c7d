// The other side of the word to a service manager: a child with descriptors that were kept for it, and the socket at which it is
// heard. What Swift can't reach: fork, the macros of SCM_RIGHTS and SCM_CREDENTIALS, signalfd, kcmp.
//
// Functions give 0 or a descriptor, else a negative errno. All descriptors that they make are closed on exec.
#pragma once

#include <sys/types.h>

#pragma clang assume_nonnull begin

// From now on SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 and SIGCHLD are read from the descriptor that this gives. Whatever descends
// from this process becomes its own child when its parent ends.
int vit_keeper_begin(void);

// The number of the next signal, 0 where there is none.
int vit_keeper_signal(int descriptor);

// A socket for datagrams with an abstract address that the kernel picks; the address begins with @.
int vit_keeper_listen(char *address, size_t size);

typedef struct {
  // Bytes of the text, without an end.
  ssize_t length;
  // Who sent it, by the kernel's word; 0 for none.
  pid_t sender;
  int descriptors[16];
  int count;
} vit_keeper_message;

// The next datagram. -EAGAIN where there is none, -EMSGSIZE for one that doesn't fit; its descriptors are closed then.
int vit_keeper_receive(int descriptor, char *text, size_t size, vit_keeper_message *message);

// Starts a program in a process group of its own, which has the terminal if this process has it, and dies with this process.
//
// environment: its variables. LISTEN_PID and WATCHDOG_PID are added.
// kept: become its descriptors 3, 4 and so on.
// Returns its number. What can't be executed ends with code 127.
pid_t vit_keeper_start(
    const char *program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const int *_Nullable kept, int count);

// Whether the process has ended, without taking it away: its number and that of its group stay taken.
int vit_keeper_has_ended(pid_t process);

// Takes a child that has ended away. Returns its number, or 0 where none has.
// code: with which it ended; signal: by which, else 0.
pid_t vit_keeper_reap(pid_t process, int *code, int *signal);

// The terminal is this process's again, after a child that had it.
void vit_keeper_take_terminal(void);

// Whether both are the same open file; where the kernel doesn't say, the same device or socket.
int vit_keeper_is_same(int one, int other);

#pragma clang assume_nonnull end
