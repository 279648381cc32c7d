// The element: one sink pad, through which it reads the parts of the file that it needs, and a source pad each for the
// picture and the sound, both decoded. One thread does all of that.
#include <gst/base/gstflowcombiner.h>
#include <gst/gst.h>
#include <string.h>

#include "libav-file.h"
#include "limits.h"
#include "stream.h"
#include "typefind.h"

enum {
    // Bytes of one read from upstream.
    PORTION = 32 * 1024,
    // The most bytes that are kept of a file that can only be read from start to end; longer ones have to be copied to
    // disk first.
    KEPT = 64 * 1000 * 1000,
    MOST_STREAMS = 2,
    // The most bytes that are read before the file's streams are known: tables, which take up to 24 times that in
    // memory. For a film with 30 frames a second that is a table of five hours.
    OPENING = 8 * 1000 * 1000,
};

#define VIT_TYPE_LIBAV (vit_libav_file_get_type())
G_DECLARE_FINAL_TYPE(VitLibavFile, vit_libav_file, VIT, LIBAV_FILE, GstElement)

struct _VitLibavFile {
    GstElement parent;
    GstPad *sink;
    const vit_libav *av;
    // Used by the sink pad's thread, and under its lock.
    AVFormatContext *file;
    AVIOContext *io;
    AVPacket *packet;
    AVFrame *frame;
    vit_stream streams[MOST_STREAMS];
    guint count;
    guint64 offset;
    guint64 length;
    // Bytes that may still be read.
    guint64 allowed;
    // Data that upstream pushed; NULL where data are pulled.
    GByteArray *kept;
    gboolean is_over;
    GstFlowCombiner *flows;
    GstSegment segment;
    gboolean has_new_segment;
    guint32 seek_number;
    // In nanoseconds, 0 while it isn't known. Under the object's lock.
    gint64 duration;
};

G_DEFINE_TYPE(VitLibavFile, vit_libav_file, GST_TYPE_ELEMENT)

static GstStaticPadTemplate sink_template
    = GST_STATIC_PAD_TEMPLATE("sink", GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS("audio/x-caf; " VIT_UT_VIDEO_TYPE "; " VIT_WAV_TYPE));
static GstStaticPadTemplate video_template
    = GST_STATIC_PAD_TEMPLATE("video", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS("video/x-raw"));
static GstStaticPadTemplate audio_template
    = GST_STATIC_PAD_TEMPLATE("audio", GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS("audio/x-raw"));

// -- The file's bytes ------------------------------------------------------------------------------

static int read_bytes(void *data, uint8_t *target, int wanted) {
    VitLibavFile *self = data;
    guint64 left = self->length > self->offset ? self->length - self->offset : 0;
    guint count = (guint)MIN(MIN(left, self->allowed), (guint64)MAX(wanted, 0));
    if (count == 0) return AVERROR_EOF;
    if (self->kept) {
        memcpy(target, self->kept->data + self->offset, count);
    } else {
        GstBuffer *buffer = NULL;
        GstFlowReturn flow = gst_pad_pull_range(self->sink, self->offset, count, &buffer);
        if (flow == GST_FLOW_EOS) return AVERROR_EOF;
        if (flow != GST_FLOW_OK) return flow == GST_FLOW_FLUSHING ? AVERROR_EXIT : AVERROR(EIO);
        count = (guint)gst_buffer_extract(buffer, 0, target, count);
        gst_buffer_unref(buffer);
        if (count == 0) return AVERROR_EOF;
    }
    self->offset += count;
    if (self->allowed != G_MAXUINT64) self->allowed -= count;
    return (int)count;
}

static int read_at(void *data, guint64 place, guint8 *target, int count) {
    VitLibavFile *self = data;
    guint64 before = self->offset;
    self->offset = place;
    int length = read_bytes(self, target, count);
    self->offset = before;
    return length;
}

