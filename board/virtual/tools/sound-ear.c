/* sound-ear: listens to what a program plays on the board's ALSA loopback, whose clock it first makes wrong.
 *
 *   sound-ear --fast PPM --seconds S [--settle S]
 *
 * A made device: the kernel's snd-aloop plays as fast as its control "PCM Rate Shift 100000" says, in steps of 10 parts in a
 * million. What is played on hw:Loopback,0 is heard here sample by sample. It has to be tone.mov of Tests/Tools/sound-day: a
 * tone of 997 Hz on the left, a tick at each whole second on the right. Said, a line each:
 *
 *   tick AT FRAME       a tick begins in that frame, which the device plays at AT (CLOCK_MONOTONIC, s)
 *   jump AT             the tone isn't the one that it was before: a sample was left out or put in, or more
 *   ratio AT PPM        of every 10 s: how much higher the tone is than 997 Hz of the device, in parts in a million
 *   heard FRAMES LOUD   at the end: frames, and how many of them are in the tone
 *
 * What comes before the tone has been heard for as long as --settle says isn't judged.
 */
#include <alsa/asoundlib.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RATE = 48000, PART = 4800, TONE = 997 };
/* What rounding to 16 bits, a pitch that is off by 0.1 % and a resampler's noise leave of a sine in the sum below stays under
 * a tenth of this; a sample left out leaves more at all but the very crests of the tone. */
static const double noise = 60;

static void fail(const char *what, int code)
{
    fprintf(stderr, "sound-ear: %s: %s\n", what, snd_strerror(code));
    exit(1);
}

#define CHECK(call) do { int code_ = (call); if (code_ < 0) fail(#call, code_); } while (0)

static void shift_clock(long fast_ppm)
{
    snd_ctl_t *control;
    snd_ctl_elem_value_t *value;
    CHECK(snd_ctl_open(&control, "hw:Loopback", 0));
    snd_ctl_elem_value_alloca(&value);
    snd_ctl_elem_value_set_interface(value, SND_CTL_ELEM_IFACE_PCM);
    snd_ctl_elem_value_set_name(value, "PCM Rate Shift 100000");
    /* The listening side's: the kernel takes that of the other end for what is played. */
    snd_ctl_elem_value_set_device(value, 1);
    snd_ctl_elem_value_set_subdevice(value, 0);
    /* More is slower. */
    snd_ctl_elem_value_set_integer(value, 0, lround(1e5 / (1 + (double)fast_ppm / 1e6)));
    CHECK(snd_ctl_elem_write(control, value));
    snd_ctl_close(control);
}

static snd_pcm_t *open_device(void)
{
    snd_pcm_t *pcm;
    snd_pcm_hw_params_t *hardware;
    snd_pcm_sw_params_t *software;
    unsigned rate = RATE;
    snd_pcm_uframes_t period = PART, buffer = RATE;
    CHECK(snd_pcm_open(&pcm, "hw:Loopback,1,0", SND_PCM_STREAM_CAPTURE, 0));
    snd_pcm_hw_params_alloca(&hardware);
    CHECK(snd_pcm_hw_params_any(pcm, hardware));
    CHECK(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED));
    CHECK(snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE));
    CHECK(snd_pcm_hw_params_set_channels(pcm, hardware, 2));
    CHECK(snd_pcm_hw_params_set_rate_near(pcm, hardware, &rate, NULL));
    CHECK(snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, NULL));
    CHECK(snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer));
    CHECK(snd_pcm_hw_params(pcm, hardware));
    snd_pcm_sw_params_alloca(&software);
    CHECK(snd_pcm_sw_params_current(pcm, software));
    CHECK(snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE));
    CHECK(snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC));
    CHECK(snd_pcm_sw_params(pcm, software));
    CHECK(snd_pcm_start(pcm));
    return pcm;
}

/* When the device plays the frame that comes after those read. */
static double time_of_next(snd_pcm_t *pcm)
{
    snd_pcm_status_t *status;
    snd_htimestamp_t stamp;
    snd_pcm_status_alloca(&status);
    CHECK(snd_pcm_status(pcm, status));
    snd_pcm_status_get_htstamp(status, &stamp);
    return (double)stamp.tv_sec + stamp.tv_nsec / 1e9 - (double)snd_pcm_status_get_avail(status) / RATE;
}

