#pragma once
#include <libinput.h>

// The type of the handler has a va_list, which Swift 6.2 on arm64 ends at.
static inline void vit_silence_libinput(struct libinput *libinput) { libinput_log_set_handler(libinput, NULL); }