static int64_t seek_bytes(void *data, int64_t offset, int whence) {
    VitLibavFile *self = data;
    if (whence & AVSEEK_SIZE) return (int64_t)self->length;
    int64_t from = 0;
    if ((whence & ~AVSEEK_FORCE) == SEEK_CUR) from = (int64_t)self->offset;
    if ((whence & ~AVSEEK_FORCE) == SEEK_END) from = (int64_t)self->length;
    int64_t place;
    if (__builtin_add_overflow(from, offset, &place) || place < 0) return AVERROR(EINVAL);
    self->offset = (guint64)place;
    return place;
}

// -- Opening ---------------------------------------------------------------------------------------

static GstClockTime clock_time(const VitLibavFile *self, int64_t value, AVRational base) {
    if (value == AV_NOPTS_VALUE) return GST_CLOCK_TIME_NONE;
    int64_t time = self->av->av_rescale_q(value, base, (AVRational){1, 1000000000});
    int64_t start = self->file->start_time == AV_NOPTS_VALUE ? 0 : self->file->start_time;
    return time <= start * 1000 ? 0 : (GstClockTime)(time - start * 1000);
}

static gboolean take_source_event(GstPad *pad, GstObject *parent, GstEvent *event);
static gboolean answer(GstPad *pad, GstObject *parent, GstQuery *query);

static void announce(VitLibavFile *self, vit_stream *stream, GstCaps *caps, guint group) {
    stream->pad = gst_pad_new_from_static_template(
        stream->is_video ? &video_template : &audio_template, stream->is_video ? "video" : "audio");
    gst_object_ref(stream->pad);
    gst_pad_use_fixed_caps(stream->pad);
    GST_PAD_SET_ACCEPT_TEMPLATE(stream->pad);
    gst_pad_set_event_function(stream->pad, take_source_event);
    gst_pad_set_query_function(stream->pad, answer);
    gst_pad_set_active(stream->pad, TRUE);
    char *id = gst_pad_create_stream_id(stream->pad, GST_ELEMENT(self), stream->is_video ? "video" : "audio");
    GstEvent *start = gst_event_new_stream_start(id);
    g_free(id);
    gst_event_set_group_id(start, group);
    gst_pad_push_event(stream->pad, start);
    gst_pad_push_event(stream->pad, gst_event_new_caps(caps));
    gst_element_add_pad(GST_ELEMENT(self), stream->pad);
    gst_flow_combiner_add_pad(self->flows, stream->pad);
}

static void announce_streams(VitLibavFile *self) {
    guint group = gst_util_group_id_next();
    for (unsigned index = 0; index < self->file->nb_streams && self->count < MOST_STREAMS; index++) {
        const AVStream *source = self->file->streams[index];
        gboolean is_video = source->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
        if (!is_video && source->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) continue;
        if (self->count == 1 && self->streams[0].is_video == is_video) continue;
        vit_stream *stream = &self->streams[self->count];
        *stream = (vit_stream){.is_video = is_video};
        AVRational rate = source->avg_frame_rate.num > 0 ? source->avg_frame_rate : source->r_frame_rate;
        GstCaps *caps = vit_stream_open(stream, self->av, source, rate);
        if (!caps) {
            self->av->avcodec_free_context(&stream->decoder);
            continue;
        }
        announce(self, stream, caps, group);
        gst_caps_unref(caps);
        self->count++;
    }
}

static void tell_tags(VitLibavFile *self) {
    static const struct {
        const char *theirs, *ours;
    } words[] = {{"title", GST_TAG_TITLE}, {"artist", GST_TAG_ARTIST}, {"album", GST_TAG_ALBUM}};
    GstTagList *tags = gst_tag_list_new_empty();
    gst_tag_list_set_scope(tags, GST_TAG_SCOPE_GLOBAL);
    for (gsize index = 0; index < G_N_ELEMENTS(words); index++) {
        const AVDictionaryEntry *entry = self->av->av_dict_get(self->file->metadata, words[index].theirs, NULL, 0);
        if (entry && entry->value[0] && g_utf8_validate(entry->value, -1, NULL))
            gst_tag_list_add(tags, GST_TAG_MERGE_REPLACE, words[index].ours, entry->value, NULL);
    }
    for (guint index = 0; index < self->count && !gst_tag_list_is_empty(tags); index++)
        gst_pad_push_event(self->streams[index].pad, gst_event_new_tag(gst_tag_list_ref(tags)));
    gst_tag_list_unref(tags);
}

