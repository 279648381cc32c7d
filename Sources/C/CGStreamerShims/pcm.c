// GStreamer 1.22 only: PCM in MP4 as in ISO 23003-5 (`ipcm`, `fpcm`), which qtdemux doesn't know, gets QuickTime's
// names, which it knows. Those mean the other byte order where samples have more than 16 bits.
#include "CGStreamerShims.h"

#include <string.h>

enum {
    // From the name of a sound description to that of the box with the samples' format.
    TO_BOX = 36,
    BOX_LENGTH = 14,
    // In that box: its flags, whose lowest bit means little endian, and the bits of a sample.
    TO_FLAGS = 8,
    TO_BITS = 9,
    // Bytes that are searched of a buffer that isn't a film's header: a header that comes in pieces from a server
    // begins with it.
    SEARCHED = 64 * 1024,
};

static const char *quicktime_name(gboolean is_float, guint bits, gboolean is_little)
{
    if (is_float) return bits == 32 ? "fl32" : bits == 64 ? "fl64" : NULL;
    switch (bits) {
    case 16: return is_little ? "sowt" : "twos";
    case 24: return "in24";
    case 32: return "in32";
    default: return NULL;
    }
}

gboolean vit_name_pcm(GstPadProbeInfo *info, gboolean *is_swapped)
{
    GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstMapInfo map;
    if (!buffer || !gst_buffer_map(buffer, &map, GST_MAP_READ)) return FALSE;
    gboolean is_header = map.size >= 8 && memcmp(map.data + 4, "moov", 4) == 0;
    gsize count = is_header ? map.size : MIN(map.size, SEARCHED);
    gsize places[8];
    const char *names[8];
    guint found = 0;
    for (gsize at = 0; count > TO_BOX + BOX_LENGTH && at < count - TO_BOX - BOX_LENGTH && found < 8; at += 1) {
        const guint8 *name = memchr(map.data + at, 'p', count - TO_BOX - BOX_LENGTH - at);
        if (!name) break;
        at = (gsize)(name - map.data);
        if (at < 1 || memcmp(name, "pcm", 3) != 0 || (name[-1] != 'i' && name[-1] != 'f')) continue;
        const guint8 *box = name - 1 + TO_BOX;
        if (memcmp(box, "pcmC", 4) != 0 || GST_READ_UINT32_BE(box - 4) != BOX_LENGTH) continue;
        gboolean is_little = box[TO_FLAGS] & 1;
        const char *known = quicktime_name(name[-1] == 'f', box[TO_BITS], is_little);
        if (!known) continue;
        if (is_little && box[TO_BITS] > 16) *is_swapped = TRUE;
        places[found] = at - 1;
        names[found++] = known;
    }
    gst_buffer_unmap(buffer, &map);
    if (found == 0) return FALSE;
    buffer = gst_buffer_make_writable(buffer);
    for (guint index = 0; index < found; index += 1) gst_buffer_fill(buffer, places[index], names[index], 4);
    info->data = buffer;
    return TRUE;
}

void vit_swap_samples(GstPadProbeInfo *info, GstPad *pad)
{
    GstCaps *caps = gst_pad_get_current_caps(pad);
    const char *format = caps ? gst_structure_get_string(gst_caps_get_structure(caps, 0), "format") : NULL;
    gsize width = !format                       ? 0
                  : strcmp(format, "S24BE") == 0 ? 3
                  : strcmp(format, "S32BE") == 0 || strcmp(format, "F32BE") == 0 ? 4
                  : strcmp(format, "F64BE") == 0                                 ? 8
                                                                                 : 0;
    g_clear_pointer(&caps, gst_caps_unref);
    if (width == 0) return;
    GstBuffer *buffer = gst_buffer_make_writable(GST_PAD_PROBE_INFO_BUFFER(info));
    info->data = buffer;
    GstMapInfo map;
    if (!gst_buffer_map(buffer, &map, GST_MAP_READWRITE)) return;
    for (gsize at = 0; at + width <= map.size; at += width)
        for (gsize low = 0; low < width / 2; low += 1) {
            guint8 byte = map.data[at + low];
            map.data[at + low] = map.data[at + width - 1 - low];
            map.data[at + width - 1 - low] = byte;
        }
    gst_buffer_unmap(buffer, &map);
}
