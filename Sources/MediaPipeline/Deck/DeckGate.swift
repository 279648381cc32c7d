internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// One stream's way from a deck into the output: takes samples from the deck's appsink on its streaming thread, stamps
/// them with the output's running time, and passes them on.
///
/// The gate decides nothing: the loop sets the mode, and the streaming thread obeys it. A sample that the mode doesn't
/// let through is dropped.
final class DeckGate: Sendable {
  enum Mode: Hashable, Sendable {
    /// Nothing passes.
    case closed
    /// A held deck's preroll frame passes at once: the frame that a seek shows.
    case preview
    /// Frames pass; running time zero of the deck is at `base`.
    case open(base: Instant)
  }

  /// The stream's state, for the deck and the loop.
  struct Facts: Hashable, Sendable {
    /// A buffer or a caps event has come: the stream exists.
    var exists = false
    /// Running time of the first buffer since the start or the last flush.
    var first: Duration?
    /// Stream time of the first buffer, in the medium's own time.
    var firstPosition: Duration?
    /// From one frame to the next, as the caps say.
    var interval: Duration?
    /// Running time at which the last buffer ends.
    var end: Duration = .zero
    var lastDuration: Duration = .zero
    /// Buffers given to the output.
    var passed: UInt32 = 0
    /// How often the stream was flushed.
    var flushes = 0
    /// A sample has come, before or after the last flush.
    var hasBegun: Bool { first != nil || flushes > 0 }
  }

  private struct State: Sendable {
    var mode = Mode.closed
    /// Grows with each flush: samples of an earlier number are void.
    var turn: UInt32 = 0
    var facts = Facts()
    var previewed: Duration?
    /// The first sample, until it has been passed on or dropped.
    var held: HeldSample?
    var epoch = FrameEpoch.start
    /// The epoch of the frames after the next flush.
    var nextEpoch: FrameEpoch?
    /// The track is switched off: its samples are dropped, and counted as played for the end of the stream.
    var isMuted = false
    /// The deck plays backwards: decoders then deliver sound in blocks that each run forwards, so the sound is dropped.
    var isReversed = false
    /// Added to the time of live sources.
    var latency: Duration = .zero
  }

  let deck: DeckID
  private let destination: any SampleDestination
  private let start: MediaStart
  private let fit: ScreenFit
  private let copies: Bool
  private let clock: MediaClock
  private let state = Locked(State())
  /// Drops samples before a seek's target, upstream of the gate.
  let trimmer = SeekTrimmer()

  /// - Parameters:
  ///   - start: converts samples' times into the item's time.
  ///   - fit: what the output is to do with frames that don't have the screen's shape.
  ///   - copies: whether the output gets copies of frames in dmabufs.
  ///   - clock: the output's.
  init(
    deck: DeckID, start: MediaStart = MediaStart(), fit: ScreenFit = .contain, copies: Bool = false,
    clock: MediaClock = .system, destination: any SampleDestination
  ) {
    self.clock = clock
    self.fit = fit
    self.copies = copies
    self.deck = deck
    self.start = start
    self.destination = destination
  }

  var facts: Facts { state.withLock { $0.facts } }
  func setMode(_ mode: Mode) { state.withLock { $0.mode = mode } }
  /// Closes the gate and begins a new epoch; samples that are still on their way belong to the old one.
  func beginEpoch() -> UInt32 {
    state.withLock { state in
      state.mode = .closed
      state.turn += 1
      return state.turn
    }
  }
  /// Sets the seek that the frames after the next flush belong to.
  func setNextEpoch(_ epoch: FrameEpoch) { state.withLock { $0.nextEpoch = epoch } }
  func setMuted(_ isMuted: Bool) { state.withLock { $0.isMuted = isMuted } }
  func setReversed(_ isReversed: Bool) { state.withLock { $0.isReversed = isReversed } }
  func setLatency(_ latency: Duration) { state.withLock { $0.latency = latency } }

