internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop

/// Shows the last frames of an MP4 whose first frame isn't at 0: one with B-frames and without an edit list.
///
/// Its frames are shown later than they are decoded because they are reordered, so the film ends later than its
/// duration says; qtdemux ends the segment at the duration, and decoders drop the two or three frames behind that. This
/// moves the segment's end by the time of the first frame.
enum MovieEnd {
  /// Watches the demultiplexers that the pipeline adds.
  static func mend(_ pipeline: Element) {
    pipeline.observeParts { element in
      if element.factory == "qtdemux" { element.observePads { attach(to: $0) } }
    }
  }

  /// One stream: the end of its first segment, and by how much that end is moved.
  private struct State: Sendable {
    /// The end of the stream by its duration; nil before its first segment, and where that has ends of its own.
    var end: GstClockTime?
    /// The first segment is held back until the first frame comes.
    var isWaiting = false
    var hasBegun = false
    var delay: GstClockTime = 0
  }

  private static func attach(to pad: Pad) {
    let state = Locked(State())
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
    let address = UInt(bitPattern: pad.pointer)
    pad.intercept(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { info in
      guard let event = gst_pad_probe_info_get_event(info) else { return GST_PAD_PROBE_OK }
      switch vit_event_type(event) {
      case GST_EVENT_SEGMENT: return handleSegment(event, info, state)
      // A dropped tag stays sticky on the pad and is sent behind the segment.
      case GST_EVENT_TAG: return state.withLock { $0.isWaiting } ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK
      case GST_EVENT_GAP, GST_EVENT_EOS:
        // No frame came: the segment goes on unchanged.
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
      // The held segment is sent right after this, before the frame.
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

  private static func handleSegment(
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
        // An edit list with more than one plain entry has ends of its own.
        guard segment.start == 0, segment.time == 0, segment.stop != .max else { return (false, 0) }
        state.end = segment.stop
        state.isWaiting = true
        return (true, 0)
      }
      return (state.isWaiting, state.end == segment.stop ? state.delay : 0)
    }
    if waits { return GST_PAD_PROBE_DROP }
    // A segment after a seek.
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
