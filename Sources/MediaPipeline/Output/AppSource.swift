internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The appsrc at the head of an output pipeline.
///
/// Frames of several decks meet here. Once a newer deck has pushed a sample, an older deck's samples are dropped, so
/// that the tail of one item never gets into the next. One lock covers both that decision and the sample's place in the
/// queue, so that no older sample slips in between.
final class AppSource: SampleDestination {
  let element: Element
  private let state: Locked<State>

  private struct State: Sendable {
    var newest = DeckID(generation: 0)
    /// The tag of the newest sample.
    var newestTag: FrameTag?
    var base = Instant(nanoseconds: 0)
    var isOpen = true
    /// Number of samples so far.
    var count: UInt64 = 0
    /// The newest sample, where it is kept.
    var last: KeptSample?
    /// Whether a thread waits for the next sample.
    var isAwaited = false
    /// How long the newest frames stay, by the lowest bits of their index. The buffers carry no durations, because the
    /// sink would wait by them.
    var stays: [(tag: FrameTag, length: Duration?)?] = Array(repeating: nil, count: 16)
    /// The caps that were last marked with a fit.
    var marked: MarkedCaps?
  }

  private struct MarkedCaps: Sendable {
    var plain: Caps
    var fit: ScreenFit
    var marked: Caps
  }

  /// A sample that may have to be pushed again. `@unchecked Sendable` holds because samples are immutable once pushed,
  /// and their reference count is atomic.
  private final class KeptSample: @unchecked Sendable {
    let sample: OpaquePointer
    let tag: FrameTag
    init(adopting sample: OpaquePointer, _ tag: FrameTag) {
      self.sample = sample
      self.tag = tag
    }
    deinit { vit_sample_unref(sample) }
  }

  /// The samples that are kept until the next one comes, so that they can be pushed again.
  enum Keeping: Sendable {
    case none
    case all
    /// The first sample of each deck and of each seek, and frames that stay long.
    case lone
  }

  private let keeping: Keeping
  private let arrival = Alarm()
  private let clock: MediaClock
  private let pulse: OutputPulse?

  /// - Parameter maxBuffers: how many samples may wait; one more drops the oldest, so that the newest are shown.
  /// - Parameter keeping: the samples that are kept for `repeatLast`.
  /// - Parameter clock: the clock of the source's pipeline.
  /// - Parameter pulse: counts each frame.
  init(
    name: String, maxBuffers: UInt64, keeping: Keeping = .none, clock: MediaClock = .system, pulse: OutputPulse? = nil
  ) throws(VitrineError) {
    self.keeping = keeping
    self.clock = clock
    self.pulse = pulse
    element = try Element.make("appsrc", name: name)
    state = Locked(State())
    element.set("is-live", true)
    element.set("format", nick: "time")
    element.set("min-latency", int64: 0)
    element.set("max-bytes", uint64: 0)
    element.set("max-buffers", uint64: maxBuffers)
    element.set("leaky-type", nick: "downstream")
  }

  /// Sets the instant of the output's running time zero.
  func setBase(_ base: Instant) { state.withLock { $0.base = base } }
  func close() {
    state.withLock {
      $0.isOpen = false
      $0.last = nil
    }
    arrival.wake()
  }

  /// The tag of the newest sample.
  var newestTag: FrameTag? { state.withLock { $0.newestTag } }

  /// How long a frame stays; nil where its deck didn't say, or the frame is too old to be remembered.
  func length(of deck: DeckID, _ index: UInt32) -> Duration? {
    state.withLock { state in
      guard let known = state.stays[Int(index % 16)], known.tag.deck == deck, known.tag.index == index else {
        return nil
      }
      return known.length
    }
  }

  /// Number of samples so far.
  var count: UInt64 { state.withLock { $0.count } }

  /// `count`, if this sample is the newest and is kept.
  func countIfKept(_ tag: FrameTag) -> UInt64? {
    state.withLock { state in
      guard var last = state.last?.tag else { return nil }
      last.isRepeat = tag.isRepeat
      return last == tag ? state.count : nil
    }
  }

