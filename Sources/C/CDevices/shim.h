#pragma once
#include <libinput.h>
#include <libseat.h>
#include <libudev.h>

// The handler's type has a va_list, which Swift 6.2 on arm64 can't import.
static inline void vit_silence_libinput(struct libinput *libinput) { libinput_log_set_handler(libinput, NULL); }
