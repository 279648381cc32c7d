#include "stream.h"

#include <string.h>

static const struct {
    enum AVPixelFormat theirs;
    GstVideoFormat ours;
} pictures[] = {
    {AV_PIX_FMT_YUV420P, GST_VIDEO_FORMAT_I420},
    {AV_PIX_FMT_YUV422P, GST_VIDEO_FORMAT_Y42B},
    {AV_PIX_FMT_YUV444P, GST_VIDEO_FORMAT_Y444},
    {AV_PIX_FMT_GBRP, GST_VIDEO_FORMAT_GBR},
    {AV_PIX_FMT_GBRAP, GST_VIDEO_FORMAT_GBRA},
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
    {AV_PIX_FMT_YUV422P10, GST_VIDEO_FORMAT_I422_10LE},
    {AV_PIX_FMT_GBRP10, GST_VIDEO_FORMAT_GBR_10LE},
    {AV_PIX_FMT_GBRAP10, GST_VIDEO_FORMAT_GBRA_10LE},
#endif
};

static const struct {
    enum AVSampleFormat theirs;
    gboolean is_planar;
    gsize size;
    const char *ours;
} samples[] = {
    {AV_SAMPLE_FMT_U8, FALSE, 1, "U8"},
    {AV_SAMPLE_FMT_U8P, TRUE, 1, "U8"},
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
    {AV_SAMPLE_FMT_S16, FALSE, 2, "S16LE"},
    {AV_SAMPLE_FMT_S16P, TRUE, 2, "S16LE"},
    {AV_SAMPLE_FMT_S32, FALSE, 4, "S32LE"},
    {AV_SAMPLE_FMT_S32P, TRUE, 4, "S32LE"},
    {AV_SAMPLE_FMT_FLT, FALSE, 4, "F32LE"},
    {AV_SAMPLE_FMT_FLTP, TRUE, 4, "F32LE"},
    {AV_SAMPLE_FMT_DBL, FALSE, 8, "F64LE"},
    {AV_SAMPLE_FMT_DBLP, TRUE, 8, "F64LE"},
#endif
};

static GstCaps *picture_caps(vit_stream *stream, AVRational rate) {
    const AVCodecContext *decoder = stream->decoder;
    GstVideoFormat format = GST_VIDEO_FORMAT_UNKNOWN;
    for (gsize index = 0; index < G_N_ELEMENTS(pictures); index++)
        if (pictures[index].theirs == decoder->pix_fmt) format = pictures[index].ours;
    if (format == GST_VIDEO_FORMAT_UNKNOWN || decoder->width <= 0 || decoder->height <= 0
        || !gst_video_info_set_format(&stream->video, format, (guint)decoder->width, (guint)decoder->height))
        return NULL;
    stream->format = decoder->pix_fmt;
    if (GST_VIDEO_INFO_IS_YUV(&stream->video))
        gst_video_colorimetry_from_string(
            &stream->video.colorimetry, decoder->colorspace == AVCOL_SPC_BT709 ? "bt709" : "bt601");
    if (rate.num > 0 && rate.den > 0) {
        stream->video.fps_n = rate.num;
        stream->video.fps_d = rate.den;
    }
    if (decoder->sample_aspect_ratio.num > 0 && decoder->sample_aspect_ratio.den > 0) {
        stream->video.par_n = decoder->sample_aspect_ratio.num;
        stream->video.par_d = decoder->sample_aspect_ratio.den;
    }
    return gst_video_info_to_caps(&stream->video);
}

static GstCaps *sound_caps(vit_stream *stream) {
    const AVCodecContext *decoder = stream->decoder;
    const char *format = NULL;
    for (gsize index = 0; index < G_N_ELEMENTS(samples); index++) {
        if (samples[index].theirs != decoder->sample_fmt) continue;
        format = samples[index].ours;
        stream->is_planar = samples[index].is_planar;
        stream->sample_size = samples[index].size;
    }
    stream->format = decoder->sample_fmt;
    stream->rate = decoder->sample_rate;
    stream->channels = decoder->ch_layout.nb_channels;
    if (!format || stream->rate <= 0 || stream->channels <= 0 || stream->channels > 64) return NULL;
    GstCaps *caps = gst_caps_new_simple(
        "audio/x-raw", "format", G_TYPE_STRING, format, "layout", G_TYPE_STRING, "interleaved", "rate", G_TYPE_INT,
        stream->rate, "channels", G_TYPE_INT, stream->channels, NULL);
    // The channel bits are the same in both libraries. For more than two channels without names no mask is known.
    guint64 mask = decoder->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? decoder->ch_layout.u.mask : 0;
    if (stream->channels > 2) gst_caps_set_simple(caps, "channel-mask", GST_TYPE_BITMASK, mask, NULL);
    return caps;
}

