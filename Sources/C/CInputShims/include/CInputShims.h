// What Swift cannot reach of input devices by itself. Each entry says why it is here.
#pragma once

#include <stdbool.h>

// ioctl is variadic, and EVIOCGRAB a macro with a sizeof. Takes the device away from everybody else, the console
// included; returns whether that worked.
bool vit_grab_input(int descriptor);
