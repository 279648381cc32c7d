// FFmpeg's libraries, loaded when they are needed: linking them, with their own dependencies, would take most of the
// program's start.
#pragma once

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#pragma GCC diagnostic pop

#define VIT_LIBAV_FUNCTIONS(F)                                                                                         \
    F(format, av_find_input_format)                                                                                    \
    F(format, avformat_alloc_context)                                                                                  \
    F(format, avformat_open_input)                                                                                     \
    F(format, avformat_find_stream_info)                                                                               \
    F(format, avformat_close_input)                                                                                    \
    F(format, avio_alloc_context)                                                                                      \
    F(format, avio_context_free)                                                                                       \
    F(format, av_read_frame)                                                                                           \
    F(format, av_seek_frame)                                                                                           \
    F(codec, avcodec_find_decoder)                                                                                     \
    F(codec, avcodec_alloc_context3)                                                                                   \
    F(codec, avcodec_parameters_to_context)                                                                            \
    F(codec, avcodec_open2)                                                                                            \
    F(codec, avcodec_send_packet)                                                                                      \
    F(codec, avcodec_receive_frame)                                                                                    \
    F(codec, avcodec_flush_buffers)                                                                                    \
    F(codec, avcodec_free_context)                                                                                     \
    F(codec, av_packet_alloc)                                                                                          \
    F(codec, av_packet_unref)                                                                                          \
    F(codec, av_packet_free)                                                                                           \
    F(util, av_frame_alloc)                                                                                            \
    F(util, av_frame_free)                                                                                             \
    F(util, av_frame_unref)                                                                                            \
    F(util, av_malloc)                                                                                                 \
    F(util, av_free)                                                                                                   \
    F(util, av_dict_get)                                                                                               \
    F(util, av_dict_set)                                                                                               \
    F(util, av_dict_free)                                                                                              \
    F(util, av_log_set_level)                                                                                          \
    F(util, av_rescale_q)

typedef struct {
#define FIELD(library, name) __typeof__(name) *name;
    VIT_LIBAV_FUNCTIONS(FIELD)
#undef FIELD
} vit_libav;

// The decoders that the three formats need, of FFmpeg's hundreds.
#define VIT_LIBAV_DECODERS                                                                                             \
    "utvideo,alac,aac,mp2float,mp3float,mp2,mp3,ac3,opus,libopus,flac,vorbis,adpcm_ima_qt,adpcm_ima_wav,adpcm_ms,"     \
    "pcm_alaw,pcm_mulaw,pcm_s8,pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,"          \
    "pcm_f32be,pcm_f64le,pcm_f64be"

// The longest side of a film, in pixels: twice 4K.
enum { VIT_LIBAV_LONGEST_SIDE = 8192 };

// NULL where one of the libraries is missing. Any thread; blocks while they are loaded.
const vit_libav *vit_libav_load(void);
