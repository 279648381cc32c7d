// A stream of a file, decoded by FFmpeg into GStreamer's buffers.
#pragma once

#include <gst/video/video.h>

#include "library.h"

typedef struct {
    GstPad *pad;
    int index;
    AVRational time_base;
    AVCodecContext *decoder;
    gboolean is_video;
    GstVideoInfo video;
    // The format of samples or pixels when the file was opened.
    int format;
    // For sound.
    int rate, channels;
    gsize sample_size;
    gboolean is_planar;
    // The start of the next frame that has no time of its own.
    GstClockTime next;
    gboolean is_behind_gap;
} vit_stream;

// Opens the decoder and returns the caps of its output; NULL where it can't be opened or has an output that isn't
// supported.
GstCaps *vit_stream_open(vit_stream *stream, const vit_libav *av, const AVStream *source, AVRational rate);

// A copy of the frame; NULL where its format or size differ from the caps. Without times.
GstBuffer *vit_stream_buffer(const vit_stream *stream, const AVFrame *frame);

// Cuts the beginning of a buffer in whose middle a seek's target lies, as decoders do.
void vit_stream_clip(const vit_stream *stream, GstBuffer *buffer, GstClockTime start);

GstClockTime vit_stream_frame_duration(const vit_stream *stream, const AVFrame *frame);
