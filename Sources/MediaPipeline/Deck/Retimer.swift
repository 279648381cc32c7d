internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// Changes how fast a deck runs without a seek: nothing is flushed, and nothing has to be loaded again. See
/// decision 0100.
///
/// Sits right before the video sink, and before the filter that stretches the sound, and replaces the segment there by
/// the one for the new speed. All streams of a deck change at the same moment of the item: the first that none of them
/// has passed.
final class Retimer: Sendable {
  private struct Stream: Sendable {
    let isPicture: Bool
    var segment: StreamSegment?
    /// The map that is in force; `taken` is how many of `State.maps` the stream has gone through.
    var map = RateMap()
    var taken = 0
    /// Running time at which the passed data ends, before mapping.
    var passed: Int64 = 0
    /// The next SEGMENT event is the retimer's own.
    var isOwnSegment = false
  }

  private struct State: Sendable {
    var streams: [Stream] = []
    /// The maps that were asked for since the last seek, in order.
    var maps: [RateMap] = []
    /// How many of the maps have been reported through `changed`.
    var told = 0
  }

  private let state = Locked(State())
  /// Called on a streaming thread when the first stream changes its speed: the rate, and the running time and stream
  /// time of that moment.
  private let changed: @Sendable (Double, Duration, Duration) -> Void

  init(changed: @escaping @Sendable (_ rate: Double, _ running: Duration, _ stream: Duration) -> Void) {
    self.changed = changed
  }

  /// Adds a stream. Call before the deck starts.
  ///
  /// - Parameters:
  ///   - pad: a sink pad; it keeps the retimer alive.
  ///   - isPicture: whether the pad's buffers are pictures, which may be shown for long.
  func attach(to pad: Pad, isPicture: Bool) {
    let index = state.withLock { state in
      state.streams.append(Stream(isPicture: isPicture))
      return state.streams.count - 1
    }
    // Captured as an address: the pad owns the closure, and a strong reference would be a cycle.
    let address = UInt(bitPattern: pad.pointer)
    let events = GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_EVENT_FLUSH.rawValue
    pad.intercept(GstPadProbeType(rawValue: events)) { [self] info in
      handleEvent(info, of: index)
      return GST_PAD_PROBE_OK
    }
    pad.intercept(GST_PAD_PROBE_TYPE_EVENT_UPSTREAM) { [self] info in
      giveBack(info, of: index)
      return GST_PAD_PROBE_OK
    }
    pad.intercept(GST_PAD_PROBE_TYPE_BUFFER) { [self] info in
      guard let buffer = gst_pad_probe_info_get_buffer(info),
        let pad = UnsafeMutablePointer<GstPad>(bitPattern: address),
        let time = vit_buffer_pts(buffer).duration
      else { return GST_PAD_PROBE_OK }
      let length = vit_buffer_duration(buffer).duration ?? .zero
      arrived(time.wholeNanoseconds, length.wholeNanoseconds, of: index, at: pad)
      return GST_PAD_PROBE_OK
    }
  }

  /// Asks for another speed, from the first moment that no stream has passed. Runs on the deck's worker.
  ///
  /// - Parameter rate: above 0.
  /// - Returns: false, with nothing changed, where no data flows forwards yet.
  func change(to rate: Double) -> Bool {
    state.withLock { state in
      guard let upstream = state.streams.compactMap({ $0.segment?.rate }).first, upstream > 0, rate > 0 else {
        return false
      }
      // After a refused seek `maps` is empty, but the map in force still counts.
      let last = state.maps.last ?? state.streams.map(\.map).max { $0.up < $1.up } ?? RateMap()
      let moment = max(state.streams.map(\.passed).max() ?? 0, last.up)
      state.maps.append(last.changed(to: rate / upstream, at: moment))
      return true
    }
  }

  /// Drops the speeds that were asked for: a seek is about to be sent, which sets its own.
  func forget() {
    state.withLock { state in
      state.maps = []
      state.told = 0
      for index in state.streams.indices { state.streams[index].taken = 0 }
    }
  }

