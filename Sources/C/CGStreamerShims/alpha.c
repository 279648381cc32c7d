// Draws the background behind transparent pixels of a film: converters drop the alpha channel, and the colours of those
// pixels would show.
#include "CGStreamerShims.h"

#include <gst/video/video.h>

// 0xRRGGBB as the components of a format with this many bits: limited range for YUV.
static void components(guint32 colour, const GstVideoInfo *info, guint depth, gint out[3])
{
    gdouble r = (colour >> 16 & 0xFF) / 255.0, g = (colour >> 8 & 0xFF) / 255.0, b = (colour & 0xFF) / 255.0;
    gdouble scale = (gdouble)(1 << (depth - 8));
    if (GST_VIDEO_INFO_IS_RGB(info)) {
        gdouble most = (gdouble)((1 << depth) - 1);
        out[0] = (gint)(r * most + 0.5), out[1] = (gint)(g * most + 0.5), out[2] = (gint)(b * most + 0.5);
        return;
    }
    gdouble kr = 0.299, kb = 0.114;
    gst_video_color_matrix_get_Kr_Kb(info->colorimetry.matrix, &kr, &kb);
    gdouble y = kr * r + (1 - kr - kb) * g + kb * b;
    out[0] = (gint)((16 + 219 * y) * scale + 0.5);
    out[1] = (gint)((128 + 112 * (b - y) / (1 - kb)) * scale + 0.5);
    out[2] = (gint)((128 + 112 * (r - y) / (1 - kr)) * scale + 0.5);
}

static guint read_sample(const guint8 *at, gboolean is_wide) { return is_wide ? GST_READ_UINT16_LE(at) : *at; }

static void blend(GstVideoFrame *frame, guint component, gint behind)
{
    const GstVideoFormatInfo *format = frame->info.finfo;
    guint depth = GST_VIDEO_FORMAT_INFO_DEPTH(format, component), most = (1u << GST_VIDEO_FORMAT_INFO_DEPTH(format, 3)) - 1;
    gboolean is_wide = depth > 8;
    gint across = GST_VIDEO_FORMAT_INFO_W_SUB(format, component), down = GST_VIDEO_FORMAT_INFO_H_SUB(format, component);
    gint step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, component), alpha_step = GST_VIDEO_FRAME_COMP_PSTRIDE(frame, 3);
    gint width = GST_VIDEO_FRAME_COMP_WIDTH(frame, component), height = GST_VIDEO_FRAME_COMP_HEIGHT(frame, component);
    gint last_x = GST_VIDEO_FRAME_COMP_WIDTH(frame, 3) - 1, last_y = GST_VIDEO_FRAME_COMP_HEIGHT(frame, 3) - 1;
    for (gint y = 0; y < height; y += 1) {
        guint8 *row = (guint8 *)GST_VIDEO_FRAME_COMP_DATA(frame, component) +
                      (gssize)y * GST_VIDEO_FRAME_COMP_STRIDE(frame, component);
        const guint8 *alphas = (const guint8 *)GST_VIDEO_FRAME_COMP_DATA(frame, 3) +
                               (gssize)MIN(y << down, last_y) * GST_VIDEO_FRAME_COMP_STRIDE(frame, 3);
        for (gint x = 0; x < width; x += 1) {
            gint64 alpha = read_sample(alphas + (gssize)MIN(x << across, last_x) * alpha_step, is_wide);
            if (alpha >= most) continue;
            guint8 *at = row + (gssize)x * step;
            gint64 value = behind + ((gint64)read_sample(at, is_wide) - behind) * alpha / most;
            if (is_wide)
                GST_WRITE_UINT16_LE(at, (guint16)value);
            else
                *at = (guint8)value;
        }
    }
}

// Formats whose samples are stored separately, in 8 bits or in 16 of the machine's usual byte order.
static gboolean is_plain(const GstVideoFormatInfo *format)
{
    if (!GST_VIDEO_FORMAT_INFO_HAS_ALPHA(format) || GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format) != 4) return FALSE;
    if (GST_VIDEO_FORMAT_INFO_IS_COMPLEX(format) || !(GST_VIDEO_FORMAT_INFO_IS_LE(format) || format->bits == 8)) return FALSE;
    guint depth = GST_VIDEO_FORMAT_INFO_DEPTH(format, 0);
    if (depth < 8 || depth > 16) return FALSE;
    for (guint component = 0; component < 4; component += 1)
        if (GST_VIDEO_FORMAT_INFO_SHIFT(format, component) != 0 || GST_VIDEO_FORMAT_INFO_DEPTH(format, component) != depth)
            return FALSE;
    return TRUE;
}

gboolean vit_has_plain_alpha(GstCaps *caps)
{
    GstVideoInfo info;
    if (!gst_caps_is_fixed(caps) || gst_caps_features_contains(gst_caps_get_features(caps, 0), "memory:DMABuf")) return FALSE;
    return gst_video_info_from_caps(&info, caps) && is_plain(info.finfo);
}

void vit_fill_behind(GstPadProbeInfo *probe, GstPad *pad, guint32 colour)
{
    GstCaps *caps = gst_pad_get_current_caps(pad);
    GstVideoInfo info;
    gboolean is_known = caps && gst_video_info_from_caps(&info, caps) && is_plain(info.finfo);
    g_clear_pointer(&caps, gst_caps_unref);
    if (!is_known) return;
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(probe));
    probe->data = buffer;
    GstVideoFrame frame;
    if (!gst_video_frame_map(&frame, &info, buffer, GST_MAP_READWRITE)) return;
    gint behind[3];
    components(colour, &info, GST_VIDEO_FORMAT_INFO_DEPTH(info.finfo, 0), behind);
    for (guint component = 0; component < 3; component += 1) blend(&frame, component, behind[component]);
    gst_video_frame_unmap(&frame);
}
