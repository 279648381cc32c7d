// A stream of a file, decoded by FFmpeg, as GStreamer wants it.
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
    // The samples' or the pixels', as it was when the file was opened.
    int format;
    // Sound.
    int rate, channels;
    gsize sample_size;
    gboolean is_planar;
    // Where the next frame begins that has no time of its own.
    GstClockTime next;
    gboolean is_behind_gap;
} vit_stream;

// Opens the decoder and says what comes out of it; NULL where it can't be opened or gives what we don't take.
GstCaps *vit_stream_open(vit_stream *stream, const vit_libav *av, const AVStream *source, AVRational rate);

// A copy of the frame; NULL where it is of another format or size than the caps say. Without times.
GstBuffer *vit_stream_buffer(const vit_stream *stream, const AVFrame *frame);

// Has a buffer begin later than it does, as decoders have it with a frame that a seek leads into the middle of.
void vit_stream_clip(const vit_stream *stream, GstBuffer *buffer, GstClockTime start);

GstClockTime vit_stream_frame_duration(const vit_stream *stream, const AVFrame *frame);
