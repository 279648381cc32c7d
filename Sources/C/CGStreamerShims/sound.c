#include "CGStreamerShims.h"

#include <gst/audio/gstaudiobasesink.h>

typedef struct {
    vit_device_clock_func func;
    gpointer data;
    GDestroyNotify destroy;
} Watch;

static void observe(
    GstAudioBaseSink *sink, GstClockTime ours, GstClockTime device, GstClockTimeDiff *skew,
    GstAudioBaseSinkDiscontReason reason, gpointer data)
{
    (void)sink, (void)skew; // none is asked for: the sink never skips
    const Watch *watch = data;
    // Also called for breaks in the stream, without times.
    if (reason != GST_AUDIO_BASE_SINK_DISCONT_REASON_NO_DISCONT) return;
    if (!GST_CLOCK_TIME_IS_VALID(ours) || !GST_CLOCK_TIME_IS_VALID(device)) return;
    watch->func(watch->data, device, ours);
}

static void release(gpointer data)
{
    Watch *watch = data;
    watch->destroy(watch->data);
    g_free(watch);
}

gboolean vit_watch_device_clock(GstElement *sink, vit_device_clock_func func, gpointer data, GDestroyNotify destroy)
{
    if (!GST_IS_AUDIO_BASE_SINK(sink)) return FALSE;
    Watch *watch = g_new(Watch, 1);
    *watch = (Watch){.func = func, .data = data, .destroy = destroy};
    gst_audio_base_sink_set_slave_method(GST_AUDIO_BASE_SINK(sink), GST_AUDIO_BASE_SINK_SLAVE_CUSTOM);
    gst_audio_base_sink_set_custom_slaving_callback(GST_AUDIO_BASE_SINK(sink), observe, watch, release);
    return TRUE;
}
