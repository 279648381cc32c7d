internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

extension Element {
  /// Keeps a decoder of video, and the parser before it, from hearing of gaps once the stream has begun. Does nothing to
  /// other elements.
  ///
  /// Demultiplexers tell of a gap where sound is more than three seconds ahead of the picture's last data. But pictures
  /// are stored in the order of decoding: in a film of slides whose last data are of the slide after the next, the one
  /// between is still to come. A sink waits a gap out, and the decoder is drained for it: all slides would come
  /// together, after the last one. Before the first picture a gap is real, and the sink has to know of it.
  ///
  /// Not for live streams: there a gap is data that was lost.
  func ignoreGaps() {
    guard isVideoDecoder || isVideoParser, let pad = staticPad("sink") else { return }
    let hasBegun = Locked(false)
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { _ in
      hasBegun.withLock { $0 = true }
      return GST_PAD_PROBE_OK
    }
    pad.observeEvents { event in
      if vit_event_type(event) == GST_EVENT_FLUSH_STOP { hasBegun.withLock { $0 = false } }
    }
    pad.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_GAP else {
        return GST_PAD_PROBE_OK
      }
      return hasBegun.withLock { $0 } ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
    }
  }
}
