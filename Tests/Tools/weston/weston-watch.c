/* weston-watch: a module for Weston 10 which writes down what each composed frame shows.
 *
 * WESTON_WATCH_LOG names the file. Weston composes a frame when something has changed, at most
 * once a refresh; each is one line, in the order of composition:
 *
 *   SECONDS CHECKSUM KIND NUMBER
 *
 * SECONDS is CLOCK_MONOTONIC's, when the frame was done. Equal CHECKSUMs are equal pictures.
 * KIND is "black" where every pixel is, else "picture". NUMBER is the frame number that
 * make-media has put into the clip, or "-" where none can be read; it is looked for where
 * WESTON_WATCH_RECTANGLES says that the whole video may stand: "X,Y,W,H X,Y,W,H ...".
 *
 * All of it takes some 3 ms a frame at 1280x720, in which Weston does nothing else. Where
 * that would be part of what is measured, WESTON_WATCH_ONLY_NUMBERS=1 reads no more than the
 * rows of the first rectangle that the number is in; CHECKSUM and KIND are "-" then.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <libweston/libweston.h>

int wet_module_init(struct weston_compositor *compositor, int *argc, char *argv[]);

enum { MAX_RECTANGLES = 8, BITS = 16, COLUMNS = 20 };
/* Of 255. Darker is black: video's black comes out as 0 to 2, by way of the conversion. */
enum { DARK = 85, BRIGHT = 170, BLACK = 8 };

struct rectangle {
    int x, y, width, height;
};

/* One module in one Weston process: there is exactly one of it. */
static struct {
    FILE *log;
    struct weston_compositor *compositor;
    struct wl_listener output_created;
    struct rectangle rectangles[MAX_RECTANGLES];
    int rectangle_count;
    bool only_numbers;
} watch;

struct watched_output {
    struct weston_output *output;
    struct wl_listener frame;
    struct wl_listener destroy;
    uint32_t *pixels;
    size_t size;
};

static uint64_t checksum(const uint32_t *pixels, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ (pixels[i] & 0xffffff)) * 0x100000001b3;
    return hash;
}

static int brightest(uint32_t pixel)
{
    int red = pixel >> 16 & 255, green = pixel >> 8 & 255, blue = pixel & 255;
    int most = red > green ? red : green;
    return most > blue ? most : blue;
}

static bool is_black(const uint32_t *pixels, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (brightest(pixels[i]) > BLACK)
            return false;
    return true;
}

/* The mean over the middle of a square, -1 outside of the screen. */
static int square(const struct watched_output *watched, double centre_x, double centre_y, double side)
{
    int reach = side / 6, sum = 0, count = 0;
    for (int y = centre_y - reach; y <= centre_y + reach; y++)
        for (int x = centre_x - reach; x <= centre_x + reach; x++) {
            if (x < 0 || y < 0 || x >= watched->output->current_mode->width ||
                y >= watched->output->current_mode->height)
                return -1;
            sum += brightest(watched->pixels[(size_t)y * watched->output->current_mode->width + x]);
            count++;
        }
    return sum / count;
}

/* The number in a video that stands in `where`, or -1: the layout is make-media's. */
static int frame_number(const struct watched_output *watched, const struct rectangle *where)
{
    double side = (double)where->width / COLUMNS;
    int number = 0;
    for (int column = 0; column < COLUMNS; column++) {
        int value = square(watched, where->x + (column + 0.5) * side, where->y + 1.5 * side, side);
        bool is_grey = value > DARK && value < BRIGHT;
        bool is_bit = column >= 1 && column <= BITS;
        if (value < 0 || is_grey == is_bit)
            return -1;
        if (is_bit)
            number = number << 1 | (value >= BRIGHT);
    }
    return number;
}

/* Some renderers give the lowest row first: the rows from `first` to before `end` change places. */
static void turn_over(struct watched_output *watched, int width, int first, int end)
{
    for (; first < end - 1; first++, end--) {
        uint32_t *above = watched->pixels + (size_t)first * width;
        uint32_t *below = watched->pixels + (size_t)(end - 1) * width;
        for (int x = 0; x < width; x++) {
            uint32_t pixel = above[x];
            above[x] = below[x];
            below[x] = pixel;
        }
    }
}

/* Which rows of the screen to read. `square` needs no others of a number. */
static void rows_to_read(int height, int *first, int *end)
{
    *first = 0;
    *end = height;
    if (!watch.only_numbers || watch.rectangle_count == 0)
        return;
    double side = (double)watch.rectangles[0].width / COLUMNS, middle = watch.rectangles[0].y + 1.5 * side;
    int reach = side / 6 + 1;
    if (middle - reach >= 0 && middle + reach < height) {
        *first = middle - reach;
        *end = middle + reach + 1;
    }
}

