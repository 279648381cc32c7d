/* kms-keeper: starts a program again and again and keeps the files that it asks to have kept, by systemd's protocol. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char usage[] =
    "usage: kms-keeper [--no-keep] [--delay MS] -- COMMAND...\n"
    "\n"
    "Runs COMMAND with NOTIFY_SOCKET, keeps what comes with FDSTORE=1 until it comes\n"
    "with FDSTOREREMOVE=1, and hands it to the next COMMAND (LISTEN_FDS). A COMMAND\n"
    "that dies is started again, MS milliseconds later (default 0); one that ends by\n"
    "itself with status 0 is the end, and so is SIGTERM, which is passed on.\n"
    "Says on standard output what happens:\n"
    "  start PID KEPT    died STATUS KEPT    keep NAME    forget NAME    notice TEXT\n"
    "\n"
    "  --no-keep   keeps nothing: what happens to a picture that nobody keeps\n";

#define MOST 64
static struct { int file; char name[256]; } kept[MOST];
static int kept_count;
static int keeps = 1;

static void die(const char *what)
{
    fprintf(stderr, "kms-keeper: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void forget(const char *name)
{
    int left = 0;
    for (int i = 0; i < kept_count; i++) {
        if (strcmp(kept[i].name, name) == 0)
            close(kept[i].file);
        else
            kept[left++] = kept[i];
    }
    kept_count = left;
    printf("forget %s\n", name);
}

static void keep(int file, const char *name)
{
    if (!keeps || kept_count == MOST) {
        close(file);
        return;
    }
    kept[kept_count].file = file;
    snprintf(kept[kept_count].name, sizeof kept[0].name, "%s", name);
    kept_count++;
    printf("keep %s\n", name);
}

static void hear(char *text, int file)
{
    int stores = 0, removes = 0;
    const char *name = "stored";
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (strcmp(line, "FDSTORE=1") == 0)
            stores = 1;
        else if (strcmp(line, "FDSTOREREMOVE=1") == 0)
            removes = 1;
        else if (strncmp(line, "FDNAME=", 7) == 0)
            name = line + 7;
        else if (strncmp(line, "FDPOLL=", 7) != 0)
            printf("notice %s\n", line);
    }
    if (removes)
        forget(name);
    if (stores && file >= 0)
        keep(file, name);
    else if (file >= 0)
        close(file);
}

static void listen_to(int socket_)
{
    for (;;) {
        char text[4096];
        union { struct cmsghdr header; char space[CMSG_SPACE(sizeof(int))]; } control;
        struct iovec part = { .iov_base = text, .iov_len = sizeof text - 1 };
        struct msghdr message = {
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.space, .msg_controllen = sizeof control.space,
        };
        ssize_t length = recvmsg(socket_, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        if (length < 0)
            return;
        text[length] = 0;
        int file = -1;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
            memcpy(&file, CMSG_DATA(header), sizeof file);
        hear(text, file);
    }
}

static void become_command(char **command, const char *address, const sigset_t *mask)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
    /* First out of the way of each other. */
    for (int i = 0; i < kept_count; i++) {
        kept[i].file = fcntl(kept[i].file, F_DUPFD_CLOEXEC, 100);
        if (kept[i].file < 0)
            die("duplicate");
    }
    char names[MOST * 257] = "", text[32];
    for (int i = 0; i < kept_count; i++) {
        if (dup2(kept[i].file, 3 + i) < 0)
            die("dup2");
        if (i)
            strcat(names, ":");
        strcat(names, kept[i].name);
    }
    setenv("NOTIFY_SOCKET", address, 1);
    snprintf(text, sizeof text, "%d", getpid());
    setenv("LISTEN_PID", text, 1);
    snprintf(text, sizeof text, "%d", kept_count);
    setenv("LISTEN_FDS", text, 1);
    setenv("LISTEN_FDNAMES", names, 1);
    execvp(command[0], command);
    die(command[0]);
}

int main(int argc, char **argv)
{
    int delay = 0, next = 1;
    for (; next < argc && strcmp(argv[next], "--") != 0; next++) {
        if (strcmp(argv[next], "--no-keep") == 0) {
            keeps = 0;
        } else if (strcmp(argv[next], "--delay") == 0 && next + 1 < argc) {
            delay = atoi(argv[++next]);
        } else {
            int help = strcmp(argv[next], "--help") == 0 || strcmp(argv[next], "-h") == 0;
            fputs(usage, help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }
    if (next + 1 >= argc) {
        fputs(usage, stderr);
        return 2;
    }
    char **command = argv + next + 1;
    setvbuf(stdout, NULL, _IOLBF, 0);

    struct sockaddr_un name = { .sun_family = AF_UNIX };
    char address[64];
    snprintf(address, sizeof address, "@kms-keeper-%d", getpid());
    memcpy(name.sun_path + 1, address + 1, strlen(address) - 1);
    int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0 || bind(socket_, (struct sockaddr *)&name, offsetof(struct sockaddr_un, sun_path) + strlen(address)))
        die("socket");

    sigset_t signals, before;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, &before);
    int told = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (told < 0)
        die("signalfd");

    for (int ends = 0; !ends;) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            die("fork");
        if (child == 0)
            become_command(command, address, &before);
        printf("start %d %d\n", child, kept_count);
        int status = 0;
        for (int runs = 1; runs;) {
            struct pollfd ready[2] = { { .fd = socket_, .events = POLLIN }, { .fd = told, .events = POLLIN } };
            poll(ready, 2, -1);
            listen_to(socket_);
            struct signalfd_siginfo signal;
            while (read(told, &signal, sizeof signal) == sizeof signal) {
                if (signal.ssi_signo == SIGTERM) {
                    ends = 1;
                    kill(child, SIGTERM);
                }
            }
            if (waitpid(child, &status, WNOHANG) == child)
                runs = 0;
        }
        /* What it has said at its end. */
        listen_to(socket_);
        printf("died %d %d\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), kept_count);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            ends = 1;
        if (!ends && delay) {
            struct timespec wait = { .tv_sec = delay / 1000, .tv_nsec = delay % 1000 * 1000000L };
            nanosleep(&wait, NULL);
        }
    }
    return 0;
}