// The FFmpeg demultiplexer for the file: the one for the type that was found, and no other.
static const AVInputFormat *input_format(VitLibavFile *self) {
    GstCaps *caps = gst_pad_get_current_caps(self->sink);
    const GstStructure *type = caps ? gst_caps_get_structure(caps, 0) : NULL;
    const char *name = type && gst_structure_has_name(type, VIT_UT_VIDEO_TYPE) ? "avi"
        : type && gst_structure_has_name(type, VIT_WAV_TYPE)                   ? "wav"
                                                                               : "caf";
    if (caps) gst_caps_unref(caps);
    // Without caps, as in pull mode, the file's own first bytes decide.
    uint8_t start[12] = {0};
    if (!caps && read_bytes(self, start, sizeof start) == sizeof start && memcmp(start, "RIFF", 4) == 0)
        name = memcmp(start + 8, "WAVE", 4) == 0 ? "wav" : "avi";
    self->offset = 0;
    return self->av->av_find_input_format(name);
}

// Opens the file with only the demultiplexers and decoders of the three formats: no demultiplexer inside of this one,
// and no other decoder.
static gboolean open_format(VitLibavFile *self) {
    const vit_libav *av = self->av;
    self->allowed = G_MAXUINT64;
    const AVInputFormat *format = input_format(self);
    if (!format) return FALSE;
    if (strcmp(format->name, "caf") == 0 && !vit_core_audio_is_bounded(read_at, self)) return FALSE;
    AVDictionary *options = NULL;
    self->allowed = OPENING;
    // FFmpeg frees the context of a file that it can't open.
    gboolean is_open = av->av_dict_set(&options, "codec_whitelist", VIT_LIBAV_DECODERS, 0) >= 0
        && av->av_dict_set(&options, "format_whitelist", format->name, 0) >= 0
        && av->avformat_open_input(&self->file, "", format, &options) >= 0;
    self->allowed = G_MAXUINT64;
    av->av_dict_free(&options);
    return is_open && vit_streams_are_ours(self->file) && av->avformat_find_stream_info(self->file, NULL) >= 0
        && vit_streams_are_ours(self->file);
}

static gboolean open_file(VitLibavFile *self) {
    self->av = vit_libav_load();
    if (!self->av) {
        GST_ELEMENT_ERROR(self, CORE, MISSING_PLUGIN, (NULL), ("FFmpeg's libraries aren't installed"));
        return FALSE;
    }
    const vit_libav *av = self->av;
    gint64 length = -1;
    if (self->kept) length = self->kept->len;
    else if (!gst_pad_peer_query_duration(self->sink, GST_FORMAT_BYTES, &length)) length = -1;
    self->length = (guint64)MAX(length, 0);
    self->file = av->avformat_alloc_context();
    self->packet = av->av_packet_alloc();
    self->frame = av->av_frame_alloc();
    uint8_t *memory = av->av_malloc(PORTION);
    self->io = memory ? av->avio_alloc_context(memory, PORTION, 0, self, read_bytes, NULL, seek_bytes) : NULL;
    if (!self->file || !self->packet || !self->frame || !self->io) {
        if (memory && !self->io) av->av_free(memory);
        GST_ELEMENT_ERROR(self, RESOURCE, NO_SPACE_LEFT, (NULL), ("no memory"));
        return FALSE;
    }
    self->file->pb = self->io;
    // Only the demultiplexer of this format; and no file that this one names.
    self->file->flags |= AVFMT_FLAG_CUSTOM_IO;
    if (!open_format(self)) {
        GST_ELEMENT_ERROR(self, STREAM, DEMUX, (NULL), ("FFmpeg can't read it"));
        return FALSE;
    }
    gint64 duration;
    if (self->file->duration <= 0 || __builtin_mul_overflow(self->file->duration, 1000, &duration)) duration = 0;
    GST_OBJECT_LOCK(self);
    self->duration = duration;
    GST_OBJECT_UNLOCK(self);
    if (duration > 0) self->segment.duration = (guint64)duration;
    announce_streams(self);
    if (self->count == 0) {
        GST_ELEMENT_ERROR(self, STREAM, DECODE, (NULL), ("FFmpeg can't decode it"));
        return FALSE;
    }
    gst_element_no_more_pads(GST_ELEMENT(self));
    tell_tags(self);
    return TRUE;
}