static void on_frame(struct wl_listener *listener, void *data)
{
    (void)data;
    struct watched_output *watched = wl_container_of(listener, watched, frame);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int width = watched->output->current_mode->width, height = watched->output->current_mode->height;
    int first, end;
    rows_to_read(height, &first, &end);
    size_t count = (size_t)width * height;
    if (watched->size != count) {
        free(watched->pixels);
        watched->pixels = malloc(count * sizeof *watched->pixels);
        watched->size = watched->pixels ? count : 0;
    }
    /* OpenGL counts rows from below, and has a format of its own; the order of the colours is nothing that is looked at. */
    bool is_gl = watch.compositor->capabilities & WESTON_CAP_CAPTURE_YFLIP;
    if (!watched->pixels ||
        watch.compositor->renderer->read_pixels(watched->output, is_gl ? watch.compositor->read_format : PIXMAN_x8r8g8b8,
                                                watched->pixels + (size_t)first * width, 0,
                                                is_gl ? height - end : first, width, end - first)) {
        fprintf(watch.log, "# a frame could not be read: %s\n", strerror(errno));
        return;
    }
    if (is_gl)
        turn_over(watched, width, first, end);
    int number = -1;
    for (int i = 0; i < watch.rectangle_count && number < 0; i++)
        number = frame_number(watched, &watch.rectangles[i]);
    fprintf(watch.log, "%lld.%06ld ", (long long)now.tv_sec, now.tv_nsec / 1000);
    if (watch.only_numbers)
        fprintf(watch.log, "- - ");
    else
        fprintf(watch.log, "%016llx %s ", (unsigned long long)checksum(watched->pixels, count),
                is_black(watched->pixels, count) ? "black" : "picture");
    if (number < 0)
        fprintf(watch.log, "-\n");
    else
        fprintf(watch.log, "%d\n", number);
}

static void on_destroy(struct wl_listener *listener, void *data)
{
    (void)data;
    struct watched_output *watched = wl_container_of(listener, watched, destroy);
    wl_list_remove(&watched->frame.link);
    wl_list_remove(&watched->destroy.link);
    free(watched->pixels);
    free(watched);
    fflush(watch.log);
}

static void watch_output(struct weston_output *output)
{
    struct watched_output *watched = calloc(1, sizeof *watched);
    if (!watched)
        return;
    watched->output = output;
    watched->frame.notify = on_frame;
    wl_signal_add(&output->frame_signal, &watched->frame);
    watched->destroy.notify = on_destroy;
    wl_signal_add(&output->destroy_signal, &watched->destroy);
}

static void on_output_created(struct wl_listener *listener, void *data)
{
    (void)listener;
    watch_output(data);
}

static bool read_rectangles(const char *text)
{
    int used;
    struct rectangle rectangle;
    for (; *text; text += used) {
        used = 0;
        if (sscanf(text, "%d,%d,%d,%d %n", &rectangle.x, &rectangle.y, &rectangle.width, &rectangle.height, &used) != 4 ||
            used == 0 || watch.rectangle_count == MAX_RECTANGLES)
            return false;
        watch.rectangles[watch.rectangle_count++] = rectangle;
    }
    return true;
}

__attribute__((visibility("default"))) int wet_module_init(struct weston_compositor *compositor, int *argc,
                                                           char *argv[])
{
    (void)argc;
    (void)argv;
    const char *path = getenv("WESTON_WATCH_LOG"), *rectangles = getenv("WESTON_WATCH_RECTANGLES");
    if (rectangles && !read_rectangles(rectangles)) {
        weston_log("weston-watch: WESTON_WATCH_RECTANGLES=%s: not X,Y,W,H ...\n", rectangles);
        return -1;
    }
    watch.compositor = compositor;
    watch.only_numbers = getenv("WESTON_WATCH_ONLY_NUMBERS");
    watch.log = path ? fopen(path, "we") : NULL;
    if (!watch.log) {
        weston_log("weston-watch: %s: %s\n", path ? path : "WESTON_WATCH_LOG", path ? strerror(errno) : "not set");
        return -1;
    }
    /* Who waits for a picture reads the file meanwhile. */
    setvbuf(watch.log, NULL, _IOLBF, 0);
    struct weston_output *output;
    wl_list_for_each(output, &compositor->output_list, link)
        watch_output(output);
    watch.output_created.notify = on_output_created;
    wl_signal_add(&compositor->output_created_signal, &watch.output_created);
    weston_log("weston-watch: writes to %s\n", path);
    return 0;
}
