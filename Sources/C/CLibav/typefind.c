#include "typefind.h"

#include <string.h>

enum {
    // Where a file's first streams are described; a chunk of this length has it in all that we know.
    SEARCHED = 4096,
    // From the code of a stream's format to the code of its codec.
    CODEC_OFFSET = 8 + 16,
};

// Ut Video: the coding (L, Q, M), the colours (RGB, BT.601, BT.709), and what of them there is.
static gboolean is_ut_video(const guint8 *code) {
    return code[0] == 'U' && strchr("LQM", code[1]) && strchr("RYH", code[2]) && strchr("AG024", code[3]) && code[1]
        && code[2] && code[3];
}

static void find(GstTypeFind *found, gpointer data) {
    (void)data;
    const guint8 *start = NULL;
    gsize length = SEARCHED;
    // Short files too.
    while (!start && length >= 256) {
        start = gst_type_find_peek(found, 0, (guint)length);
        if (!start) length /= 2;
    }
    if (!start || memcmp(start, "RIFF", 4) != 0 || memcmp(start + 8, "AVI ", 4) != 0) return;
    gboolean is_video = FALSE;
    for (gsize at = 12; at + CODEC_OFFSET + 4 <= length; at++) {
        if (memcmp(start + at, "strh", 4) == 0) is_video = memcmp(start + at + 8, "vids", 4) == 0;
        if (!is_video || memcmp(start + at, "strf", 4) != 0) continue;
        if (is_ut_video(start + at + CODEC_OFFSET))
            gst_type_find_suggest_simple(found, GST_TYPE_FIND_MAXIMUM, VIT_UT_VIDEO_TYPE, NULL, NULL);
        return;
    }
}

gboolean vit_libav_register_typefind(void) {
    GstCaps *caps = gst_caps_new_empty_simple(VIT_UT_VIDEO_TYPE);
    // Before GStreamer's own, which takes every AVI.
    gboolean is_known = gst_type_find_register(NULL, "vitutvideo", GST_RANK_PRIMARY + 1, find, "avi", caps, NULL, NULL);
    gst_caps_unref(caps);
    return is_known;
}
