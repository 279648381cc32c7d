internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Has the last frames of an MP4 shown whose first one doesn't begin at 0: one with B-frames and without an edit list.
///
/// Its times are later than its decoding by as much as frames are reordered, and so it ends later than its duration says;
/// qtdemux ends the segment at the duration, and decoders leave out what lies behind it: two or three frames. Here the end is
/// put off by as much as the first frame is late.
enum MovieEnd {
  /// Watches the demultiplexers that the pipeline puts in.
  static func mend(_ pipeline: Element) {
    pipeline.observeParts { element in
      if element.factory == "qtdemux" { element.observePads { attach(to: $0) } }
    }
  }

  /// Of one stream: what its first segment was, and by how much its end is put off.
  private struct State: Sendable {
    /// Where the stream ends by its duration; nil before its first segment, and where that is no plain one.
    var end: GstClockTime?
    /// The first segment waits for the first frame.
    var isWaiting = false
    var hasBegun = false
    var delay: GstClockTime = 0
  }

  private static func attach(to pad: Pad) {
    let state = Locked(State())
    // An address: the pad owns what is called, and a reference would keep it for ever.
    let address = UInt(bitPattern: pad.pointer)
    pad.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      guard let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      switch vit_event_type(event) {
      case GST_EVENT_SEGMENT: return takeSegment(event, info, state)
      // Dropped, it stays with the pad and is sent behind the segment.
      case GST_EVENT_TAG: return state.withLock { $0.isWaiting } ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      case GST_EVENT_GAP, GST_EVENT_EOS:
        // No frame comes before.
        state.withLock { $0.isWaiting = false }
        return GST_PAD_PROBE_OK
      default: return GST_PAD_PROBE_OK
      }
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { info in
      guard let pad = UnsafeMutablePointer<GstPad>(bitPattern: address),
        let buffer = gst_pad_probe_info_get_buffer(info)
      else { return GST_PAD_PROBE_OK }
      let time = vit_buffer_pts(buffer)
      let isFirst = state.withLock { state in
        guard state.isWaiting else { return false }
        state.isWaiting = false
        if time != .max { state.delay = time }
        return true
      }
      // The segment that waits is sent right after this, before the frame.
      if isFirst, time != .max, time > 0, let old = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0) {
        if let later = ending(old, later: time) {
          gst_pad_store_sticky_event(pad, later)
          gst_event_unref(later)
        }
        gst_event_unref(old)
      }
      return GST_PAD_PROBE_OK
    }
  }

  private static func takeSegment(
    _ event: UnsafeMutablePointer<GstEvent>, _ info: UnsafeMutablePointer<GstPadProbeInfo>, _ state: Locked<State>
  ) -> GstPadProbeReturn {
    var told: UnsafePointer<GstSegment>?
    gst_event_parse_segment(event, &told)
    guard let segment = told?.pointee, segment.format == GST_FORMAT_TIME, segment.rate > 0 else {
      return GST_PAD_PROBE_OK
    }
    let (waits, delay) = state.withLock { state -> (Bool, GstClockTime) in
      if !state.hasBegun {
        state.hasBegun = true
        // An edit list that says more than "all of it" has ends of its own.
        guard segment.start == 0, segment.time == 0, segment.stop != .max else { return (false, 0) }
        state.end = segment.stop
        state.isWaiting = true
        return (true, 0)
      }
      return (state.isWaiting, state.end == segment.stop ? state.delay : 0)
    }
    if waits { return GST_PAD_PROBE_DROP }
    // After a seek.
    if delay > 0, let later = ending(event, later: delay) { vit_replace_event(info, later) }
    return GST_PAD_PROBE_OK
  }

  private static func ending(_ event: UnsafeMutablePointer<GstEvent>, later delay: GstClockTime)
    -> UnsafeMutablePointer<GstEvent>?
  {
    var told: UnsafePointer<GstSegment>?
    gst_event_parse_segment(event, &told)
    guard var segment = told?.pointee else { return nil }
    let (stop, isTooFar) = segment.stop.addingReportingOverflow(delay)
    guard !isTooFar else { return nil }
    segment.stop = stop
    guard let later = gst_event_new_segment(&segment) else { return nil }
    gst_event_set_seqnum(later, gst_event_get_seqnum(event))
    return later
  }
}
