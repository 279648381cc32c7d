internal import CGStreamer
internal import MainLoop
internal import PlaybackCore
internal import ScreenModel

/// The sound of an output: takes the decks' blocks, and keeps a device fed with what is to be heard now.
///
/// A thread of its own renders a stretch of the timeline every few milliseconds, silence included, so that the device gets
/// one unbroken stream whatever decks do: it never has to find its place in time again, and a pause, a seek or a seam is
/// only another content. The thread opens the device too, as often as `SoundKeeper` says; neither the picture nor the
/// loop ever waits for one.
final class SoundOutput: SoundDestination {
  private struct State: Sendable {
    var timeline: SoundTimeline
    /// Faults of the pipeline with that number, the newest first.
    var fault: (pipeline: Int, detail: String)?
    var isStarted = false
    var isStopping = false
    var whenStopped: (@Sendable () -> Void)?
    var device: SoundDevice
    /// Whether the device is another one than the thread has opened.
    var isDeviceNew = false
  }
  private let state: Locked<State>
  private let settings: SoundSettings
  private let target: VideoTarget
  private let clock: MediaClock
  private let alarm = Alarm()
  private let tell: @Sendable (OutputEvent) -> Void
  /// What was told last of a deck that has only sound. Of the thread.
  private let lastHeard = Locked<RenderedSound?>(nil)

  /// - Parameters:
  ///   - target: what the picture is on, for sound that follows its connector.
  ///   - clock: by which decks say when they are to be heard.
  init(
    settings: SoundSettings, target: VideoTarget, clock: MediaClock, tell: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.settings = settings
    self.target = target
    self.clock = clock
    self.tell = tell
    let mixer = SoundMixer(volume: settings.volume, isMuted: settings.isMuted)
    state = Locked(State(timeline: SoundTimeline(mixer: mixer, offset: settings.offset), device: settings.device))
  }

