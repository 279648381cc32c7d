/* virtual-touch: a touchscreen, a keyboard and a mouse through uinput, driven by lines on stdin. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 10, UNITS_PER_MILLIMETRE = 10, PRESSURE = 500 };

static const char usage[] =
    "usage: virtual-touch [--size WIDTHxHEIGHT] [--panel KIND] [--no-touch | --no-keys] [--mouse] [--times]\n"
    "\n"
    "Makes a touchscreen (10 fingers, default 1024x768) and a keyboard, with --mouse a mouse too, prints \"ready\" and\n"
    "carries out the lines of stdin, answering each with \"ok LINE\" or \"error LINE\". The\n"
    "devices go away at the end of stdin, as if unplugged. With --times each answer begins with\n"
    "the nanoseconds of CLOCK_MONOTONIC at which its line was carried out.\n"
    "\n"
    "Not all panels say that they are touchscreens. KIND is what this one says that it is:\n"
    "  fingers    a touchscreen (default)\n"
    "  frame      the same, and not that it lies on the picture (INPUT_PROP_DIRECT)\n"
    "  single     one finger without slots, as resistive glass\n"
    "  mouse      a pointer with a place and buttons, as many infrared frames\n"
    "  pen        a tablet with a pen, as pen displays and infrared frames\n"
    "  nothing    it has a place, and nothing else\n"
    "All but the first two have SLOT 0 only.\n"
    "\n"
    "  down SLOT X Y   move SLOT X Y   up SLOT    a finger, SLOT 0 to 9\n"
    "  key CODE        press and release          CODE: see linux/input-event-codes.h\n"
    "  keydown CODE    keyup CODE\n"
    "  mouse DX DY     press    release           the mouse and its left button\n"
    "  sleep MILLISECONDS\n"
    "  # comment\n";

enum panel { FINGERS, FRAME, SINGLE, MOUSE, PEN, NOTHING, PANELS };
static const char *const panel_names[PANELS] = { "fingers", "frame", "single", "mouse", "pen", "nothing" };

struct devices {
    int touch, keys, mouse; /* -1 when not wanted */
    enum panel panel;
    bool touching[SLOTS];
    int fingers, next_tracking_id;
};

