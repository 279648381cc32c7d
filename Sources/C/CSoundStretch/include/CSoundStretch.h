// Sound at a rate that is a little off: each sample made anew from those around its place. In C, because it is arithmetic on
// every sample, which Swift does a hundred times more slowly where it isn't optimised.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// How many frames around a place a sample is made of: so many up to the place, and so many after it.
enum { VIT_STRETCH_REACH = 16 };

// Makes `count` frames of two channels. The first belongs at `place` (0 is the frame at in[2 * (VIT_STRETCH_REACH - 1)], and
// there are as many before it), each one `step` after the one before. The caller sees to it that `in` reaches from there to
// VIT_STRETCH_REACH frames beyond the last place. At whole places a frame is exactly the one that is there.
void vit_stretch(const int16_t *in, double place, double step, int16_t *out, size_t count);

#pragma clang assume_nonnull end