// Closes the file, under the sink pad's lock: a seek may be under way.
static void close_file(VitLibavFile *self) {
    for (guint index = 0; index < self->count; index++) {
        vit_stream *stream = &self->streams[index];
        gst_flow_combiner_remove_pad(self->flows, stream->pad);
        gst_pad_set_active(stream->pad, FALSE);
        gst_element_remove_pad(GST_ELEMENT(self), stream->pad);
        gst_object_unref(stream->pad);
        self->av->avcodec_free_context(&stream->decoder);
    }
    self->count = 0;
    if (self->file) self->av->avformat_close_input(&self->file);
    if (self->io) {
        self->av->av_free(self->io->buffer);
        self->av->avio_context_free(&self->io);
    }
    if (self->packet) self->av->av_packet_free(&self->packet);
    if (self->frame) self->av->av_frame_free(&self->frame);
    self->offset = self->length = 0;
    GST_OBJECT_LOCK(self);
    self->duration = 0;
    GST_OBJECT_UNLOCK(self);
    self->seek_number = 0;
    g_clear_pointer(&self->kept, g_byte_array_unref);
    self->is_over = FALSE;
    gst_segment_init(&self->segment, GST_FORMAT_TIME);
    self->has_new_segment = TRUE;
}

// -- Playing ---------------------------------------------------------------------------------------

static GstFlowReturn push_all(VitLibavFile *self, GstEvent *event) {
    for (guint index = 0; index < self->count; index++)
        gst_pad_push_event(self->streams[index].pad, gst_event_ref(event));
    gst_event_unref(event);
    return GST_FLOW_OK;
}

static GstFlowReturn push_frame(VitLibavFile *self, vit_stream *stream) {
    const AVFrame *frame = self->frame;
    GstBuffer *buffer = vit_stream_buffer(stream, frame);
    if (!buffer) return GST_FLOW_OK;
    GstClockTime time = clock_time(self, frame->best_effort_timestamp, stream->time_base);
    if (!GST_CLOCK_TIME_IS_VALID(time)) time = stream->next;
    GstClockTime duration = vit_stream_frame_duration(stream, frame);
    GST_BUFFER_PTS(buffer) = time;
    GST_BUFFER_DURATION(buffer) = duration;
    if (GST_CLOCK_TIME_IS_VALID(duration) && GST_CLOCK_TIME_IS_VALID(time)) stream->next = time + duration;
    // Frames that end before the seek's target are dropped.
    if (GST_CLOCK_TIME_IS_VALID(duration) && GST_CLOCK_TIME_IS_VALID(time) && time + duration <= self->segment.start) {
        gst_buffer_unref(buffer);
        return GST_FLOW_OK;
    }
    if (GST_CLOCK_TIME_IS_VALID(time) && time < self->segment.start) vit_stream_clip(stream, buffer, self->segment.start);
    if (stream->is_behind_gap) GST_BUFFER_FLAG_SET(buffer, GST_BUFFER_FLAG_DISCONT);
    stream->is_behind_gap = FALSE;
    if (GST_CLOCK_TIME_IS_VALID(time)) self->segment.position = time;
    return gst_flow_combiner_update_pad_flow(self->flows, stream->pad, gst_pad_push(stream->pad, buffer));
}

