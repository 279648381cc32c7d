/* weston-inject: a module for Weston 10 and 14 which adds a seat (pointer, keyboard, touch) that
 * is driven by lines of text on a Unix socket, for tests without input devices.
 *
 * The socket's path comes from the environment variable WESTON_INJECT_SOCKET. Each line is
 * answered "ok" or "error unknown command". Coordinates are those of the screen, codes those
 * of linux/input-event-codes.h (BTN_LEFT is 272, KEY_ENTER is 28).
 *
 *   touch down ID X Y     touch move ID X Y     touch up ID
 *   touch frame           touch cancel
 *   pointer move X Y      pointer button CODE 0|1     pointer scroll DISTANCE
 *   key CODE 0|1
 *
 * Clients see fingers move only after "touch frame". After the last finger's up Weston itself
 * sends no frame.
 *
 * WESTON_INJECT_LOG names a file that gets a line for each "touch frame" that was sent to the
 * clients: the time, in microseconds of the system's clock.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <libweston/libweston.h>
#include <libweston/version.h>

#ifndef WESTON_VERSION_MAJOR
#error "libweston/version.h says no WESTON_VERSION_MAJOR: the functions below differ by it"
#endif

/* Weston's own headers with these differ from version to version, and not all of them are installed. */
int wet_module_init(struct weston_compositor *compositor, int *argc, char *argv[]);
struct weston_point2d_device_normalized;
void notify_axis(struct weston_seat *seat, const struct timespec *time, struct weston_pointer_axis_event *event);
void notify_button(struct weston_seat *seat, const struct timespec *time, int32_t button,
                   enum wl_pointer_button_state state);
void notify_key(struct weston_seat *seat, const struct timespec *time, uint32_t key,
                enum wl_keyboard_key_state state, enum weston_key_state_update update);
void notify_pointer_frame(struct weston_seat *seat);
void notify_touch_frame(struct weston_touch_device *device);
void notify_touch_cancel(struct weston_touch_device *device);
void weston_seat_init(struct weston_seat *seat, struct weston_compositor *compositor, const char *name);
int weston_seat_init_pointer(struct weston_seat *seat);
int weston_seat_init_keyboard(struct weston_seat *seat, struct xkb_keymap *keymap);
int weston_seat_init_touch(struct weston_seat *seat);
struct weston_touch_device *weston_touch_create_touch_device(struct weston_touch *touch, const char *path,
                                                             void *data,
                                                             const struct weston_touch_device_ops *operations);
#if WESTON_VERSION_MAJOR >= 12
void notify_motion_absolute(struct weston_seat *seat, const struct timespec *time, struct weston_coord_global place);
void notify_touch_normalized(struct weston_touch_device *device, const struct timespec *time, int id,
                             const struct weston_coord_global *place,
                             const struct weston_point2d_device_normalized *normalized, int type);
#else
void notify_motion_absolute(struct weston_seat *seat, const struct timespec *time, double x, double y);
void notify_touch_normalized(struct weston_touch_device *device, const struct timespec *time, int id, double x,
                             double y, const struct weston_point2d_device_normalized *normalized, int type);
#endif

static void move_pointer(struct weston_seat *seat, const struct timespec *time, double x, double y)
{
#if WESTON_VERSION_MAJOR >= 12
    notify_motion_absolute(seat, time, (struct weston_coord_global){ .c = { .x = x, .y = y } });
#else
    notify_motion_absolute(seat, time, x, y);
#endif
    notify_pointer_frame(seat);
}

static void touch(struct weston_touch_device *device, const struct timespec *time, int id, double x, double y, int type)
{
#if WESTON_VERSION_MAJOR >= 12
    /* Weston 14 asserts that a finger that goes has no place. */
    struct weston_coord_global place = { .c = { .x = x, .y = y } };
    notify_touch_normalized(device, time, id, type == WL_TOUCH_UP ? NULL : &place, NULL, type);
#else
    notify_touch_normalized(device, time, id, x, y, NULL, type);
#endif
}

/* One module in one Weston process: there is exactly one of it. */
static struct {
    struct weston_seat seat;
    struct weston_touch_device *touch_device;
    struct wl_event_loop *loop;
    FILE *log; /* or NULL */
} injector;

struct connection {
    int socket;
    struct wl_event_source *source;
    char buffer[4096];
    size_t length;
};

static void scroll(const struct timespec *time, double distance)
{
    struct weston_pointer_axis_event event = { .axis = WL_POINTER_AXIS_VERTICAL_SCROLL, .value = distance };
    notify_axis(&injector.seat, time, &event);
    notify_pointer_frame(&injector.seat);
}

static void send_touch_frame(void)
{
    notify_touch_frame(injector.touch_device);
    if (!injector.log)
        return;
    /* Weston sends it as soon as it has nothing else to do; sent at once, this is the time. */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    wl_display_flush_clients(injector.seat.compositor->wl_display);
    fprintf(injector.log, "%lld%06ld\n", (long long)now.tv_sec, now.tv_nsec / 1000);
}