  /// The stream is there, with frames this far apart (nil: unknown).
  func formatKnown(interval: Duration?) {
    state.withLock { state in
      state.facts.exists = true
      state.facts.interval = interval
    }
  }

  /// Running time begins at zero again after a flush.
  func flushed() {
    state.withLock { state in
      state.facts.first = nil
      state.facts.firstPosition = nil
      state.facts.end = .zero
      state.facts.flushes += 1
      state.previewed = nil
      state.held = nil
      if let epoch = state.nextEpoch { state.epoch = epoch }
      state.nextEpoch = nil
    }
  }

  /// Passes the first sample of a held deck at once.
  func preview() {
    let held = state.withLock { state in
      state.mode = .preview
      return state.held
    }
    if let held { _ = preroll(held.pointer) }
  }

  /// Passes the first sample that was held back because it isn't the one at a seek's target: there is no other.
  func showMissed() {
    let held = state.withLock { state in state.mode == .preview ? state.held : nil }
    if let held { _ = preroll(held.pointer, isShown: true) }
  }

  /// Passes the first sample at once when a deck begins to play; later samples pass when they are due.
  func showFirst() {
    let first: (HeldSample, SampleStamp)? = state.withLock { state in
      guard case .open = state.mode, let held = state.held, let times = SampleTimes(held.pointer), !state.isMuted,
        !state.isReversed
      else { return nil }
      return (held, stampAtOnce(times, in: &state))
    }
    if let (held, stamp) = first { _ = destination.push(held.pointer, stamp) }
  }

  /// Connects the gate to the appsink whose samples it takes. The appsink keeps the gate alive.
  func attach(to sink: Element) { sink.giveSamples(first: { self.preroll($0) }, each: { self.pass($0) }) }

  /// A frame has come that isn't due yet.
  ///
  /// - Returns: whether nothing is to be shown for longer than `limit` before it.
  func isGap(before running: Duration, longerThan limit: Duration) -> Bool {
    state.withLock { $0.facts.passed > 0 && $0.facts.first != nil && running > $0.facts.end + limit }
  }

  // MARK: Streaming thread

  /// - Parameter isShown: whether it passes even if it isn't the one at a seek's target.
  private func preroll(_ sample: OpaquePointer, isShown: Bool = false) -> GstFlowReturn {
    guard let times = SampleTimes(sample) else { return GST_FLOW_OK }
    // It must not flash up: the seek is run again.
    let isMiss = !isShown && trimmer.hasMissed
    let stamp: SampleStamp? = state.withLock { state in
      state.facts.exists = true
      recordFirstSample(times, in: &state)
      guard state.mode == .preview, !isMiss, state.previewed != times.running, !state.isMuted else {
        if state.mode == .closed || isMiss { state.held = HeldSample(sample) }
        return nil
      }
      return stampAtOnce(times, in: &state)
    }
    guard let stamp else { return GST_FLOW_OK }
    return destination.push(sample, stamp)
  }

  private func pass(_ sample: OpaquePointer) -> GstFlowReturn {
    guard let times = SampleTimes(sample) else { return GST_FLOW_OK }
    let stamp: SampleStamp? = state.withLock { state in
      state.facts.exists = true
      recordFirstSample(times, in: &state)
      state.held = nil
      guard case .open(let base) = state.mode else { return nil }
      guard !state.isMuted, !state.isReversed else {
        state.facts.end = times.running + (times.duration ?? state.facts.interval ?? .zero)
        return nil
      }
      // The frame that a seek has shown is delivered again when the deck plays on.
      if state.previewed == times.running {
        state.previewed = nil
        state.facts.end = times.running + (times.duration ?? state.facts.interval ?? .zero)
        return nil
      }
      let running = times.running + state.latency
      return SampleStamp(
        tag: tagNext(times, in: &state), due: base + running, running: running, epoch: state.turn, speed: times.speed,
        fit: fit, copies: copies)
    }
    guard let stamp else { return GST_FLOW_OK }
    return destination.push(sample, stamp)
  }