// Decodes a packet; NULL at the end, for the frames that the decoder still holds.
static GstFlowReturn decode(VitLibavFile *self, vit_stream *stream, const AVPacket *packet) {
    // A packet that can't be decoded is skipped, as on a scratched disc.
    if (self->av->avcodec_send_packet(stream->decoder, packet) < 0) return GST_FLOW_OK;
    GstFlowReturn flow = GST_FLOW_OK;
    while (flow == GST_FLOW_OK && self->av->avcodec_receive_frame(stream->decoder, self->frame) >= 0) {
        flow = push_frame(self, stream);
        self->av->av_frame_unref(self->frame);
    }
    return flow;
}

static GstFlowReturn play_packet(VitLibavFile *self) {
    if (self->has_new_segment) {
        GstEvent *event = gst_event_new_segment(&self->segment);
        if (self->seek_number) gst_event_set_seqnum(event, self->seek_number);
        push_all(self, event);
        self->has_new_segment = FALSE;
    }
    int code = self->av->av_read_frame(self->file, self->packet);
    if (code == AVERROR_EXIT) return GST_FLOW_FLUSHING;
    GstFlowReturn flow = GST_FLOW_OK;
    for (guint index = 0; index < self->count && flow == GST_FLOW_OK; index++) {
        vit_stream *stream = &self->streams[index];
        if (code < 0) flow = decode(self, stream, NULL);
        else if (self->packet->stream_index == stream->index) flow = decode(self, stream, self->packet);
    }
    self->av->av_packet_unref(self->packet);
    if (code >= 0 && GST_CLOCK_TIME_IS_VALID(self->segment.stop) && self->segment.position >= self->segment.stop)
        code = AVERROR_EOF;
    return code < 0 && flow == GST_FLOW_OK ? GST_FLOW_EOS : flow;
}

static void run(gpointer data) {
    VitLibavFile *self = VIT_LIBAV_FILE(data);
    GstFlowReturn flow = GST_FLOW_ERROR;
    if (!self->file && !self->is_over) self->is_over = !open_file(self);
    if (!self->is_over) flow = play_packet(self);
    if (flow == GST_FLOW_OK) return;
    gst_pad_pause_task(self->sink);
    if (flow == GST_FLOW_EOS) {
        GstEvent *event = gst_event_new_eos();
        if (self->seek_number) gst_event_set_seqnum(event, self->seek_number);
        push_all(self, event);
    } else if (flow != GST_FLOW_FLUSHING && !self->is_over) {
        GST_ELEMENT_FLOW_ERROR(self, flow);
        push_all(self, gst_event_new_eos());
    }
}

