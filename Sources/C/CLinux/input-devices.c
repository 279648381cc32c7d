#include "input-devices.h"

#include <linux/input.h>
#include <sys/ioctl.h>

bool vit_grab_input(int descriptor) { return ioctl(descriptor, EVIOCGRAB, 1) == 0; }