  // MARK: Streaming threads

  private func handleEvent(_ info: UnsafeMutablePointer<GstPadProbeInfo>, of index: Int) {
    guard let event = gst_pad_probe_info_get_event(info) else { return }
    switch vit_event_type(event) {
    case GST_EVENT_FLUSH_STOP:
      state.withLock { state in
        state.streams[index].map = RateMap()
        state.streams[index].segment = nil
        state.streams[index].passed = 0
        state.streams[index].isOwnSegment = false
      }
    case GST_EVENT_SEGMENT:
      let isOwn = state.withLock { state in
        defer { state.streams[index].isOwnSegment = false }
        return state.streams[index].isOwnSegment
      }
      guard !isOwn, let segment = StreamSegment(event) else { return }
      let map = state.withLock { state in
        state.streams[index].segment = segment
        return state.streams[index].map
      }
      guard !map.isPlain, segment.rate > 0, let other = segment.mapped(map).event() else { return }
      vit_replace_event(info, other)
    default: break
    }
  }

  /// Converts a sink's lateness report (QOS) from the sink's time back into the decoder's time.
  private func giveBack(_ info: UnsafeMutablePointer<GstPadProbeInfo>, of index: Int) {
    guard let event = gst_pad_probe_info_get_event(info), vit_event_type(event) == GST_EVENT_QOS else { return }
    let map = state.withLock { $0.streams[index].map }
    guard !map.isPlain else { return }
    var type = GST_QOS_TYPE_UNDERFLOW
    var proportion = 0.0
    var difference: GstClockTimeDiff = 0
    var time: GstClockTime = 0
    gst_event_parse_qos(event, &type, &proportion, &difference, &time)
    guard let other = gst_event_new_qos(type, proportion, difference, guint64(max(0, map.up(Int64(clamping: time)))))
    else {
      return
    }
    vit_replace_event(info, other)
  }

  /// A picture that is shown for longer than this counts as passed when it begins, not when it ends: one waits in the
  /// sink and one before it, and a change would come two pictures late. The picture keeps its length, and the next one
  /// comes sooner. Below the lead of sound this gains nothing, because a change can't come before the sound that is
  /// already on its way.
  private static let longFrame = DeckTiming.soundLead.wholeNanoseconds

  private func arrived(_ time: Int64, _ length: Int64, of index: Int, at pad: UnsafeMutablePointer<GstPad>) {
    let change: (segment: StreamSegment, rate: Double, isNews: Bool)? = state.withLock { state in
      guard let segment = state.streams[index].segment, let running = segment.running(time) else { return nil }
      let isLong = state.streams[index].isPicture && length > Self.longFrame
      let end = isLong ? running : running.clampedAdding(RateMap(factor: segment.rate).down(length))
      state.streams[index].passed = max(state.streams[index].passed, end)
      guard let newest = state.maps.lastIndex(where: { $0.up <= running }), newest >= state.streams[index].taken else {
        return nil
      }
      state.streams[index].taken = newest + 1
      state.streams[index].map = state.maps[newest]
      state.streams[index].isOwnSegment = true
      defer { state.told = max(state.told, newest + 1) }
      let map = state.maps[newest]
      return (segment.mapped(map, holding: time), segment.rate * map.factor, newest >= state.told)
    }
    guard let change else { return }
    // Sent before the current buffer, on its thread.
    guard let event = change.segment.event() else { return state.withLock { $0.streams[index].isOwnSegment = false } }
    // While a flush is under way the pad refuses the event, and the next segment isn't the retimer's own.
    if gst_pad_send_event(pad, event) == 0 { state.withLock { $0.streams[index].isOwnSegment = false } }
    // The new segment begins at the moment of the change. A stream that begins later reports a later point of the same
    // line.
    if change.isNews { changed(change.rate, .nanoseconds(change.segment.base), .nanoseconds(change.segment.time)) }
  }
}
