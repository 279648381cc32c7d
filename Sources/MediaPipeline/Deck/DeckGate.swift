internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// One stream's way from a deck into the output: takes samples from the deck's appsink on its streaming thread, stamps
/// them into the output's running time, and passes them on.
///
/// It decides nothing. The loop sets the mode; the streaming thread obeys it. A sample that arrives when the mode
/// doesn't let it through is dropped.
final class DeckGate: Sendable {
  enum Mode: Hashable, Sendable {
    /// Nothing passes.
    case closed
    /// A held deck's preroll frame passes at once: what a seek shows.
    case preview
    /// Frames pass; running time zero of the deck is at `base`.
    case open(base: Instant)
  }

  /// What the loop wants to know of the stream.
  struct Facts: Hashable, Sendable {
    /// A buffer or a caps event has come: the stream exists.
    var exists = false
    /// Running time of the first buffer since the start or the last flush.
    var first: Duration?
    /// Its stream time, as the medium has it.
    var firstPosition: Duration?
    /// From one frame to the next, as the caps tell it.
    var interval: Duration?
    /// Running time at which the last buffer ends.
    var end: Duration = .zero
    var lastDuration: Duration = .zero
    /// Buffers given to the output.
    var passed: UInt32 = 0
    /// How often the stream was flushed.
    var flushes = 0
  }

  private struct State: Sendable {
    var mode = Mode.closed
    /// Grows each time that what was passed is void.
    var turn: UInt32 = 0
    var facts = Facts()
    var previewed: Duration?
    /// The first sample, while it may be asked for and hasn't gone anywhere.
    var held: HeldSample?
    var epoch = FrameEpoch.start
    /// That of what comes after the next flush.
    var nextEpoch: FrameEpoch?
    /// The track is switched off: its samples are dropped, and counted as played for the end of the stream.
    var isMuted = false
    /// Played backwards: decoders deliver sound block by block, each of them forwards, which nobody wants to hear.
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
  /// Of what comes to the gate.
  let trimmer = SeekTrimmer()

  /// - Parameters:
  ///   - start: by which samples are told in the item's time.
  ///   - fit: what the output is to do with frames that haven't the screen's shape.
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
  /// Closes the gate. What still comes from before counts as of an older epoch; gives the new one.
  func beginEpoch() -> UInt32 {
    state.withLock { state in
      state.mode = .closed
      state.turn += 1
      return state.turn
    }
  }
  /// What comes after the next flush belongs to this seek.
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

  /// After a flush, running time begins anew.
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

  /// Passes the first sample at once, of a deck that is held.
  func preview() {
    let held = state.withLock { state in
      state.mode = .preview
      return state.held
    }
    if let held { _ = preroll(held.pointer) }
  }

  /// Passes the first sample at once, of a deck that begins to play; those after it come when they are due.
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
  func attach(to sink: Element) {
    let appsink = UnsafeMutableRawPointer(sink.pointer).assumingMemoryBound(to: GstAppSink.self)
    var callbacks = GstAppSinkCallbacks()
    callbacks.new_preroll = { appsink, data in
      guard let data, let sample = gst_app_sink_pull_preroll(appsink) else { return GST_FLOW_EOS }
      defer { vit_sample_unref(sample) }
      return Unmanaged<DeckGate>.fromOpaque(data).takeUnretainedValue().preroll(sample)
    }
    callbacks.new_sample = { appsink, data in
      guard let data, let sample = gst_app_sink_pull_sample(appsink) else { return GST_FLOW_EOS }
      defer { vit_sample_unref(sample) }
      return Unmanaged<DeckGate>.fromOpaque(data).takeUnretainedValue().pass(sample)
    }
    gst_app_sink_set_callbacks(
      appsink, &callbacks, Unmanaged.passRetained(self).toOpaque(),
      { data in if let data { Unmanaged<DeckGate>.fromOpaque(data).release() } })
  }

  /// A frame has come that isn't due yet.
  ///
  /// - Returns: whether nothing is to be shown for longer than `limit` before it.
  func isGap(before running: Duration, longerThan limit: Duration) -> Bool {
    state.withLock { $0.facts.passed > 0 && $0.facts.first != nil && running > $0.facts.end + limit }
  }

  // MARK: Streaming thread

  private func preroll(_ sample: OpaquePointer) -> GstFlowReturn {
    guard let times = SampleTimes(sample) else { return GST_FLOW_OK }
    let stamp: SampleStamp? = state.withLock { state in
      state.facts.exists = true
      noteFirst(times, in: &state)
      guard state.mode == .preview, state.previewed != times.running, !state.isMuted else {
        if state.mode == .closed { state.held = HeldSample(sample) }
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
      noteFirst(times, in: &state)
      state.held = nil
      guard case .open(let base) = state.mode else { return nil }
      guard !state.isMuted, !state.isReversed else {
        state.facts.end = times.running + (times.duration ?? state.facts.interval ?? .zero)
        return nil
      }
      // The frame that a seek has shown comes again when the deck plays on.
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

  /// Of a sample that goes before it is due, and doesn't when it is.
  private func stampAtOnce(_ times: SampleTimes, in state: inout State) -> SampleStamp {
    state.held = nil
    state.previewed = times.running
    return SampleStamp(
      tag: tagNext(times, in: &state), due: clock.now, running: times.running, epoch: state.turn, fit: fit,
      copies: copies)
  }

  private func noteFirst(_ times: SampleTimes, in state: inout State) {
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
/// `@unchecked Sendable` holds because a GstSample counts its references atomically and nothing changes it while there is
/// more than one.
private final class HeldSample: @unchecked Sendable {
  let pointer: OpaquePointer
  init(_ sample: OpaquePointer) { pointer = vit_sample_ref(sample) }
  deinit { vit_sample_unref(pointer) }
}

/// Where a gate's samples go.
protocol SampleDestination: Sendable {
  /// Any streaming thread.
  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn
}

/// Where a deck's sound goes, and what is done with what is there already. Any thread; nothing waits.
protocol SoundDestination: SampleDestination {
  /// The deck will have sound. `volume`: a factor for its samples.
  func begin(_ deck: DeckID, volume: Double)
  /// Running time zero of the deck is at `base`.
  func run(_ deck: DeckID, base: Instant)
  /// The deck is silent at once; what it has queued stays.
  func hold(_ deck: DeckID)
  /// What the deck has queued is void; what comes of that epoch counts.
  func flush(_ deck: DeckID, epoch: UInt32)
  /// Nothing more comes.
  func end(_ deck: DeckID)
  /// The deck has nothing else: it is to be told how far it is heard.
  func follow(_ deck: DeckID)
}

/// A sample's place in time.
struct SampleStamp: Hashable, Sendable {
  var tag: FrameTag
  /// When it is to be shown or heard.
  var due: Instant
  /// In the deck's own time.
  var running: Duration
  /// Grows with each flush of the deck.
  var epoch: UInt32
  /// Seconds of the item in a second of the deck.
  var speed = 1.0
  /// Of a frame: what the output is to do with it where it hasn't the screen's shape.
  var fit = ScreenFit.contain
  /// Of a frame in a dmabuf: the output gets a copy.
  var copies = false
}

/// The times of a sample in its deck; nil for one outside of its segment, which nobody should see.
private struct SampleTimes {
  var running: Duration
  var stream: Duration
  var duration: Duration?
  /// Seconds of stream time in a second of running time.
  var speed: Double

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
