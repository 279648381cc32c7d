// The kernel's consoles (linux/kd.h, linux/vt.h, ioctl_console(2)). Swift can't use them by itself: ioctl is variadic.
//
// Functions return 0 or more, else a negative errno.
#pragma once

#pragma clang assume_nonnull begin

typedef struct {
    // N of /dev/ttyN.
    int number;
    // Whether the kernel leaves the screen alone (KD_GRAPHICS) instead of drawing text on it (KD_TEXT).
    int is_graphics;
    // K_OFF, K_UNICODE, ...
    int keyboard;
} vit_console_state;

// Fails with -ENOTTY where the descriptor is another kind of terminal.
int vit_console_read(int descriptor, vit_console_state *state);
int vit_console_set_graphics(int descriptor, int is_graphics);
int vit_console_set_keyboard(int descriptor, int mode);
// Asks the kernel to make this console the one that is shown and gets keys; that may take a moment.
int vit_console_activate(int descriptor, int number);

int vit_console_keyboard_off(void);
int vit_console_keyboard_unicode(void);

#pragma clang assume_nonnull end
