internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// The appsrc at the head of an output pipeline.
///
/// Frames of several decks meet here. Once a newer deck has pushed, an older one's samples are refused: that is what
/// keeps the tail of one item out of the next. Whether a sample goes on and where it stands in the queue is decided by one
/// lock, so that no older one comes in between.
final class AppSource: SampleDestination {
  let element: Element
  private let state: Locked<State>

  private struct State: Sendable {
    var newest = DeckID(generation: 0)
    /// Of the sample that was pushed last.
    var newestTag: FrameTag?
    var base = Instant(nanoseconds: 0)
    var isOpen = true
    /// How many samples have come.
    var count: UInt64 = 0
    /// The newest one, where it is kept.
    var last: KeptSample?
    /// Whether somebody waits for the next one.
    var isAwaited = false
    /// How long the newest frames stay, by the lowest bits of their index: the sink isn't told, for it would wait by that.
    var stays: [(tag: FrameTag, length: Duration?)?] = Array(repeating: nil, count: 16)
    /// Caps that say how their frames are to be fitted.
    var marked: MarkedCaps?
  }

  private struct MarkedCaps: Sendable {
    var plain: Caps
    var fit: ScreenFit
    var marked: Caps
  }

  /// A sample that may have to be pushed again. `@unchecked Sendable` holds because samples are immutable once pushed,
  /// and counted atomically.
  private final class KeptSample: @unchecked Sendable {
    let sample: OpaquePointer
    let tag: FrameTag
    init(adopting sample: OpaquePointer, _ tag: FrameTag) {
      self.sample = sample
      self.tag = tag
    }
    deinit { vit_sample_unref(sample) }
  }

  /// Which samples are kept until the next one comes, so that they can be pushed again.
  enum Keeping: Sendable {
    case none
    case all
    /// The first of each deck and of each seek, and those that stay.
    case lone
  }

  private let keeping: Keeping
  private let arrival = Alarm()
  private let clock: MediaClock
  private let pulse: OutputPulse?

  /// - Parameter maxBuffers: how many samples may wait; when more come the oldest goes, so that the newest wins.
  /// - Parameter keeping: which samples are kept for `repeatLast`.
  /// - Parameter clock: its pipeline's.
  /// - Parameter pulse: hears of each frame.
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

  /// When running time zero of the output is.
  func setBase(_ base: Instant) { state.withLock { $0.base = base } }
  func close() {
    state.withLock {
      $0.isOpen = false
      $0.last = nil
    }
    arrival.wake()
  }

  /// Which sample came last.
  var newestTag: FrameTag? { state.withLock { $0.newestTag } }

  /// How long a frame said that it stays; nil where it didn't, or too many have come since.
  func length(of deck: DeckID, _ index: UInt32) -> Duration? {
    state.withLock { state in
      guard let known = state.stays[Int(index % 16)], known.tag.deck == deck, known.tag.index == index else {
        return nil
      }
      return known.length
    }
  }

  /// How many samples have come so far.
  var count: UInt64 { state.withLock { $0.count } }

  /// `count`, if a sample is the newest and is kept.
  func countIfKept(_ tag: FrameTag) -> UInt64? {
    state.withLock { state in
      guard var last = state.last?.tag else { return nil }
      last.isRepeat = tag.isRepeat
      return last == tag ? state.count : nil
    }
  }

  /// Pushes the newest sample once more, due now, unless others have come since there were `count`.
  func repeatLast(ifStillAt count: UInt64) {
    state.withLock { state in
      guard state.count == count, let last = state.last else { return }
      var tag = last.tag
      tag.isRepeat = true
      _ = enqueue(last.sample, caps: nil, copies: false, at: clock.now - state.base, tag)
    }
  }

  /// Waits until there are more samples than `count`, for one thread.
  ///
  /// - Parameter deadline: CLOCK_MONOTONIC.
  /// - Returns: whether there are, or none will come.
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
        // Of what is kept, so that a frame that has to be copied is copied once.
        return enqueue(copy, caps: nil, copies: false, at: due, tag)
      }
      return enqueue(sample, caps: caps, copies: stamp.copies, at: due, tag)
    }
    // An output that is being rebuilt flushes; that is no reason for the deck to stop.
    return flow == GST_FLOW_FLUSHING || flow == GST_FLOW_EOS ? GST_FLOW_OK : flow
  }

  /// Only ever under the lock: what is decided first has to come first. It never waits, because the queue drops what is too
  /// much; a buffer that goes may end up in the code of its pool, which doesn't come back here.
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

  /// Caps that tell the sink how to fit, where that isn't the usual way; they travel with the very frame.
  private static func caps(of sample: OpaquePointer, fit: ScreenFit, in state: inout State) -> Caps? {
    guard fit != .contain, let plain = gst_sample_get_caps(sample) else { return nil }
    if let known = state.marked, known.plain.pointer == plain, known.fit == fit { return known.marked }
    let marked = Caps(borrowing: plain).marked(fit)
    state.marked = MarkedCaps(plain: Caps(borrowing: plain), fit: fit, marked: marked)
    return marked
  }
}