static gboolean seek(VitLibavFile *self, GstEvent *event) {
    gdouble rate;
    GstFormat format;
    GstSeekFlags flags;
    GstSeekType start_type, stop_type;
    gint64 start, stop;
    gst_event_parse_seek(event, &rate, &format, &flags, &start_type, &start, &stop_type, &stop);
    if (format != GST_FORMAT_TIME || rate <= 0) return FALSE;
    gboolean flushes = (flags & GST_SEEK_FLAG_FLUSH) != 0;
    guint32 number = gst_event_get_seqnum(event);
    if (flushes) {
        GstEvent *flush = gst_event_new_flush_start();
        gst_event_set_seqnum(flush, number);
        // Data that upstream has pushed don't come again, so upstream isn't flushed.
        if (!self->kept) gst_pad_push_event(self->sink, gst_event_ref(flush));
        push_all(self, flush);
    } else {
        gst_pad_pause_task(self->sink);
    }
    GST_PAD_STREAM_LOCK(self->sink);
    // A seek while the element stops must not start the task again.
    gboolean is_open = self->file != NULL && self->count > 0 && gst_pad_is_active(self->sink);
    if (flushes) {
        GstEvent *flush = gst_event_new_flush_stop(TRUE);
        gst_event_set_seqnum(flush, number);
        if (!self->kept) gst_pad_push_event(self->sink, gst_event_ref(flush));
        push_all(self, flush);
        gst_flow_combiner_reset(self->flows);
    }
    if (is_open) {
        gst_segment_do_seek(&self->segment, rate, format, flags, start_type, (guint64)start, stop_type, (guint64)stop,
            NULL);
        self->has_new_segment = TRUE;
        self->seek_number = number;
        int64_t first = self->file->start_time == AV_NOPTS_VALUE ? 0 : self->file->start_time;
        self->io->error = 0;
        self->av->av_seek_frame(self->file, -1, first + (int64_t)(self->segment.position / 1000), AVSEEK_FLAG_BACKWARD);
        for (guint index = 0; index < self->count; index++) {
            self->av->avcodec_flush_buffers(self->streams[index].decoder);
            self->streams[index].next = GST_CLOCK_TIME_NONE;
            self->streams[index].is_behind_gap = TRUE;
        }
        gst_pad_start_task(self->sink, run, self, NULL);
    }
    GST_PAD_STREAM_UNLOCK(self->sink);
    return is_open;
}

// -- Pads ------------------------------------------------------------------------------------------

static gboolean take_source_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    (void)pad;
    // Elements downstream have no events for the file itself.
    gboolean is_done = GST_EVENT_TYPE(event) == GST_EVENT_SEEK && seek(VIT_LIBAV_FILE(parent), event);
    gst_event_unref(event);
    return is_done;
}

static gboolean answer(GstPad *pad, GstObject *parent, GstQuery *query) {
    VitLibavFile *self = VIT_LIBAV_FILE(parent);
    GstFormat format;
    GST_OBJECT_LOCK(self);
    gint64 duration = self->duration;
    GST_OBJECT_UNLOCK(self);
    gboolean is_known = duration > 0;
    switch (GST_QUERY_TYPE(query)) {
    case GST_QUERY_DURATION:
        gst_query_parse_duration(query, &format, NULL);
        if (format != GST_FORMAT_TIME || !is_known) return FALSE;
        gst_query_set_duration(query, format, duration);
        return TRUE;
    case GST_QUERY_SEEKING:
        gst_query_parse_seeking(query, &format, NULL, NULL, NULL);
        if (format != GST_FORMAT_TIME) return FALSE;
        gst_query_set_seeking(query, format, is_known, 0, is_known ? duration : -1);
        return TRUE;
    default: return gst_pad_query_default(pad, parent, query);
    }
}

static gboolean activate(GstPad *pad, GstObject *parent) {
    (void)parent;
    GstQuery *query = gst_query_new_scheduling();
    gboolean may_ask = gst_pad_peer_query(pad, query)
        && gst_query_has_scheduling_mode_with_flags(query, GST_PAD_MODE_PULL, GST_SCHEDULING_FLAG_SEEKABLE);
    gst_query_unref(query);
    return gst_pad_activate_mode(pad, may_ask ? GST_PAD_MODE_PULL : GST_PAD_MODE_PUSH, TRUE);
}

static gboolean activate_mode(GstPad *pad, GstObject *parent, GstPadMode mode, gboolean is_on) {
    if (!is_on) return gst_pad_stop_task(pad);
    return mode == GST_PAD_MODE_PULL ? gst_pad_start_task(pad, run, parent, NULL) : TRUE;
}

