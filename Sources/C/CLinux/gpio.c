#include "gpio.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int call(int descriptor, unsigned long request, void *argument) {
    int result;
    do result = ioctl(descriptor, request, argument);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : result;
}

int vit_gpio_describe_chip(int chip, vit_gpio_chip *description) {
    struct gpiochip_info info = {0};
    int result = call(chip, GPIO_GET_CHIPINFO_IOCTL, &info);
    if (result < 0) return result;
    *description = (vit_gpio_chip){.line_count = info.lines};
    memcpy(description->name, info.name, sizeof description->name - 1);
    memcpy(description->label, info.label, sizeof description->label - 1);
    return 0;
}

int vit_gpio_describe_line(int chip, uint32_t offset, vit_gpio_line *line) {
    struct gpio_v2_line_info info = {.offset = offset};
    int result = call(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info);
    if (result < 0) return result;
    *line = (vit_gpio_line){0};
    memcpy(line->name, info.name, sizeof line->name - 1);
    memcpy(line->consumer, info.consumer, sizeof line->consumer - 1);
    return 0;
}

int vit_gpio_request(int chip, uint32_t offset, int pull, bool active_low, uint32_t debounce_microseconds) {
    struct gpio_v2_line_request request = {.offsets = {offset}, .consumer = "vitrine", .num_lines = 1};
    request.config.flags =
        GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING |
        (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0) |
        (pull == VIT_GPIO_PULL_UP     ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP
         : pull == VIT_GPIO_PULL_DOWN ? GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN
                                      : GPIO_V2_LINE_FLAG_BIAS_DISABLED);
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
    request.config.attrs[0].attr.debounce_period_us = debounce_microseconds;
    int result = call(chip, GPIO_V2_GET_LINE_IOCTL, &request);
    if (result < 0) return result;
    // The kernel sets only its close-on-exec flag.
    if (fcntl(request.fd, F_SETFL, O_NONBLOCK) < 0) {
        result = -errno;
        close(request.fd);
        return result;
    }
    return request.fd;
}

int vit_gpio_next_change(int line, vit_gpio_change *change) {
    struct gpio_v2_line_event event;
    ssize_t count;
    do count = read(line, &event, sizeof event);
    while (count < 0 && errno == EINTR);
    if (count < 0) return errno == EAGAIN ? 0 : -errno;
    if (count != sizeof event) return -EIO;
    *change = (vit_gpio_change){
        .nanoseconds = event.timestamp_ns,
        .sequence = event.line_seqno,
        .is_active = event.id == GPIO_V2_LINE_EVENT_RISING_EDGE,
    };
    return 1;
}

int vit_gpio_level(int line) {
    struct gpio_v2_line_values values = {.mask = 1};
    int result = call(line, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
    return result < 0 ? result : (int)(values.bits & 1);
}

int vit_gpio_request_output(int chip, uint32_t offset, bool active_low) {
    struct gpio_v2_line_request request = {.offsets = {offset}, .consumer = "vitrine", .num_lines = 1};
    request.config.flags = GPIO_V2_LINE_FLAG_OUTPUT | (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0);
    request.config.num_attrs = 1;
    request.config.attrs[0].mask = 1;
    request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
    request.config.attrs[0].attr.values = 0;
    int result = call(chip, GPIO_V2_GET_LINE_IOCTL, &request);
    return result < 0 ? result : request.fd;
}

int vit_gpio_set(int line, bool is_active) {
    struct gpio_v2_line_values values = {.bits = is_active, .mask = 1};
    return call(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}
