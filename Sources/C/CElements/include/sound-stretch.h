// Resamples sound by a ratio close to 1: each sample is interpolated from those around its place. In C, because this is
// arithmetic on every sample, which unoptimised Swift does a hundred times more slowly.
#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// How many frames up to a place, and how many after it, a frame is interpolated from.
enum { VIT_STRETCH_REACH = 16 };

// Makes `count` frames of two channels. The first lies at `place` (0 is the frame at in[2 * (VIT_STRETCH_REACH - 1)],
// which has that many frames before it), and each further one `step` after the one before. `in` must reach from there
// to VIT_STRETCH_REACH frames beyond the last place. At whole places a frame is exactly the input's.
void vit_stretch(const int16_t *in, double place, double step, int16_t *out, size_t count);

#pragma clang assume_nonnull end