  /// Begins to look for a device, unless the settings want none. Answered by `sound` events, and `heard` events for what has
  /// nothing but sound, for as long as the output lives.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted && !state.isStopping
    }
    guard isFirst else { return }
    let worker = BlockingWorker()
    worker.submit { [self] in run() }
    worker.finish()
  }

  /// Closes the device, for good. `done` is called on another thread, later than this only where a device hangs.
  func stop(_ done: @escaping @Sendable () -> Void = {}) {
    let isRunning = state.withLock { state in
      defer { state.isStopping = true }
      guard state.isStarted, !state.isStopping else { return false }
      state.whenStopped = done
      return true
    }
    if isRunning { alarm.wake() } else { done() }
  }

  /// Goes over to another device. Decks notice nothing: what isn't heard meanwhile is past.
  func use(_ device: SoundDevice) {
    let isNew = state.withLock { state in
      guard state.device != device else { return false }
      state.device = device
      state.isDeviceNew = state.isStarted
      return true
    }
    if isNew { alarm.wake() }
  }

  // MARK: Volume

  /// - Parameter fade: how long the change takes; nil takes the settings'.
  func setVolume(_ volume: Double, over fade: Duration?) {
    state.withLock { $0.timeline.setVolume(volume, over: fade ?? settings.fade, at: clock.now) }
  }

  func setMuted(_ isMuted: Bool, over fade: Duration?) {
    state.withLock { $0.timeline.setMuted(isMuted, over: fade ?? settings.fade, at: clock.now) }
  }

  // MARK: Decks

  func begin(_ deck: DeckID, volume: Double) { state.withLock { $0.timeline.begin(deck, volume: volume) } }
  func run(_ deck: DeckID, base: Instant) {
    let mustLook = state.withLock { state in
      state.timeline.run(deck, base: base)
      return state.timeline.needsFollowing
    }
    if mustLook { alarm.wake() }
  }
  func follow(_ deck: DeckID) { state.withLock { $0.timeline.follow(deck) } }
  func hold(_ deck: DeckID) { state.withLock { $0.timeline.hold(deck) } }
  func flush(_ deck: DeckID, epoch: UInt32) { state.withLock { $0.timeline.flush(deck, epoch: epoch) } }
  func end(_ deck: DeckID) { state.withLock { $0.timeline.end(deck) } }

  func push(_ sample: OpaquePointer, _ stamp: SampleStamp) -> GstFlowReturn {
    guard let buffer = gst_sample_get_buffer(sample) else { return GST_FLOW_OK }
    let frameSize = SoundFormat.channels * MemoryLayout<Int16>.size
    let count = Int(gst_buffer_get_size(buffer)) / frameSize * SoundFormat.channels
    let block = [Int16](unsafeUninitializedCapacity: count) { memory, filled in
      let copied = gst_buffer_extract(buffer, 0, memory.baseAddress, gsize(count * MemoryLayout<Int16>.size))
      filled = Int(copied) / MemoryLayout<Int16>.size
    }
    let place = SoundPlace(streamTime: stamp.tag.streamTime, speed: stamp.speed, epoch: stamp.tag.epoch)
    state.withLock {
      $0.timeline.push(block, at: stamp.running, epoch: stamp.epoch, from: stamp.tag.deck, place: place)
    }
    return GST_FLOW_OK
  }

  // MARK: The thread

  /// The device that is open, and up to where it was fed. Its own times are those of its clock.
  private struct Feed {
    var pipeline: SoundPipeline
    var number: Int
    var pace: SoundPace
    /// Frames given since the origin: stamps are counted, not added up, so that nothing is rounded away.
    var frames = 0
    var origin: Instant
    /// What is given, and how much of what was due since when it is made of.
    var stretcher = SoundStretcher()
    var taken = 0
    var takenSince: Instant
    /// How much later than they are due pictures are seen.
    let pictureDelay: Duration

    init(_ pipeline: SoundPipeline, number: Int, pictureDelay: Duration, at now: Instant) {
      self.pipeline = pipeline
      self.number = number
      self.pictureDelay = pictureDelay
      pace = SoundPace(openedAt: now)
      origin = now + SoundTiming.feedLead
      takenSince = origin - pictureDelay
    }

    /// When the device plays what it is given next, by its clock.
    var next: Instant { origin + SoundFormat.duration(ofFrames: frames) }
    /// When it has to have it, by ours.
    var due: Instant { next - pace.ahead - SoundTiming.feedLead }

    /// What comes next is what is due when the device plays it, whatever came before.
    mutating func begin(anew at: Instant) {
      origin = at
      frames = 0
      place()
    }

    /// The same, without a gap in what the device gets.
    mutating func place() {
      stretcher = SoundStretcher()
      taken = 0
      takenSince = next - pace.ahead - pictureDelay
    }
  }

  private func run() {
    var keeper = SoundKeeper()
    var feed: Feed?
    var count = 0
    var events: [SoundKeeper.Event] = settings.isEnabled ? [.start] : []
    while true {
      while !events.isEmpty {
        for action in keeper.handle(events.removeFirst(), at: clock.now) {
          switch action {
          case .open:
            count += 1
            events.append(open(number: count, into: &feed))
          case .close:
            if let pipeline = feed?.pipeline { close(pipeline, waits: keeper.phase == .stopped) }
            feed = nil
          case .tell(let news): tell(.sound(news))
          }
        }
      }
      if keeper.phase == .stopped { break }
      alarm.sleep(until: nextWakeUp(keeper, feed).map(clock.monotonicNanoseconds))
      events = whatHappened(keeper, feed)
      if events.isEmpty, feed != nil { fill(&feed) }
      if feed == nil { state.withLock { $0.timeline.pass(until: clock.now) } }
      tellHeard()
    }
    let done = state.withLock { $0.whenStopped }
    done?()
  }

  private func nextWakeUp(_ keeper: SoundKeeper, _ feed: Feed?) -> Instant? {
    let isFollowing = feed == nil && state.withLock { $0.timeline.needsFollowing }
    let look = isFollowing ? clock.now + RenderedSound.interval : nil
    return [keeper.wakeUp, feed?.due, look].compactMap { $0 }.min()
  }

  /// Says how far a deck is that has only sound: now and then while it sounds, and at once where it begins.
  private func tellHeard() {
    let now = clock.now
    guard let heard = state.withLock({ $0.timeline.heard(by: now) }) else { return }
    let isNews = lastHeard.withLock { last in
      if let last, last.deck == heard.deck, last.epoch == heard.epoch {
        guard heard.running != last.running, now - last.at >= RenderedSound.interval else { return false }
      }
      last = heard
      return true
    }
    if isNews { tell(.heard(heard)) }
  }

  private func whatHappened(_ keeper: SoundKeeper, _ feed: Feed?) -> [SoundKeeper.Event] {
    let (isStopping, isDeviceNew, fault) = state.withLock { state in
      defer {
        state.fault = nil
        state.isDeviceNew = false
      }
      return (state.isStopping, state.isDeviceNew, state.fault)
    }
    if isStopping { return [.stop] }
    if isDeviceNew { return [.deviceChanged] }
    if let feed {
      if let fault, fault.pipeline == feed.number {
        return [.failed(SoundErrors.failed(feed.pipeline.name, detail: fault.detail))]
      }
      if feed.pipeline.queued > SoundTiming.longestQueue {
        return [.failed(SoundErrors.failed(feed.pipeline.name, detail: "it takes no more sound"))]
      }
    }
    if let wakeUp = keeper.wakeUp, clock.now >= wakeUp { return [.tick] }
    return []
  }

  /// Opens the first device that works.
  private func open(number: Int, into feed: inout Feed?) -> SoundKeeper.Event {
    var settings = settings
    settings.device = state.withLock { $0.device }
    let choice = SoundRoute.routes(for: settings, target: target)
    var problem = choice.problem
    for route in choice.routes {
      if state.withLock({ $0.isStopping }) { break }
      do {
        let pipeline = try SoundPipeline(route, clock: clock) { [weak self] detail in self?.fail(number, detail) }
        let delay = if case .memory = target { Duration.zero } else { SoundTiming.pictureDelay }
        feed = Feed(pipeline, number: number, pictureDelay: delay, at: clock.now)
        return .opened(pipeline.name)
      } catch {
        problem = error
      }
    }
    return problem.map { .couldNotOpen($0) } ?? .foundNone
  }

  private func fail(_ number: Int, _ detail: String) {
    state.withLock { state in
      // The first is the one that explains.
      if state.fault?.pipeline != number { state.fault = (number, detail) }
    }
    alarm.wake()
  }

  /// A device that failed may hang when it is closed: then only a thread is lost.
  private func close(_ pipeline: SoundPipeline, waits: Bool) {
    if waits { return pipeline.close() }
    let worker = BlockingWorker()
    worker.submit { pipeline.close() }
    worker.finish()
  }

  /// Gives the device all that it should have by now.
  private func fill(_ feed: inout Feed?) {
    guard var current = feed else { return }
    let now = clock.now
    if let ahead = current.pipeline.deviceAhead() { current.pace.observe(ahead: ahead) }
    if now - current.due > SoundTiming.longestLag {
      // The whole machine stood still: what is past is not made up for.
      current.begin(anew: now + current.pace.ahead + SoundTiming.feedLead)
    }
    let stretch = SoundFormat.duration(ofFrames: SoundTiming.stretchFrames)
    while current.due <= now {
      let next = current.next
      var ratio = 1.0
      switch current.pace.next(stretch, at: now) {
      case .stretch(let wanted): ratio = wanted
      // Of that there may be less to give, or more.
      case .jump:
        current.place()
        continue
      }
      let (since, taken) = (current.takenSince, current.taken)
      var more = 0
      let samples = current.stretcher.make(SoundTiming.stretchFrames, ratio: ratio) { count in
        more = count
        return state.withLock {
          $0.timeline.render(from: since + SoundFormat.duration(ofFrames: taken), frames: count)
        }
      }
      current.taken += more
      current.pipeline.push(samples, at: next)
      current.frames += SoundTiming.stretchFrames
    }
    feed = current
  }
}

