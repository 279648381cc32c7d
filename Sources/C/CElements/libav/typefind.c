#include "typefind.h"

#include <string.h>

enum {
    // Bytes in which a file's first streams are described; they suffice for all known files.
    SEARCHED = 4096,
    // A chunk's head: its code and its length.
    HEAD = 8,
    // A list's head has the code of its content after that.
    LIST_HEAD = 12,
    // The place of the codec's code within a stream's format.
    CODEC_OFFSET = 16,
};

// Ut Video's code: the coding (L, Q, M), the colours (RGB, BT.601, BT.709), and the subsampling or alpha.
static gboolean is_ut_video(const guint8 *code) {
    return code[0] == 'U' && strchr("LQM", code[1]) && strchr("RYH", code[2]) && strchr("AG024", code[3]) && code[1]
        && code[2] && code[3];
}

// The code of the first picture's codec, searched chunk by chunk: content of other chunks isn't a stream. NULL where
// these bytes have none.
static const guint8 *picture_codec(const guint8 *start, gsize length) {
    gboolean is_video = FALSE;
    gsize at = LIST_HEAD;
    while (at <= length && length - at >= HEAD + CODEC_OFFSET + 4) {
        const guint8 *chunk = start + at;
        if (memcmp(chunk, "LIST", 4) == 0 && (memcmp(chunk + 8, "hdrl", 4) == 0 || memcmp(chunk + 8, "strl", 4) == 0)) {
            at += LIST_HEAD;
            continue;
        }
        gsize size = GST_READ_UINT32_LE(chunk + 4);
        if (memcmp(chunk, "strh", 4) == 0) is_video = size >= 4 && memcmp(chunk + HEAD, "vids", 4) == 0;
        if (is_video && memcmp(chunk, "strf", 4) == 0) return size >= CODEC_OFFSET + 4 ? chunk + HEAD + CODEC_OFFSET : NULL;
        // Chunks begin at even offsets.
        if (size > length) return NULL;
        at += HEAD + size + (size & 1);
    }
    return NULL;
}

static void find(GstTypeFind *found, gpointer data) {
    (void)data;
    const guint8 *start = NULL;
    gsize length = SEARCHED;
    // Shorter files are read with smaller requests.
    while (!start && length >= 256) {
        start = gst_type_find_peek(found, 0, (guint)length);
        if (!start) length /= 2;
    }
    if (!start || memcmp(start, "RIFF", 4) != 0 || memcmp(start + 8, "AVI ", 4) != 0) return;
    const guint8 *codec = picture_codec(start, length);
    if (codec && is_ut_video(codec))
        gst_type_find_suggest_simple(found, GST_TYPE_FIND_MAXIMUM, VIT_UT_VIDEO_TYPE, NULL, NULL);
}

// The format of a WAV, which stands before its sound; 0 for another file. Sets `channels` too.
static guint wave_format(const guint8 *start, gsize length, guint *channels) {
    gsize at = LIST_HEAD;
    while (at <= length && length - at >= HEAD + 4) {
        const guint8 *chunk = start + at;
        gsize size = GST_READ_UINT32_LE(chunk + 4);
        if (memcmp(chunk, "fmt ", 4) == 0) {
            *channels = GST_READ_UINT16_LE(chunk + HEAD + 2);
            return GST_READ_UINT16_LE(chunk + HEAD);
        }
        if (size > length) return 0;
        at += HEAD + size + (size & 1);
    }
    return 0;
}

static void find_wave(GstTypeFind *found, gpointer data) {
    (void)data;
    enum { IMA_ADPCM = 0x11, MP3 = 0x55 };
    const guint8 *start = NULL;
    gsize length = SEARCHED;
    while (!start && length >= 64) {
        start = gst_type_find_peek(found, 0, (guint)length);
        if (!start) length /= 2;
    }
    if (!start || memcmp(start, "RIFF", 4) != 0 || memcmp(start + 8, "WAVE", 4) != 0) return;
    guint channels = 0;
    guint format = wave_format(start, length, &channels);
    if (format == MP3 || (format == IMA_ADPCM && channels != 2))
        gst_type_find_suggest_simple(found, GST_TYPE_FIND_MAXIMUM, VIT_WAV_TYPE, NULL, NULL);
}

gboolean vit_libav_register_typefind(void) {
    GstCaps *caps = gst_caps_new_empty_simple(VIT_UT_VIDEO_TYPE);
    // Ranked above GStreamer's own typefinder, which takes every AVI.
    gboolean is_known = gst_type_find_register(NULL, "vitutvideo", GST_RANK_PRIMARY + 1, find, "avi", caps, NULL, NULL);
    gst_caps_unref(caps);
    caps = gst_caps_new_empty_simple(VIT_WAV_TYPE);
    is_known &= gst_type_find_register(NULL, "vitwav", GST_RANK_PRIMARY + 1, find_wave, "wav", caps, NULL, NULL);
    gst_caps_unref(caps);
    return is_known;
}
