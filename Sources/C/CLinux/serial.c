#include "serial.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/serial.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static speed_t speed_of(unsigned bits_a_second) {
    static const struct { unsigned number; speed_t constant; } all[] = {
        {300, B300},       {600, B600},       {1200, B1200},     {2400, B2400},     {4800, B4800},
        {9600, B9600},     {19200, B19200},   {38400, B38400},   {57600, B57600},   {115200, B115200},
        {230400, B230400}, {460800, B460800}, {921600, B921600},
    };
    for (size_t at = 0; at < sizeof all / sizeof *all; at++)
        if (all[at].number == bits_a_second) return all[at].constant;
    return B0;
}

// Takes the line for this process, and sets it.
static int take(int line, unsigned speed, int bits, int parity, int stops) {
    struct termios settings, taken;
    if (tcgetattr(line, &settings) < 0) return -errno;
    // Programs such as picocom and minicom respect this lock; TIOCEXCL keeps out those that come later.
    if (flock(line, LOCK_EX | LOCK_NB) < 0) return errno == EWOULDBLOCK ? -EBUSY : -errno;
    if (ioctl(line, TIOCEXCL) < 0) return -errno;
    cfmakeraw(&settings);
    // A break has no meaning here. A byte with a wrong parity comes as 0, so that its text isn't taken for another one.
    settings.c_iflag = IGNBRK | (parity == VIT_SERIAL_PARITY_NONE ? 0 : INPCK) | (bits == 7 ? ISTRIP : 0);
    // No carrier is waited for, and nothing is switched when the line is closed (many devices restart then).
    settings.c_cflag &= ~(tcflag_t)(CSIZE | PARENB | PARODD | CMSPAR | CSTOPB | CRTSCTS | HUPCL);
    tcflag_t form = (bits == 7 ? CS7 : CS8) | (stops == 2 ? CSTOPB : 0) |
                    (parity == VIT_SERIAL_PARITY_NONE ? 0
                     : parity == VIT_SERIAL_PARITY_ODD ? PARENB | PARODD
                                                       : PARENB);
    settings.c_cflag |= form | CREAD | CLOCAL;
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    speed_t wanted = speed_of(speed);
    if (cfsetspeed(&settings, wanted) < 0 || tcsetattr(line, TCSANOW, &settings) < 0) return -errno;
    // tcsetattr is content with a part of what was asked for.
    if (tcgetattr(line, &taken) < 0) return -errno;
    if ((taken.c_cflag & (CSIZE | PARENB | PARODD | CSTOPB)) != form || cfgetospeed(&taken) != wanted) return -EINVAL;
    // Some adapters gather bytes for 16 ms otherwise. Others, and ptys, don't know it.
    struct serial_struct port;
    if (ioctl(line, TIOCGSERIAL, &port) == 0) {
        port.flags |= ASYNC_LOW_LATENCY;
        (void)ioctl(line, TIOCSSERIAL, &port);
    }
    // A command that came before the player ran is none now.
    return tcflush(line, TCIOFLUSH) < 0 ? -errno : 0;
}

int vit_serial_open(const char *path, unsigned speed, int bits, int parity, int stops) {
    int line;
    do line = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    while (line < 0 && errno == EINTR);
    if (line < 0) return -errno;
    int result = take(line, speed, bits, parity, stops);
    if (result < 0) {
        close(line);
        return result;
    }
    return line;
}

long vit_serial_read(int line, void *bytes, size_t count) {
    ssize_t result;
    do result = read(line, bytes, count);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

long vit_serial_write(int line, const void *bytes, size_t count) {
    ssize_t result;
    do result = write(line, bytes, count);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

void vit_serial_close(int line) {
    // The kernel would wait up to half a minute for them.
    tcflush(line, TCIOFLUSH);
    // A program that had opened it before may hold it on, and others may share it again.
    (void)ioctl(line, TIOCNXCL);
    close(line);
}
