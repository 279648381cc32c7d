/* kms-crc: prints the checksum of each frame that a CRTC composes, from debugfs. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "kms-common.h"

static const char usage[] =
    "usage: kms-crc [-d CARD] [-c INDEX] [-t SECONDS] [-r]\n"
    "\n"
    "Prints one line \"FRAME CRC\" (decimal, hexadecimal) for each frame that a CRTC\n"
    "of CARD composes, until SECONDS have passed or SIGTERM or SIGINT comes. Equal\n"
    "checksums are equal pictures. The CRTC must be active. Use it in virtual time\n"
    "only: in real time the composer takes the processor away from the player.\n"
    "\n"
    "  -d CARD     the card's device node (default " DEFAULT_CARD ")\n"
    "  -c INDEX    0 for the first CRTC (default), 1 for the second ...\n"
    "  -t SECONDS  how long (default: until a signal)\n"
    "  -r          runs of equal pictures, \"FRAMES FIRST CRC\" each, looked at once a\n"
    "              second: a day of them costs little. Ends with 1 if one was missed.\n";

/* The kernel keeps 128 checksums for a reader. */
enum { RUN_PAUSE_MILLISECONDS = 1000 };

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
    (void)signal;
    stopped = 1;
}

static int open_crc_file(const char *card, int crtc, const char *name, int flags)
{
    struct stat device;
    if (stat(card, &device))
        die(card);
    char path[128];
    snprintf(path, sizeof path, "/sys/kernel/debug/dri/%u/crtc-%d/crc/%s", minor(device.st_rdev), crtc, name);
    int file = open(path, flags | O_CLOEXEC);
    if (file < 0)
        die(path);
    return file;
}

static void select_source(const char *card, int crtc)
{
    int control = open_crc_file(card, crtc, "control", O_WRONLY);
    if (write(control, "auto", 4) != 4)
        die("select the checksum source");
    close(control);
}

static long long milliseconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - start->tv_sec) * 1000LL + (now.tv_nsec - start->tv_nsec) / 1000000;
}

static bool prints_runs;
static struct {
    unsigned long count;
    unsigned first, last, crc;
} run;

static void print_run(void)
{
    if (run.count)
        printf("%lu %u %08x\n", run.count, run.first, run.crc);
    run.count = 0;
}

static void add_to_run(unsigned frame, unsigned crc)
{
    static bool has_begun;
    if (has_begun && frame != run.last + 1) {
        fprintf(stderr, "kms-crc: no checksums between frames %u and %u\n", run.last, frame);
        exit(1);
    }
    has_begun = true;
    if (run.count && run.crc != crc)
        print_run();
    if (!run.count)
        run.first = frame;
    run.crc = crc;
    run.last = frame;
    run.count++;
}

/* The kernel writes "0xFRAME 0xCRC", one line for each read. */
static void print_entry(const char *line)
{
    unsigned frame, crc;
    if (sscanf(line, "%x %x", &frame, &crc) != 2)
        return;
    if (prints_runs)
        add_to_run(frame, crc);
    else
        printf("%u %08x\n", frame, crc);
}

/* Takes what is there. */
static void drain(int data)
{
    char line[256];
    ssize_t length;
    while ((length = read(data, line, sizeof line - 1)) > 0) {
        line[length] = 0;
        print_entry(line);
    }
}

static void print_runs(int data, int limit)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!stopped && (limit < 0 || milliseconds_since(&start) < limit)) {
        poll(NULL, 0, RUN_PAUSE_MILLISECONDS);
        drain(data);
    }
    print_run();
}

static void print_entries(int data, int limit)
{
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (!stopped) {
        int left = limit < 0 ? -1 : limit - (int)milliseconds_since(&start);
        if (limit >= 0 && left <= 0)
            return;
        struct pollfd ready = { .fd = data, .events = POLLIN };
        if (poll(&ready, 1, left) <= 0)
            continue;
        char line[256];
        ssize_t length = read(data, line, sizeof line - 1);
        if (length < 0 && errno != EINTR && errno != EAGAIN)
            die("read the checksums");
        if (length <= 0)
            continue;
        line[length] = 0;
        print_entry(line);
    }
}

int main(int argc, char **argv)
{
    const char *card = DEFAULT_CARD;
    int crtc = 0, limit = -1, option;
    while ((option = getopt(argc, argv, "hd:c:t:r")) != -1) {
        switch (option) {
        case 'd': card = optarg; break;
        case 'c': crtc = atoi(optarg); break;
        case 't': limit = (int)(atof(optarg) * 1000); break;
        case 'r': prints_runs = true; break;
        case 'h': fputs(usage, stdout); return 0;
        default: fputs(usage, stderr); return 2;
        }
    }
    struct sigaction action = { .sa_handler = stop };
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    setvbuf(stdout, NULL, _IOLBF, 0);
    select_source(card, crtc);
    int data = open_crc_file(card, crtc, "data", O_RDONLY | O_NONBLOCK);
    if (prints_runs)
        print_runs(data, limit);
    else
        print_entries(data, limit);
    return 0;
}
