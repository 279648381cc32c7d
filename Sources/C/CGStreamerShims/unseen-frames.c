#include "UnseenFrames.h"

static guint prefix_of(GstCaps *caps)
{
    GstStructure *structure = gst_caps_get_structure(caps, 0);
    if (!gst_structure_has_name(structure, "video/x-h264") ||
        g_strcmp0(gst_structure_get_string(structure, "alignment"), "au") != 0)
        return VIT_NO_H264;
    const char *format = gst_structure_get_string(structure, "stream-format");
    if (g_strcmp0(format, "byte-stream") == 0) return 0;
    const GValue *value = gst_structure_get_value(structure, "codec_data");
    GstBuffer *configuration = value && GST_VALUE_HOLDS_BUFFER(value) ? gst_value_get_buffer(value) : NULL;
    guint8 sizes;
    // ISO/IEC 14496-15, 5.3.3.1: the fifth byte ends with the length's size minus one.
    if (!configuration || gst_buffer_extract(configuration, 4, &sizes, 1) != 1) return VIT_NO_H264;
    return (sizes & 3u) + 1;
}

guint vit_h264_prefix(GstPad *pad)
{
    GstCaps *caps = gst_pad_get_current_caps(pad);
    if (!caps) return VIT_NO_H264;
    guint prefix = prefix_of(caps);
    gst_caps_unref(caps);
    return prefix;
}

gboolean vit_is_before_segment(GstPad *pad, GstBuffer *buffer)
{
    if (!GST_BUFFER_PTS_IS_VALID(buffer) || !GST_BUFFER_DURATION_IS_VALID(buffer)) return FALSE;
    GstEvent *event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0);
    if (!event) return FALSE;
    const GstSegment *segment;
    gst_event_parse_segment(event, &segment);
    gboolean is_before = segment->format == GST_FORMAT_TIME && segment->rate > 0 &&
        segment->start > GST_BUFFER_PTS(buffer) && segment->start - GST_BUFFER_PTS(buffer) >= GST_BUFFER_DURATION(buffer);
    gst_event_unref(event);
    return is_before;
}