  /// The stamp of a sample that passes at once instead of when it is due; the same sample is then skipped at its time.
  private func stampAtOnce(_ times: SampleTimes, in state: inout State) -> SampleStamp {
    state.held = nil
    state.previewed = times.running
    return SampleStamp(
      tag: tagNext(times, in: &state), due: clock.now, running: times.running, epoch: state.turn, fit: fit,
      copies: copies)
  }

  private func recordFirstSample(_ times: SampleTimes, in state: inout State) {
    guard state.facts.first == nil else { return }
    state.facts.first = times.running
    state.facts.firstPosition = times.stream
  }

  private func tagNext(_ times: SampleTimes, in state: inout State) -> FrameTag {
    let duration = times.duration ?? state.facts.interval ?? .zero
    state.facts.lastDuration = duration
    state.facts.end = times.running + duration
    defer { state.facts.passed += 1 }
    return FrameTag(deck: deck, index: state.facts.passed, streamTime: start.inItem(times.stream), epoch: state.epoch)
  }
}

/// A sample that is kept for later.
///
/// `@unchecked Sendable` holds because a GstSample counts its references atomically and nothing changes it while there
/// is more than one.
private final class HeldSample: @unchecked Sendable {
  let pointer: OpaquePointer
  init(_ sample: OpaquePointer) { pointer = vit_sample_ref(sample) }
  deinit { vit_sample_unref(pointer) }
}

/// The receiver of a gate's samples.
protocol SampleDestination: Sendable {
  /// Any streaming thread.
  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn
}

/// The receiver of a deck's sound, which also controls what it has queued. Any thread; no call blocks.
protocol SoundDestination: SampleDestination {
  /// The deck will have sound. `volume`: factor for its samples.
  func begin(_ deck: DeckID, volume: Double)
  /// Running time zero of the deck is at `base`.
  func run(_ deck: DeckID, base: Instant)
  /// Silences the deck at once; its queued sound stays.
  func hold(_ deck: DeckID)
  /// Throws away what the deck has queued; from now on only samples of this epoch count.
  func flush(_ deck: DeckID, epoch: UInt32)
  /// No more sound comes from the deck.
  func end(_ deck: DeckID)
  /// Has the position of this deck, which has no picture, reported by the sound that is heard.
  func follow(_ deck: DeckID)
}

/// A sample's place in time.
struct SampleStamp: Hashable, Sendable {
  var tag: FrameTag
  /// When it is to be shown or heard.
  var due: Instant
  /// In the deck's own time.
  var running: Duration
  /// The number of the deck's flushes so far.
  var epoch: UInt32
  /// Seconds of the item in a second of the deck.
  var speed = 1.0
  /// For frames: what the output does with one that doesn't have the screen's shape.
  var fit = ScreenFit.contain
  /// For frames in dmabufs: the output gets a copy.
  var copies = false
  /// For sound: the source that it comes from; 0 is the film's own stream.
  var lane: UInt32 = 0
}

/// The times of a sample in its deck; nil for one outside of its segment, which must not be shown.
struct SampleTimes {
  var running: Duration
  var stream: Duration
  var duration: Duration?
  /// Seconds of stream time in a second of running time.
  var speed: Double

  /// Zero where the sample doesn't say.
  static func duration(of sample: OpaquePointer) -> Duration {
    gst_sample_get_buffer(sample).flatMap { vit_buffer_duration($0).duration } ?? .zero
  }

  init?(_ sample: OpaquePointer) {
    guard let buffer = gst_sample_get_buffer(sample), let segment = gst_sample_get_segment(sample) else { return nil }
    let pts = vit_buffer_pts(buffer)
    guard let running = gst_segment_to_running_time(segment, GST_FORMAT_TIME, pts).duration else { return nil }
    self.running = running
    stream = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, pts).duration ?? running
    duration = vit_buffer_duration(buffer).duration
    speed = segment.pointee.rate * segment.pointee.applied_rate
  }
}
