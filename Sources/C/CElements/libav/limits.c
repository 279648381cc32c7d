#include "limits.h"

#include <string.h>

enum {
    // Each packet takes 24 bytes of memory: 96 MB. That is four days of ALAC, or a day of AAC.
    MOST_PACKETS = 4 * 1000 * 1000,
    // Files have about five chunks.
    MOST_CHUNKS = 1000,
    // Pictures, sounds, subtitles; one each of the first two is played.
    MOST_STREAMS_IN_FILE = 8,
    FILE_HEAD = 8,
    CHUNK_HEAD = 12,
};

static guint64 number(const guint8 *bytes) {
    guint64 value = 0;
    for (int index = 0; index < 8; index++) value = value << 8 | bytes[index];
    return value;
}

gboolean vit_core_audio_is_bounded(vit_read_at read, void *data) {
    guint64 place = FILE_HEAD;
    for (int count = 0; count < MOST_CHUNKS; count++) {
        guint8 head[CHUNK_HEAD + 8] = {0};
        if (read(data, place, head, sizeof head) < CHUNK_HEAD) return TRUE;
        if (memcmp(head, "pakt", 4) == 0 && number(head + CHUNK_HEAD) > MOST_PACKETS) return FALSE;
        guint64 length = number(head + 4);
        // Sound without a length reaches to the file's end. No other chunk may be longer than a file.
        if (length > G_MAXINT64) return memcmp(head, "data", 4) == 0;
        if (length > G_MAXINT64 - CHUNK_HEAD - place) return FALSE;
        place += CHUNK_HEAD + length;
    }
    return FALSE;
}

gboolean vit_streams_are_ours(const AVFormatContext *file) {
    if (file->nb_streams > MOST_STREAMS_IN_FILE) return FALSE;
    for (unsigned index = 0; index < file->nb_streams; index++) {
        const AVCodecParameters *stream = file->streams[index]->codecpar;
        if (stream->codec_type != AVMEDIA_TYPE_VIDEO) continue;
        if (stream->codec_id != AV_CODEC_ID_UTVIDEO || stream->width <= 0 || stream->width > VIT_LIBAV_LONGEST_SIDE
            || stream->height <= 0 || stream->height > VIT_LIBAV_LONGEST_SIDE)
            return FALSE;
    }
    return TRUE;
}
