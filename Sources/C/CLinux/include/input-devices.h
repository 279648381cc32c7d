// The parts of input devices that Swift can't use by itself. Each entry gives its reason.
#pragma once

#include <stdbool.h>

// Takes the device away from all other programs, the console included; returns whether that worked. ioctl is variadic,
// and EVIOCGRAB a macro with a sizeof.
bool vit_grab_input(int descriptor);