static GstFlowReturn keep(GstPad *pad, GstObject *parent, GstBuffer *buffer) {
    (void)pad;
    VitLibavFile *self = VIT_LIBAV_FILE(parent);
    GstFlowReturn flow = GST_FLOW_OK;
    GstMapInfo map = GST_MAP_INFO_INIT;
    if (!self->kept) self->kept = g_byte_array_new();
    if (!gst_buffer_map(buffer, &map, GST_MAP_READ)) {
        flow = GST_FLOW_ERROR;
    } else if (map.size > KEPT || self->kept->len > KEPT - map.size) {
        GST_ELEMENT_ERROR(self, STREAM, NOT_IMPLEMENTED, (NULL), ("too long to be played while it is fetched"));
        flow = GST_FLOW_ERROR;
    } else {
        g_byte_array_append(self->kept, map.data, (guint)map.size);
    }
    if (map.memory) gst_buffer_unmap(buffer, &map);
    gst_buffer_unref(buffer);
    return flow;
}

static gboolean take_sink_event(GstPad *pad, GstObject *parent, GstEvent *event) {
    switch (GST_EVENT_TYPE(event)) {
    case GST_EVENT_EOS:
        // The whole file has come.
        if (!VIT_LIBAV_FILE(parent)->kept) VIT_LIBAV_FILE(parent)->kept = g_byte_array_new();
        gst_pad_start_task(pad, run, parent, NULL);
        break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP: return gst_pad_event_default(pad, parent, event);
    // Events about the file's bytes are dropped; the streams get events of their own.
    default: break;
    }
    gst_event_unref(event);
    return TRUE;
}

// -- Class -----------------------------------------------------------------------------------------

static GstStateChangeReturn change_state(GstElement *element, GstStateChange change) {
    GstStateChangeReturn result = GST_ELEMENT_CLASS(vit_libav_file_parent_class)->change_state(element, change);
    if (change == GST_STATE_CHANGE_PAUSED_TO_READY) {
        VitLibavFile *self = VIT_LIBAV_FILE(element);
        // The pad is inactive by now, so a seek doesn't start the task again.
        gst_pad_stop_task(self->sink);
        GST_PAD_STREAM_LOCK(self->sink);
        close_file(self);
        GST_PAD_STREAM_UNLOCK(self->sink);
    }
    return result;
}

static void finalize(GObject *object) {
    VitLibavFile *self = VIT_LIBAV_FILE(object);
    g_clear_pointer(&self->kept, g_byte_array_unref);
    gst_flow_combiner_free(self->flows);
    G_OBJECT_CLASS(vit_libav_file_parent_class)->finalize(object);
}

static void vit_libav_file_init(VitLibavFile *self) {
    self->sink = gst_pad_new_from_static_template(&sink_template, "sink");
    gst_pad_set_activate_function(self->sink, activate);
    gst_pad_set_activatemode_function(self->sink, activate_mode);
    gst_pad_set_chain_function(self->sink, keep);
    gst_pad_set_event_function(self->sink, take_sink_event);
    gst_element_add_pad(GST_ELEMENT(self), self->sink);
    self->flows = gst_flow_combiner_new();
    gst_segment_init(&self->segment, GST_FORMAT_TIME);
    self->has_new_segment = TRUE;
}

static void vit_libav_file_class_init(VitLibavFileClass *class) {
    GstElementClass *element = GST_ELEMENT_CLASS(class);
    G_OBJECT_CLASS(class)->finalize = finalize;
    element->change_state = change_state;
    gst_element_class_add_static_pad_template(element, &sink_template);
    gst_element_class_add_static_pad_template(element, &video_template);
    gst_element_class_add_static_pad_template(element, &audio_template);
    gst_element_class_set_static_metadata(
        element, "Files by FFmpeg", "Codec/Demuxer", "Reads and decodes kinds of files that nothing else opens", "Vitrine");
}

gboolean vit_libav_register(void) {
    return gst_element_register(NULL, "vitrinelibav", GST_RANK_PRIMARY, VIT_TYPE_LIBAV)
        && vit_libav_register_typefind();
}
