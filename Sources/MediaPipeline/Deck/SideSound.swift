internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
internal import PlaybackCore

/// A sound of a deck from a pipeline of its own: of a file beside the film, or another track of the film's file. It
/// follows the deck: to where it is, at its speed, on its clock; the deck never waits for it.
///
/// Commands return at once. Work that can block runs on a worker of its own, because a file server that hangs must hold
/// up neither the deck nor another sound.
final class SideSound: Sendable {
  /// The file or the stream of a sound.
  enum Source: Sendable {
    case file(String)
    /// A stream of the film's own file, by GStreamer's id.
    case film(String, stream: String, MediaStart, Locked<FilmFile>)

    var uri: String {
      switch self {
      case .file(let uri), .film(let uri, _, _, _): uri
      }
    }
    var stream: String? { if case .film(_, let stream, _, _) = self { stream } else { nil } }

    /// Mends what a deck mends.
    func prepare(_ pipeline: Element) {
      guard case .film(_, _, _, let film) = self else { return }
      MovieEnd.mend(pipeline)
      MendedStream.watch(pipeline, film)
      PCMInMP4.watch(pipeline)
    }
  }

  /// Reports on the sound, on any thread.
  enum News: Sendable {
    /// The last block has come; how far into the item it went, nil where none has come since the last seek.
    case ended(at: Duration?)
    case failed(MediaFault)
  }
  /// Takes a block that is to be heard soon, on the streaming thread. Its stamp is in the deck's time, as its end is.
  typealias Receive = @Sendable (_ sample: OpaquePointer, SampleStamp, _ end: Duration) -> Void

  /// The deck's seek that blocks belong to.
  struct Flight: Hashable, Sendable {
    var anchor: SoundAnchor
    /// The number of the deck's flushes.
    var epoch: UInt32
    var frames: FrameEpoch
  }

  /// The deck's place in its item and in time.
  struct Place: Sendable {
    /// Nil while it seeks.
    var flight: Flight?
    /// The instant of its running time zero; nil while it is held.
    var base: Instant?
    /// Running time at which it is held; nil before it has played.
    var heldAt: Duration?
  }

  /// The progress of the pipeline since its last seek.
  private struct Reading: Sendable {
    /// The seek to the deck's place is done, and blocks may be told.
    var isSought = false
    /// The position of the item at the pipeline's running time zero.
    var zero: Duration = .zero
    /// How far into the item the blocks went.
    var reached: Duration?
    var hasEnded = false
  }

  private struct State: Sendable {
    var place = Place()
    var reading = Reading()
    /// The pipeline has its first sound.
    var isOpen = false
    var isClosed = false
    /// By how much the file's times are later than the item's.
    var delay: Duration = .zero
  }

  let track: MediaTrack.ID
  private let source: Source
  private let deck: DeckID
  private let lane: SoundSwitch.Lane
  private let parts: SideSoundPipeline
  private let format: DeckFormat
  private let state = Locked(State())
  private let worker = BlockingWorker()
  private let receive: Receive
  private let tell: @Sendable (News) -> Void

