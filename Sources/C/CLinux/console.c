#include "console.h"

#include <errno.h>
#include <linux/kd.h>
#include <linux/major.h>
#include <linux/vt.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <termios.h>

#ifndef TIOCGDEV
#define TIOCGDEV _IOR('T', 0x32, unsigned int)
#endif

static int result(int returned) { return returned < 0 ? -errno : 0; }

int vit_console_read(int descriptor, vit_console_state *state)
{
    // /dev/tty stands for the process's terminal, and only the terminal itself says which one that is.
    unsigned int device = 0;
    int mode = 0, keyboard = 0;
    int failed = result(ioctl(descriptor, TIOCGDEV, &device));
    if (failed)
        return failed;
    if (major(device) != TTY_MAJOR || minor(device) == 0 || minor(device) > MAX_NR_CONSOLES)
        return -ENOTTY;
    failed = result(ioctl(descriptor, KDGETMODE, &mode));
    if (!failed)
        failed = result(ioctl(descriptor, KDGKBMODE, &keyboard));
    *state = (vit_console_state){
        .number = (int)minor(device), .is_graphics = mode == KD_GRAPHICS, .keyboard = keyboard };
    return failed;
}

int vit_console_set_graphics(int descriptor, int is_graphics)
{
    return result(ioctl(descriptor, KDSETMODE, is_graphics ? KD_GRAPHICS : KD_TEXT));
}

int vit_console_set_keyboard(int descriptor, int mode) { return result(ioctl(descriptor, KDSKBMODE, mode)); }

int vit_console_activate(int descriptor, int number) { return result(ioctl(descriptor, VT_ACTIVATE, number)); }

int vit_console_keyboard_off(void) { return K_OFF; }

int vit_console_keyboard_unicode(void) { return K_UNICODE; }
