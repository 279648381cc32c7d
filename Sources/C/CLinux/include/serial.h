// Serial lines. Swift can't use these by itself: the speeds are macros, TIOCEXCL and TIOCSSERIAL are ioctls, and ioctl is
// variadic. Functions return 0, a descriptor or a count, else a negative errno.
#pragma once

#include <stddef.h>

enum { VIT_SERIAL_PARITY_NONE, VIT_SERIAL_PARITY_EVEN, VIT_SERIAL_PARITY_ODD };

// Opens a serial line for this process alone: raw bytes, no handshake, no modem, and the lines to a modem stay as they are
// when it is closed. What came before is thrown away. May wait for an adapter. -EBUSY: another program has it; -ENOTTY: it
// is no serial line; -EINVAL: it doesn't take the speed or the form of a byte.
int vit_serial_open(const char *path, unsigned speed, int bits, int parity, int stops);
// Never waits; -EAGAIN when nothing has come, 0 when the line is gone.
long vit_serial_read(int line, void *bytes, size_t count);
// Never waits; -EAGAIN when there is no room.
long vit_serial_write(int line, const void *bytes, size_t count);
// Closes it without waiting for bytes that haven't been sent.
void vit_serial_close(int line);
