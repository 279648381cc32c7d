// The service manager's side of its protocol: a child with descriptors that were kept for it, and the socket for its
// messages. Swift can't use these by itself: fork, the macros of SCM_RIGHTS and SCM_CREDENTIALS, signalfd, kcmp.
//
// Functions return 0 or a descriptor, else a negative errno. All descriptors that they make are closed on exec.
#pragma once

#include <sys/types.h>

#pragma clang assume_nonnull begin

// From now on SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2 and SIGCHLD are read from the returned descriptor. Descendants
// of this process become its own children when their parents end.
int vit_keeper_begin(void);

// The number of the next signal, 0 when there isn't any.
int vit_keeper_signal(int descriptor);

// A socket for datagrams with an abstract address that the kernel chooses; the address begins with @.
int vit_keeper_listen(char *address, size_t size);

typedef struct {
  // Bytes of the text, which isn't terminated.
  ssize_t length;
  // The sender, as the kernel reports it; 0 for an unknown one.
  pid_t sender;
  int descriptors[16];
  int count;
} vit_keeper_message;

// Receives the next datagram. -EAGAIN when there isn't any, -EMSGSIZE for one that doesn't fit; its descriptors are
// closed then.
int vit_keeper_receive(int descriptor, char *text, size_t size, vit_keeper_message *message);

// Starts a program in a process group of its own, which gets the terminal if this process has it, and ends with this
// process.
//
// environment: its variables. LISTEN_PID and WATCHDOG_PID are added.
// kept: become its descriptors 3, 4 and so on.
// Returns the process's number. A program that can't be executed ends with code 127.
pid_t vit_keeper_start(
    const char *program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const int *_Nullable kept, int count);

// Whether the process has ended, without reaping it: its number and its group's stay taken.
int vit_keeper_has_ended(pid_t process);

// Reaps a child that has ended. Returns its number, or 0 where none has.
// code: its exit code; signal: the signal that ended it, else 0.
pid_t vit_keeper_reap(pid_t process, int *code, int *signal);

// Makes the terminal this process's again, after a child that had it.
void vit_keeper_take_terminal(void);

// Whether both descriptors are of the same open file or, where the kernel doesn't say, of the same device or socket.
int vit_keeper_is_same(int one, int other);

#pragma clang assume_nonnull end
