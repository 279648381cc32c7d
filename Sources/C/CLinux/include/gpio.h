// The kernel's GPIO lines (linux/gpio.h, the second version of its interface, from Linux 5.10). Swift can't use them by
// itself: ioctl is variadic, and the structures have unions and arrays. libgpiod isn't used: Debian 12 has its version 1
// and Debian 13 its version 2, whose functions have other names and arguments.
//
// Functions return 0 or more, else a negative errno.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
    // Ended by 0.
    char name[32];
    char label[32];
    uint32_t line_count;
} vit_gpio_chip;

typedef struct {
    // Empty for a line without a name.
    char name[32];
    // The program or driver that holds the line; empty if it gave no name.
    char consumer[32];
} vit_gpio_line;

typedef struct {
    // On CLOCK_MONOTONIC.
    uint64_t nanoseconds;
    // Counts the line's changes from 1: a gap means that the kernel had no room for some.
    uint32_t sequence;
    bool is_active;
} vit_gpio_change;

enum { VIT_GPIO_PULL_NONE, VIT_GPIO_PULL_UP, VIT_GPIO_PULL_DOWN };

int vit_gpio_describe_chip(int chip, vit_gpio_chip *description);
int vit_gpio_describe_line(int chip, uint32_t offset, vit_gpio_line *line);
// Takes the line for input, with events for both edges. Returns its descriptor, which doesn't block and which the caller
// closes.
int vit_gpio_request(int chip, uint32_t offset, int pull, bool active_low, uint32_t debounce_microseconds);
// Takes the line for output, inactive from the start. Returns its descriptor, which the caller closes.
int vit_gpio_request_output(int chip, uint32_t offset, bool active_low);
int vit_gpio_set(int line, bool is_active);
// Returns 1 for a change, 0 for none.
int vit_gpio_next_change(int line, vit_gpio_change *change);
// Returns 1 for the active level, else 0.
int vit_gpio_level(int line);

#pragma clang assume_nonnull end