static bool carry_out_touch(const char *line, const struct timespec *time)
{
    int id;
    double x, y;
    if (sscanf(line, "touch down %d %lf %lf", &id, &x, &y) == 3)
        touch(injector.touch_device, time, id, x, y, WL_TOUCH_DOWN);
    else if (sscanf(line, "touch move %d %lf %lf", &id, &x, &y) == 3)
        touch(injector.touch_device, time, id, x, y, WL_TOUCH_MOTION);
    else if (sscanf(line, "touch up %d", &id) == 1)
        touch(injector.touch_device, time, id, 0, 0, WL_TOUCH_UP);
    else if (!strcmp(line, "touch frame"))
        send_touch_frame();
    else if (!strcmp(line, "touch cancel"))
        notify_touch_cancel(injector.touch_device);
    else
        return false;
    return true;
}

static bool carry_out_pointer_or_key(const char *line, const struct timespec *time)
{
    struct weston_seat *seat = &injector.seat;
    double x, y;
    unsigned code, pressed;
    if (sscanf(line, "pointer move %lf %lf", &x, &y) == 2) {
        move_pointer(seat, time, x, y);
    } else if (sscanf(line, "pointer button %u %u", &code, &pressed) == 2) {
        notify_button(seat, time, code, pressed ? WL_POINTER_BUTTON_STATE_PRESSED : WL_POINTER_BUTTON_STATE_RELEASED);
        notify_pointer_frame(seat);
    } else if (sscanf(line, "pointer scroll %lf", &y) == 1) {
        scroll(time, y);
    } else if (sscanf(line, "key %u %u", &code, &pressed) == 2) {
        notify_key(seat, time, code, pressed ? WL_KEYBOARD_KEY_STATE_PRESSED : WL_KEYBOARD_KEY_STATE_RELEASED,
                   STATE_UPDATE_AUTOMATIC);
    } else {
        return false;
    }
    return true;
}

static bool carry_out(const char *line)
{
    struct timespec time;
    weston_compositor_get_time(&time);
    return carry_out_touch(line, &time) || carry_out_pointer_or_key(line, &time);
}

static void close_connection(struct connection *connection)
{
    wl_event_source_remove(connection->source);
    close(connection->socket);
    free(connection);
}

static int on_data(int socket, uint32_t mask, void *data)
{
    (void)mask;
    struct connection *connection = data;
    size_t room = sizeof connection->buffer - connection->length - 1;
    ssize_t received = read(socket, connection->buffer + connection->length, room);
    if (received <= 0) { /* also a line that does not fit */
        close_connection(connection);
        return 0;
    }
    connection->length += received;
    connection->buffer[connection->length] = 0;

    char *end;
    while ((end = strchr(connection->buffer, '\n'))) {
        *end = 0;
        const char *answer = carry_out(connection->buffer) ? "ok\n" : "error unknown command\n";
        send(socket, answer, strlen(answer), MSG_NOSIGNAL);
        connection->length -= end + 1 - connection->buffer;
        memmove(connection->buffer, end + 1, connection->length + 1);
    }
    return 0;
}

static int on_connect(int listener, uint32_t mask, void *data)
{
    (void)mask;
    (void)data;
    int socket = accept(listener, NULL, NULL);
    if (socket < 0)
        return 0;
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection) {
        close(socket);
        return 0;
    }
    connection->socket = socket;
    connection->source = wl_event_loop_add_fd(injector.loop, socket, WL_EVENT_READABLE, on_data, connection);
    return 0;
}

static bool listen_on(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(address.sun_path, path);
    unlink(path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 4))
        return false;
    return wl_event_loop_add_fd(injector.loop, listener, WL_EVENT_READABLE, on_connect, NULL) != NULL;
}

static void add_seat(struct weston_compositor *compositor)
{
    weston_seat_init(&injector.seat, compositor, "injected");
    weston_seat_init_pointer(&injector.seat);
    weston_seat_init_keyboard(&injector.seat, NULL);
    weston_seat_init_touch(&injector.seat);
    injector.touch_device = weston_touch_create_touch_device(weston_seat_get_touch(&injector.seat),
                                                             "/sys/devices/injected/touch", NULL, NULL);
}

__attribute__((visibility("default"))) int wet_module_init(struct weston_compositor *compositor, int *argc,
                                                           char *argv[])
{
    (void)argc;
    (void)argv;
    const char *path = getenv("WESTON_INJECT_SOCKET"), *log = getenv("WESTON_INJECT_LOG");
    injector.loop = wl_display_get_event_loop(compositor->wl_display);
    add_seat(compositor);
    if (!path || !listen_on(path)) {
        weston_log("weston-inject: %s: %s\n", path ? path : "WESTON_INJECT_SOCKET", path ? strerror(errno) : "not set");
        return -1;
    }
    if (log && !(injector.log = fopen(log, "we"))) {
        weston_log("weston-inject: %s: %s\n", log, strerror(errno));
        return -1;
    }
    if (injector.log)
        setvbuf(injector.log, NULL, _IOLBF, 0);
    weston_log("weston-inject: seat ready, socket %s\n", path);
    return 0;
}