GstCaps *vit_stream_open(vit_stream *stream, const vit_libav *av, const AVStream *source, AVRational rate) {
    const AVCodec *codec = av->avcodec_find_decoder(source->codecpar->codec_id);
    stream->decoder = codec ? av->avcodec_alloc_context3(codec) : NULL;
    if (!stream->decoder) return NULL;
    stream->index = source->index;
    stream->time_base = source->time_base;
    stream->decoder->pkt_timebase = source->time_base;
    stream->decoder->max_pixels = (int64_t)VIT_LIBAV_LONGEST_SIDE * VIT_LIBAV_LONGEST_SIDE;
    AVDictionary *options = NULL;
    gboolean is_open = av->av_dict_set(&options, "codec_whitelist", VIT_LIBAV_DECODERS, 0) >= 0
        && av->avcodec_parameters_to_context(stream->decoder, source->codecpar) >= 0
        && av->avcodec_open2(stream->decoder, codec, &options) >= 0;
    av->av_dict_free(&options);
    if (!is_open) return NULL;
    return stream->is_video ? picture_caps(stream, rate) : sound_caps(stream);
}

static GstBuffer *picture_buffer(const vit_stream *stream, const AVFrame *frame) {
    const GstVideoInfo *info = &stream->video;
    if (frame->width != GST_VIDEO_INFO_WIDTH(info) || frame->height != GST_VIDEO_INFO_HEIGHT(info)
        || frame->format != stream->format)
        return NULL;
    for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES(info); plane++)
        if (!frame->data[plane]) return NULL;
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, GST_VIDEO_INFO_SIZE(info), NULL);
    GstVideoFrame target;
    if (!buffer || !gst_video_frame_map(&target, (GstVideoInfo *)info, buffer, GST_MAP_WRITE)) {
        if (buffer) gst_buffer_unref(buffer);
        return NULL;
    }
    // In all formats above each plane has one component, and the planes of RGB have equal sizes.
    for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&target); plane++) {
        gsize row = (gsize)GST_VIDEO_FRAME_COMP_WIDTH(&target, plane) * (gsize)GST_VIDEO_FRAME_COMP_PSTRIDE(&target, plane);
        guint8 *to = GST_VIDEO_FRAME_PLANE_DATA(&target, plane);
        const guint8 *from = frame->data[plane];
        for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&target, plane); y++) {
            memcpy(to, from, row);
            to += GST_VIDEO_FRAME_PLANE_STRIDE(&target, plane);
            from += frame->linesize[plane];
        }
    }
    gst_video_frame_unmap(&target);
    return buffer;
}

static GstBuffer *sound_buffer(const vit_stream *stream, const AVFrame *frame) {
    if (frame->format != stream->format || frame->ch_layout.nb_channels != stream->channels
        || frame->sample_rate != stream->rate || frame->nb_samples <= 0)
        return NULL;
    gsize size = stream->sample_size, channels = (gsize)stream->channels, count = (gsize)frame->nb_samples;
    GstBuffer *buffer = gst_buffer_new_allocate(NULL, size * channels * count, NULL);
    GstMapInfo map;
    if (!buffer || !gst_buffer_map(buffer, &map, GST_MAP_WRITE)) {
        if (buffer) gst_buffer_unref(buffer);
        return NULL;
    }
    if (!stream->is_planar) memcpy(map.data, frame->extended_data[0], map.size);
    for (gsize channel = 0; stream->is_planar && channel < channels; channel++)
        for (gsize sample = 0; sample < count; sample++)
            memcpy(map.data + (sample * channels + channel) * size, frame->extended_data[channel] + sample * size, size);
    gst_buffer_unmap(buffer, &map);
    return buffer;
}

GstBuffer *vit_stream_buffer(const vit_stream *stream, const AVFrame *frame) {
    return stream->is_video ? picture_buffer(stream, frame) : sound_buffer(stream, frame);
}

void vit_stream_clip(const vit_stream *stream, GstBuffer *buffer, GstClockTime start) {
    GstClockTime ahead = start - GST_BUFFER_PTS(buffer);
    if (GST_BUFFER_DURATION_IS_VALID(buffer))
        GST_BUFFER_DURATION(buffer) -= MIN(GST_BUFFER_DURATION(buffer), ahead);
    GST_BUFFER_PTS(buffer) = start;
    if (stream->is_video) return;
    gsize count = gst_util_uint64_scale(ahead, (guint64)stream->rate, GST_SECOND);
    gsize length = stream->sample_size * (gsize)stream->channels * count;
    gst_buffer_resize(buffer, (gssize)MIN(length, gst_buffer_get_size(buffer)), -1);
}

GstClockTime vit_stream_frame_duration(const vit_stream *stream, const AVFrame *frame) {
    if (!stream->is_video)
        return gst_util_uint64_scale((guint64)frame->nb_samples, GST_SECOND, (guint64)stream->rate);
    if (stream->video.fps_n <= 0) return GST_CLOCK_TIME_NONE;
    return gst_util_uint64_scale(GST_SECOND, (guint64)stream->video.fps_d, (guint64)stream->video.fps_n);
}