static void die(const char *what)
{
    fprintf(stderr, "virtual-touch: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void emit(int device, int type, int code, int value)
{
    struct input_event event = { .type = type, .code = code, .value = value };
    if (write(device, &event, sizeof event) != sizeof event)
        die("write an event");
}

static int open_uinput(void)
{
    int device = open("/dev/uinput", O_WRONLY | O_CLOEXEC);
    if (device < 0)
        die("/dev/uinput");
    return device;
}

static void enable(int device, unsigned long request, int code)
{
    if (ioctl(device, request, code))
        die("describe the device");
}

static void enable_axis(int device, int code, int maximum, int resolution)
{
    struct uinput_abs_setup axis = { .code = code, .absinfo = { .maximum = maximum, .resolution = resolution } };
    enable(device, UI_SET_ABSBIT, code);
    if (ioctl(device, UI_ABS_SETUP, &axis))
        die("describe an axis");
}

static void finish(int device, const char *name, int product)
{
    struct uinput_setup setup = {
        .id = { .bustype = BUS_USB, .vendor = 0x1209, .product = product, .version = 1 },
    };
    snprintf(setup.name, sizeof setup.name, "%s", name);
    if (ioctl(device, UI_DEV_SETUP, &setup) || ioctl(device, UI_DEV_CREATE))
        die("create the device");
}

static int create_touchscreen(enum panel panel, int width, int height)
{
    int device = open_uinput();
    char name[64] = "virtual touchscreen";
    if (panel != NOTHING) {
        enable(device, UI_SET_EVBIT, EV_KEY);
        enable(device, UI_SET_KEYBIT, panel == MOUSE ? BTN_LEFT : BTN_TOUCH);
    }
    if (panel == MOUSE)
        enable(device, UI_SET_KEYBIT, BTN_RIGHT);
    enable(device, UI_SET_EVBIT, EV_ABS);
    if (panel == FINGERS || panel == SINGLE || panel == PEN)
        enable(device, UI_SET_PROPBIT, INPUT_PROP_DIRECT);
    enable_axis(device, ABS_X, width - 1, UNITS_PER_MILLIMETRE);
    enable_axis(device, ABS_Y, height - 1, UNITS_PER_MILLIMETRE);
    if (panel == PEN) {
        enable(device, UI_SET_KEYBIT, BTN_TOOL_PEN);
        enable(device, UI_SET_KEYBIT, BTN_STYLUS);
        enable_axis(device, ABS_PRESSURE, PRESSURE * 2, 0);
    }
    if (panel == FINGERS || panel == FRAME) {
        enable_axis(device, ABS_MT_SLOT, SLOTS - 1, 0);
        enable_axis(device, ABS_MT_TRACKING_ID, 65535, 0);
        enable_axis(device, ABS_MT_POSITION_X, width - 1, UNITS_PER_MILLIMETRE);
        enable_axis(device, ABS_MT_POSITION_Y, height - 1, UNITS_PER_MILLIMETRE);
    }
    if (panel != FINGERS)
        snprintf(name, sizeof name, "virtual panel (%s)", panel_names[panel]);
    finish(device, name, 1);
    return device;
}

/* Of remote controls, besides those of keyboards. */
static const int remote_keys[] = { KEY_LANGUAGE, KEY_SUBTITLE, KEY_AUDIO_DESC };

static bool has_key(int code)
{
    for (size_t i = 0; i < sizeof remote_keys / sizeof *remote_keys; i++)
        if (remote_keys[i] == code)
            return true;
    return code >= KEY_ESC && code < KEY_MICMUTE;
}

static int create_keyboard(void)
{
    int device = open_uinput();
    enable(device, UI_SET_EVBIT, EV_KEY);
    for (int code = 0; code < KEY_MAX; code++)
        if (has_key(code))
            enable(device, UI_SET_KEYBIT, code);
    finish(device, "virtual keyboard", 2);
    return device;
}

static int create_mouse(void)
{
    int device = open_uinput();
    enable(device, UI_SET_EVBIT, EV_KEY);
    enable(device, UI_SET_KEYBIT, BTN_LEFT);
    enable(device, UI_SET_KEYBIT, BTN_RIGHT);
    enable(device, UI_SET_EVBIT, EV_REL);
    enable(device, UI_SET_RELBIT, REL_X);
    enable(device, UI_SET_RELBIT, REL_Y);
    finish(device, "virtual mouse", 3);
    return device;
}

static bool move_mouse(struct devices *devices, int x, int y)
{
    if (devices->mouse < 0)
        return false;
    emit(devices->mouse, EV_REL, REL_X, x);
    emit(devices->mouse, EV_REL, REL_Y, y);
    emit(devices->mouse, EV_SYN, SYN_REPORT, 0);
    return true;
}

static bool set_button(struct devices *devices, int value)
{
    if (devices->mouse < 0)
        return false;
    emit(devices->mouse, EV_KEY, BTN_LEFT, value);
    emit(devices->mouse, EV_SYN, SYN_REPORT, 0);
    return true;
}

/* Of panels without slots. A pen has to be near before its tip is down, a pointer there before it is pressed. */
static void place_pointer(struct devices *devices, int x, int y, bool down)
{
    int touch = devices->touch;
    emit(touch, EV_ABS, ABS_X, x);
    emit(touch, EV_ABS, ABS_Y, y);
    if (down && devices->panel == PEN)
        emit(touch, EV_KEY, BTN_TOOL_PEN, 1);
    if (down && devices->panel != SINGLE)
        emit(touch, EV_SYN, SYN_REPORT, 0);
    if (down && devices->panel == PEN)
        emit(touch, EV_ABS, ABS_PRESSURE, PRESSURE);
    if (down && devices->panel != NOTHING)
        emit(touch, EV_KEY, devices->panel == MOUSE ? BTN_LEFT : BTN_TOUCH, 1);
    emit(touch, EV_SYN, SYN_REPORT, 0);
}

static void lift_pointer(struct devices *devices)
{
    int touch = devices->touch;
    if (devices->panel == NOTHING)
        return;
    if (devices->panel == PEN)
        emit(touch, EV_ABS, ABS_PRESSURE, 0);
    emit(touch, EV_KEY, devices->panel == MOUSE ? BTN_LEFT : BTN_TOUCH, 0);
    emit(touch, EV_SYN, SYN_REPORT, 0);
    if (devices->panel == PEN) {
        emit(touch, EV_KEY, BTN_TOOL_PEN, 0);
        emit(touch, EV_SYN, SYN_REPORT, 0);
    }
}

static bool has_slots(const struct devices *devices)
{
    return devices->panel == FINGERS || devices->panel == FRAME;
}

static bool place_finger(struct devices *devices, int slot, int x, int y, bool down)
{
    if (devices->touch < 0 || slot < 0 || slot >= (has_slots(devices) ? SLOTS : 1) || devices->touching[slot] == down)
        return false;
    int touch = devices->touch;
    if (!has_slots(devices)) {
        devices->touching[slot] |= down;
        place_pointer(devices, x, y, down);
        return true;
    }
    emit(touch, EV_ABS, ABS_MT_SLOT, slot);
    if (down)
        emit(touch, EV_ABS, ABS_MT_TRACKING_ID, devices->next_tracking_id++ & 0xffff);
    emit(touch, EV_ABS, ABS_MT_POSITION_X, x);
    emit(touch, EV_ABS, ABS_MT_POSITION_Y, y);
    if (down) {
        devices->touching[slot] = true;
        if (devices->fingers++ == 0)
            emit(touch, EV_KEY, BTN_TOUCH, 1);
    }
    emit(touch, EV_ABS, ABS_X, x);
    emit(touch, EV_ABS, ABS_Y, y);
    emit(touch, EV_SYN, SYN_REPORT, 0);
    return true;
}

static bool lift_finger(struct devices *devices, int slot)
{
    if (devices->touch < 0 || slot < 0 || slot >= SLOTS || !devices->touching[slot])
        return false;
    devices->touching[slot] = false;
    if (!has_slots(devices)) {
        lift_pointer(devices);
        return true;
    }
    emit(devices->touch, EV_ABS, ABS_MT_SLOT, slot);
    emit(devices->touch, EV_ABS, ABS_MT_TRACKING_ID, -1);
    if (--devices->fingers == 0)
        emit(devices->touch, EV_KEY, BTN_TOUCH, 0);
    emit(devices->touch, EV_SYN, SYN_REPORT, 0);
    return true;
}

static bool set_key(struct devices *devices, int code, int value)
{
    if (devices->keys < 0 || !has_key(code))
        return false;
    emit(devices->keys, EV_KEY, code, value);
    emit(devices->keys, EV_SYN, SYN_REPORT, 0);
    return true;
}

static void sleep_milliseconds(int milliseconds)
{
    struct timespec time = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };
    nanosleep(&time, NULL);
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static bool carry_out(struct devices *devices, const char *line)
{
    char word[32] = "";
    int a = 0, b = 0, c = 0;
    int fields = sscanf(line, "%31s %d %d %d", word, &a, &b, &c);
    if (!strcmp(word, "down") && fields == 4)
        return place_finger(devices, a, b, c, true);
    if (!strcmp(word, "move") && fields == 4)
        return place_finger(devices, a, b, c, false);
    if (!strcmp(word, "up") && fields == 2)
        return lift_finger(devices, a);
    if (!strcmp(word, "key") && fields == 2)
        return set_key(devices, a, 1) && set_key(devices, a, 0);
    if (!strcmp(word, "keydown") && fields == 2)
        return set_key(devices, a, 1);
    if (!strcmp(word, "keyup") && fields == 2)
        return set_key(devices, a, 0);
    if (!strcmp(word, "mouse") && fields == 3)
        return move_mouse(devices, a, b);
    if (!strcmp(word, "press") && fields == 1)
        return set_button(devices, 1);
    if (!strcmp(word, "release") && fields == 1)
        return set_button(devices, 0);
    if (!strcmp(word, "sleep") && fields == 2) {
        sleep_milliseconds(a);
        return true;
    }
    return false;
}

static bool read_panel(const char *name, enum panel *panel)
{
    for (int kind = 0; kind < PANELS; kind++) {
        if (!strcmp(name, panel_names[kind])) {
            *panel = kind;
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    int width = 1024, height = 768;
    enum panel panel = FINGERS;
    bool touch = true, keys = true, mouse = false, times = false;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--size") && i + 1 < argc && sscanf(argv[i + 1], "%dx%d", &width, &height) == 2) {
            i++;
        } else if (!strcmp(argv[i], "--panel") && i + 1 < argc && read_panel(argv[i + 1], &panel)) {
            i++;
        } else if (!strcmp(argv[i], "--no-touch")) {
            touch = false;
        } else if (!strcmp(argv[i], "--no-keys")) {
            keys = false;
        } else if (!strcmp(argv[i], "--mouse")) {
            mouse = true;
        } else if (!strcmp(argv[i], "--times")) {
            times = true;
        } else {
            bool help = !strcmp(argv[i], "--help") || !strcmp(argv[i], "-h");
            fputs(usage, help ? stdout : stderr);
            return help ? 0 : 2;
        }
    }

    struct devices devices = { .touch = -1, .keys = -1, .mouse = -1, .panel = panel, .next_tracking_id = 1 };
    if (touch)
        devices.touch = create_touchscreen(panel, width, height);
    if (keys)
        devices.keys = create_keyboard();
    if (mouse)
        devices.mouse = create_mouse();
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");

    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '#' || !line[0])
            continue;
        if (times)
            printf("%lld ", now());
        printf("%s %s\n", carry_out(&devices, line) ? "ok" : "error", line);
    }
    return 0;
}