  /// Pushes the newest sample again, due now, unless others have come since there were `count`.
  func repeatLast(ifStillAt count: UInt64) {
    state.withLock { state in
      guard state.count == count, let last = state.last else { return }
      var tag = last.tag
      tag.isRepeat = true
      _ = enqueue(last.sample, caps: nil, copies: false, at: clock.now - state.base, tag)
    }
  }

  /// Blocks until there are more samples than `count`. One thread at a time.
  ///
  /// - Parameter deadline: on CLOCK_MONOTONIC.
  /// - Returns: false when the deadline has passed; true when there are more, or the source was closed.
  func waitForMore(than count: UInt64, until deadline: Instant) -> Bool {
    while true {
      let hasCome = state.withLock { state in
        state.isAwaited = state.isOpen && state.count == count
        return !state.isAwaited
      }
      if hasCome { return true }
      guard Instant.monotonicNow < deadline else {
        state.withLock { $0.isAwaited = false }
        return false
      }
      arrival.sleep(until: deadline.nanoseconds)
    }
  }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    let tag = stamp.tag
    var isAwaited = false
    defer { if isAwaited { arrival.wake() } }
    let flow: GstFlowReturn = state.withLock { state in
      guard state.isOpen, tag.deck >= state.newest else { return GST_FLOW_OK }
      let isFirst = state.newestTag.map { $0.deck != tag.deck || $0.epoch != tag.epoch } ?? true
      state.newest = tag.deck
      state.newestTag = tag
      state.count += 1
      state.last = nil
      isAwaited = state.isAwaited
      let length = gst_sample_get_buffer(sample).flatMap { vit_buffer_duration($0).duration }
      state.stays[Int(tag.index % 16)] = (tag, length)
      pulse?.came(tag, at: clock.now)
      let due = stamp.due - state.base
      let caps = Self.caps(of: sample, fit: stamp.fit, in: &state)
      if keeping == .all || keeping == .lone && (isFirst || SurfaceOffers.isAlone(length)),
        let copy = vit_sample_restamped(
          sample, caps?.pointer, stamp.copies ? 1 : 0, UInt64(max(0, due.wholeNanoseconds)), tag.offset, tag.offsetEnd)
      {
        state.last = KeptSample(adopting: copy, tag)
        // The kept copy is pushed, so that a frame that has to be copied is copied only once.
        return enqueue(copy, caps: nil, copies: false, at: due, tag)
      }
      return enqueue(sample, caps: caps, copies: stamp.copies, at: due, tag)
    }
    // An output that is being rebuilt flushes; the deck must not stop for that.
    return flow == GST_FLOW_FLUSHING || flow == GST_FLOW_EOS ? GST_FLOW_OK : flow
  }

  /// Called only under the lock, so that samples are queued in the order of the decisions. It never blocks, because the
  /// queue drops what doesn't fit; freeing a dropped buffer may run its pool's code, which doesn't call back here.
  private func enqueue(
    _ sample: OpaquePointer, caps: Caps?, copies: Bool, at due: Duration, _ tag: FrameTag
  ) -> GstFlowReturn {
    guard
      let stamped = vit_sample_restamped(
        sample, caps?.pointer, copies ? 1 : 0, UInt64(max(0, due.wholeNanoseconds)), tag.offset, tag.offsetEnd)
    else { return GST_FLOW_OK }
    defer { vit_sample_unref(stamped) }
    return gst_app_src_push_sample(
      UnsafeMutableRawPointer(element.pointer).assumingMemoryBound(to: GstAppSrc.self), stamped)
  }

  /// Caps that tell the sink how to fit the frame, where it isn't `contain`; they travel with the frame itself.
  private static func caps(of sample: OpaquePointer, fit: ScreenFit, in state: inout State) -> Caps? {
    guard fit != .contain, let plain = gst_sample_get_caps(sample) else { return nil }
    if let known = state.marked, known.plain.pointer == plain, known.fit == fit { return known.marked }
    let marked = Caps(borrowing: plain).marked(fit)
    state.marked = MarkedCaps(plain: Caps(borrowing: plain), fit: fit, marked: marked)
    return marked
  }
}
