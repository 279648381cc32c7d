#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const int heard[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD};

int vit_keeper_begin(void) {
  sigset_t set;
  sigemptyset(&set);
  for (size_t index = 0; index < sizeof heard / sizeof heard[0]; index++) sigaddset(&set, heard[index]);
  // The terminal is taken back from a child while this process is in the background.
  sigset_t blocked = set;
  sigaddset(&blocked, SIGTTOU);
  if (sigprocmask(SIG_BLOCK, &blocked, NULL) < 0) return -errno;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Its output may go to a logger that dies: that must not make it release the card.
  signal(SIGPIPE, SIG_IGN);
  int descriptor = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int vit_keeper_signal(int descriptor) {
  struct signalfd_siginfo info;
  return read(descriptor, &info, sizeof info) == sizeof info ? (int)info.ssi_signo : 0;
}

int vit_keeper_listen(char *address, size_t size) {
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  int on = 1;
  struct sockaddr_un name = {.sun_family = AF_UNIX};
  socklen_t length = sizeof name;
  // For an address without a name the kernel chooses an abstract one.
  if (setsockopt(descriptor, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) < 0 ||
      bind(descriptor, (struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path)) < 0 ||
      getsockname(descriptor, (struct sockaddr *)&name, &length) < 0) {
    int failed = -errno;
    close(descriptor);
    return failed;
  }
  size_t characters = length - offsetof(struct sockaddr_un, sun_path);
  if (characters < 2 || characters >= size) {
    close(descriptor);
    return -ENAMETOOLONG;
  }
  memcpy(address, name.sun_path, characters);
  address[0] = '@';
  address[characters] = 0;
  return descriptor;
}

int vit_keeper_receive(int descriptor, char *text, size_t size, vit_keeper_message *message) {
  *message = (vit_keeper_message){.length = 0};
  struct iovec part = {.iov_base = text, .iov_len = size};
  union {
    struct cmsghdr header;
    char space[CMSG_SPACE(sizeof message->descriptors) + CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct msghdr letter = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space};
  message->length = recvmsg(descriptor, &letter, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (message->length < 0) return -errno;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&letter); header; header = CMSG_NXTHDR(&letter, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SCM_RIGHTS) {
      message->count = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
      memcpy(message->descriptors, CMSG_DATA(header), (size_t)message->count * sizeof(int));
    } else if (header->cmsg_type == SCM_CREDENTIALS && header->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
      struct ucred sender;
      memcpy(&sender, CMSG_DATA(header), sizeof sender);
      message->sender = sender.pid;
    }
  }
  if (!(letter.msg_flags & (MSG_TRUNC | MSG_CTRUNC))) return 0;
  for (int index = 0; index < message->count; index++) close(message->descriptors[index]);
  message->count = 0;
  return -EMSGSIZE;
}

// Runs between fork and exec: no function that takes a lock.
static void write_number(char *where, unsigned long number) {
  char digits[24];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while (number /= 10);
  while (count) *where++ = digits[--count];
  *where = 0;
}

pid_t vit_keeper_start(
    const char *program, char *const *arguments, char *const *environment, const int *kept, int count) {
  size_t variables = 0;
  while (environment[variables]) variables++;
  char *all[variables + 3];
  memcpy(all, environment, variables * sizeof *all);
  char listen_pid[48] = "LISTEN_PID=", watchdog_pid[48] = "WATCHDOG_PID=";
  all[variables] = listen_pid;
  all[variables + 1] = watchdog_pid;
  all[variables + 2] = NULL;

  pid_t parent = getpid();
  int has_terminal = tcgetpgrp(STDIN_FILENO) == getpgrp();
  pid_t child = fork();
  if (child < 0) return -errno;
  if (child > 0) {
    // Both processes do this: the second one finds it done.
    setpgid(child, child);
    return child;
  }
  // If this process is killed, the child would run unwatched, and this process's successor would find the card taken.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  if (has_terminal) tcsetpgrp(STDIN_FILENO, getpid());
  // These descriptors may have numbers that others of them are to get: all are moved out of the way first.
  int high[count + 1];
  for (int index = 0; index < count; index++) {
    high[index] = fcntl(kept[index], F_DUPFD_CLOEXEC, 3 + count);
    if (high[index] < 0) _exit(127);
  }
  for (int index = 0; index < count; index++) {
    if (dup2(high[index], 3 + index) < 0) _exit(127);
  }
  // Descriptors that this process inherited by mistake aren't passed on. (Before Linux 5.9 they are.)
  syscall(SYS_close_range, 3U + (unsigned)count, ~0U, 0U);
  write_number(listen_pid + strlen(listen_pid), (unsigned long)getpid());
  write_number(watchdog_pid + strlen(watchdog_pid), (unsigned long)getpid());
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  execve(program, arguments, all);
  // The file is gone, for example while a package is replaced: this process's own program still exists.
  execve("/proc/self/exe", arguments, all);
  _exit(127);
}

int vit_keeper_has_ended(pid_t process) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == process;
}

pid_t vit_keeper_reap(pid_t process, int *code, int *signal) {
  int status = 0;
  pid_t ended = waitpid(process, &status, WNOHANG);
  if (ended <= 0) return 0;
  *code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ended;
}

void vit_keeper_take_terminal(void) {
  pid_t group = tcgetpgrp(STDIN_FILENO);
  if (group >= 0 && group != getpgrp()) tcsetpgrp(STDIN_FILENO, getpgrp());
}

int vit_keeper_is_same(int one, int other) {
  long order = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, one, other);
  if (order >= 0) return order == 0;
  struct stat first, second;
  if (fstat(one, &first) < 0 || fstat(other, &second) < 0) return 0;
  if ((first.st_mode & S_IFMT) != (second.st_mode & S_IFMT)) return 0;
  // Two descriptors of one regular file can have been opened separately, each with its own position.
  if (S_ISREG(first.st_mode) || S_ISDIR(first.st_mode)) return 0;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}