/// The times of the sound output, each with its reason.
enum SoundTiming {
  /// Rendered at a time: a tenth of a stretch's processor time goes into waking up, and it is below what is felt as delay. Not
  /// the device's part: one that tells where it is only when a part is over is then asked at ever other moments of it, and once in
  /// ten stretches right after. Asked in step with it, it was 10 ms behind at each time.
  static let stretchFrames = SoundFormat.frames(in: devicePeriod + .milliseconds(1))
  /// How long before it is heard a stretch is given to the device: the device's buffer, which is kept full, the part of it
  /// that is taken next, and one more for the way and for what a device tells too late of where it is. With half a part on the way
  /// ALSA's buffer took every second part unfilled at times. This much can't be called back on a pause.
  static let feedLead: Duration = deviceBuffer + devicePeriod + devicePeriod
  /// Sound that lies in the device: less breaks up on a busy 2-core machine.
  static let deviceBuffer: Duration = .milliseconds(40)
  /// The device takes it in parts of this length.
  static let devicePeriod: Duration = .milliseconds(10)
  /// What the device gets is stamped to the sample. What is off by more belongs elsewhere: the beginning does, and what comes
  /// after the machine stood still.
  static let alignment: Duration = .microseconds(500)
  /// A picture is on the screen with the first refresh after it is due: half of a sixtieth of a second later, on the average.
  static let pictureDelay: Duration = .milliseconds(8)
  /// A feed that is late by more begins anew at now instead of hurrying after.
  static let longestLag: Duration = .milliseconds(200)
  /// A device before which so much waits has stopped, without saying so.
  static let longestQueue: Duration = .seconds(1)
  /// A device that neither starts nor fails in this time is given up. Servers answer within milliseconds; amplifiers behind
  /// HDMI take up to 2 s.
  static let openDeadline: Duration = .seconds(4)
}