static struct {
    unsigned long long frame, loud_since, last_jump, last_loud, last_tick, heard;
    unsigned long long settle;
    double before[2], jumped_at;
    bool is_loud;
    /* Of the stretch of 10 s at hand: how the tone lies against 997 Hz, from one part of 0.1 s to the next. */
    double sine, cosine, phase, turned;
    unsigned parts, in_second;
    bool has_phase;
} ear;

static void measure_pitch(double sample, double at)
{
    /* 48000 frames are whole turns. */
    double angle = 2 * M_PI * (double)(ear.in_second * TONE % RATE) / RATE;
    ear.sine += sample * cos(angle);
    ear.cosine += sample * sin(angle);
    ear.in_second = (ear.in_second + 1) % RATE;
    if (ear.in_second % (RATE / 10) != 0) return;
    double phase = atan2(ear.cosine, ear.sine);
    if (ear.has_phase) ear.turned += remainder(ear.phase - phase, 2 * M_PI);
    ear.phase = phase;
    ear.has_phase = true;
    ear.sine = ear.cosine = 0;
    if (++ear.parts <= 100) return;
    printf("ratio %.3f %.2f\n", at, ear.turned / (2 * M_PI * TONE * 10) * 1e6);
    ear.turned = 0;
    ear.parts = 1;
}

static void forget_pitch(void)
{
    ear.sine = ear.cosine = ear.turned = 0;
    ear.in_second = ear.parts = 0;
    ear.has_phase = false;
}

static void hear(const int16_t *frame, double at)
{
    const double twice_cosine = 2 * cos(2 * M_PI * TONE / RATE);
    double left = frame[0];
    double off = fabs(left - twice_cosine * ear.before[0] + ear.before[1]);
    ear.before[1] = ear.before[0];
    ear.before[0] = left;
    ear.frame++;
    if (fabs(left) > 4000) {
        if (!ear.is_loud) ear.loud_since = ear.frame;
        ear.is_loud = true;
        ear.last_loud = ear.frame;
    }
    if (!ear.is_loud) return;
    if (ear.frame - ear.loud_since < ear.settle) return;
    ear.heard++;
    if (off > noise) {
        /* Said when the tone has gone on: its end isn't one. */
        if (!ear.jumped_at && ear.frame - ear.last_jump > RATE / 100) ear.jumped_at = at;
        ear.last_jump = ear.frame;
        forget_pitch();
    } else
        measure_pitch(left, at);
    if (ear.jumped_at && ear.frame - ear.last_loud < RATE / TONE && at - ear.jumped_at > 0.02) {
        printf("jump %.6f\n", ear.jumped_at);
        ear.jumped_at = 0;
    }
    if (abs(frame[1]) > 3000 && ear.frame - ear.last_tick > RATE / 2) {
        printf("tick %.6f %llu\n", at, ear.frame);
        ear.last_tick = ear.frame;
    }
}

int main(int count, char **arguments)
{
    long fast = 0, seconds = 10;
    double settle = 0;
    for (int i = 1; i + 1 < count; i += 2) {
        if (!strcmp(arguments[i], "--fast")) fast = strtol(arguments[i + 1], NULL, 10);
        else if (!strcmp(arguments[i], "--seconds")) seconds = strtol(arguments[i + 1], NULL, 10);
        else if (!strcmp(arguments[i], "--settle")) settle = strtod(arguments[i + 1], NULL);
        else count = 0;
    }
    if (count % 2 == 0) {
        fputs("usage: sound-ear --fast PPM --seconds S [--settle S]\n", stderr);
        return 64;
    }
    ear.settle = (unsigned long long)(settle * RATE);
    shift_clock(fast);
    /* So that a run of a day can be looked at meanwhile. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    snd_pcm_t *pcm = open_device();
    puts("ready");
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    int16_t part[PART * 2];
    do {
        snd_pcm_sframes_t got = snd_pcm_readi(pcm, part, PART);
        if (got < 0) {
            printf("overrun\n");
            CHECK(snd_pcm_recover(pcm, (int)got, 1));
            CHECK(snd_pcm_start(pcm));
            continue;
        }
        double next = time_of_next(pcm);
        for (snd_pcm_sframes_t i = 0; i < got; i++) hear(part + 2 * i, next - (double)(got - i) / RATE);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec);
    printf("heard %llu %llu\n", ear.frame, ear.heard);
    return 0;
}