  /// Opens the file. Its blocks come once the deck's place is known, and the deck runs.
  ///
  /// - Throws: 7202 where an element is missing.
  init(
    _ track: MediaTrack.ID, from source: Source, lane: SoundSwitch.Lane, deck: DeckID, format: DeckFormat,
    receive: @escaping Receive, tell: @escaping @Sendable (News) -> Void
  ) throws(VitrineError) {
    self.track = track
    self.source = source
    self.lane = lane
    self.deck = deck
    self.receive = receive
    self.tell = tell
    let empty = Locked<@Sendable () -> Void>({})
    parts = try SideSoundPipeline(source, name: "\(deck)-sound-\(lane)", format: format) {
      empty.withLock { $0 }()
    }
    self.format = format
    empty.withLock { $0 = { [weak self] in self?.fail(Self.silent) } }
    let pipeline = parts.pipeline
    Bus.receiveMessages(from: pipeline, computes: true, deck: deck) { [weak self] message in
      switch message {
      case .asyncDone: self?.prerolled()
      case .error(let fault): self?.fail(fault)
      default: break
      }
    }
    attach(to: parts.sink)
    worker.submit { [self] in
      if case .file(let uri) = source {
        let delay = FilmFile.soundDelay(of: uri)
        state.withLock { $0.delay = delay }
      }
      if pipeline.setState(GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE { fail(Self.silent) }
    }
  }

  private static let silent = MediaFault(domain: .other, code: 0, message: "it gives no sound")

  // MARK: Commands, from any thread

  /// The deck is at another place. It is held there until `run`.
  func place(_ flight: Flight) {
    state.withLock { ($0.place, $0.reading.isSought) = (Place(flight: flight), false) }
    follow()
  }

  /// The deck is about to seek: what was read is void.
  func void() {
    state.withLock { ($0.place, $0.reading.isSought) = (Place(), false) }
    follow()
  }

  /// The deck runs, with running time zero at `base`.
  func run(base: Instant) {
    state.withLock { ($0.place.base, $0.place.heldAt) = (base, nil) }
    follow()
  }

  /// The deck is held at a running time; nil where it hasn't played since the last seek.
  func hold(at running: Duration?) {
    state.withLock { ($0.place.base, $0.place.heldAt) = (nil, running) }
    follow()
  }

  func close() {
    let isFirst = state.withLock { state in
      defer { state.isClosed = true }
      return !state.isClosed
    }
    guard isFirst else { return }
    worker.submit { [parts] in
      Bus.release(parts.pipeline)
      _ = parts.pipeline.setState(GST_STATE_NULL)
    }
    worker.finish()
  }

  deinit { close() }

  // MARK: Worker

  private func prerolled() {
    let isFirst = state.withLock { state in
      defer { state.isOpen = true }
      return !state.isOpen
    }
    if isFirst { follow() }
  }

  private func follow() {
    guard state.withLock({ !$0.isClosed }) else { return }
    worker.submit { [weak self] in self?.followHere() }
  }

  /// Brings the pipeline to where the deck is.
  private func followHere() {
    let now = format.clock.now
    let (flight, begin): (Flight?, Duration?) = state.withLock { state in
      guard state.isOpen, !state.isClosed, let flight = state.place.flight else { return (nil, nil) }
      guard !state.reading.isSought else { return (flight, nil) }
      let running = state.place.base.map { now - $0 } ?? state.place.heldAt ?? flight.anchor.running
      return (flight, flight.anchor.position(at: running))
    }
    guard let flight else {
      if state.withLock({ $0.isOpen && !$0.isClosed }) { _ = parts.pipeline.setState(GST_STATE_PAUSED) }
      return
    }
    if let begin { seek(to: begin, flight) }
    let base: Instant? = state.withLock { state in
      guard state.reading.isSought, state.place.flight == flight, let base = state.place.base else { return nil }
      return base + flight.anchor.running(at: state.reading.zero)
    }
    guard let base else { return _ = parts.pipeline.setState(GST_STATE_PAUSED) }
    parts.pipeline.setBaseTime(base - format.longestLead)
    _ = parts.pipeline.setState(GST_STATE_PLAYING)
  }

  private func seek(to position: Duration, _ flight: Flight) {
    _ = parts.pipeline.setState(GST_STATE_PAUSED)
    let delay = state.withLock { state in
      (state.reading.reached, state.reading.hasEnded) = (nil, false)
      // Known once the deck has its first samples.
      if case .film(_, _, let start, _) = source { state.delay = start.inMedium(.zero) }
      return state.delay
    }
    func inFile(_ position: Duration) -> gint64 { gint64((position + delay).wholeNanoseconds) }
    let stop = flight.anchor.end.map { max(inFile($0), inFile(position)) }
    let flags = GstSeekFlags(rawValue: GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
    guard
      gst_element_seek(
        parts.pipeline.pointer, flight.anchor.rate, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET, inFile(position),
        GST_SEEK_TYPE_SET, stop ?? -1) != 0
    else { return fail(MediaFault(domain: .other, code: 0, message: "no place in it can be looked for")) }
    let hasEnded = state.withLock { state in
      guard state.place.flight == flight else { return false }
      (state.reading.isSought, state.reading.zero) = (true, position)
      return state.reading.hasEnded
    }
    if hasEnded { tell(.ended(at: nil)) }
  }

  private func fail(_ fault: MediaFault) {
    if state.withLock({ !$0.isClosed }) { tell(.failed(fault)) }
  }

  // MARK: Streaming thread

  private func attach(to sink: Element) {
    sink.giveSamples { [weak self] sample in
      self?.pass(sample)
      return GST_FLOW_OK
    }
    sink.staticPad("sink")?.observeEvents { [weak self] event in
      if vit_event_type(event) == GST_EVENT_EOS { self?.end() }
    }
  }

  private func pass(_ sample: OpaquePointer) {
    guard let times = SampleTimes(sample) else { return }
    let stamp: SampleStamp? = state.withLock { state in
      guard state.reading.isSought, !state.isClosed, let flight = state.place.flight else { return nil }
      let position = times.stream - state.delay
      state.reading.reached = position + (times.duration ?? .zero) * times.speed
      let running = flight.anchor.running(at: position)
      return SampleStamp(
        tag: FrameTag(deck: deck, index: 0, streamTime: max(.zero, position), epoch: flight.frames),
        due: (state.place.base ?? Instant(nanoseconds: 0)) + running, running: running, epoch: flight.epoch,
        speed: times.speed, lane: lane)
    }
    if let stamp { receive(sample, stamp, stamp.running + (times.duration ?? .zero)) }
  }

  private func end() {
    let reached: Duration?? = state.withLock { state in
      state.reading.hasEnded = true
      return state.reading.isSought && !state.isClosed ? .some(state.reading.reached) : nil
    }
    if let reached { tell(.ended(at: reached)) }
  }
}
