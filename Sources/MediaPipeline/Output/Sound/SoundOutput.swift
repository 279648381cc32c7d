internal import CGStreamer
internal import MainLoop
internal import PlaybackCore
internal import ScreenModel

/// The sound of an output: takes the decks' blocks, and keeps a device fed with what is to be heard now.
///
/// A thread of its own renders a stretch of the timeline every few milliseconds, silence included, so that the device
/// gets one unbroken stream whatever decks do: it never has to find its place in time again, and a pause, a seek or a
/// seam only changes the content. The same thread opens the device, as often as `SoundReconnect` says; neither the
/// picture nor the loop ever waits for a device.
final class SoundOutput: SoundDestination {
  private struct State: Sendable {
    var timeline: SoundTimeline
    /// The first fault of the open pipeline, and that pipeline's number.
    var fault: (pipeline: Int, detail: String)?
    var isStarted = false
    var isStopping = false
    var whenStopped: (@Sendable () -> Void)?
    var device: SoundDevice
    /// Whether `device` differs from the one that the thread has opened.
    var isDeviceNew = false
  }
  private let state: Locked<State>
  private let settings: SoundSettings
  private let target: VideoTarget
  private let clock: MediaClock
  private let alarm = Alarm()
  private let tell: @Sendable (OutputEvent) -> Void
  /// The last report about a deck that has only sound. Used by the thread alone.
  private let lastHeard = Locked<RenderedSound?>(nil)

  /// - Parameters:
  ///   - target: the screen, for sound that follows its connector.
  ///   - clock: the clock of the decks' times.
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

  /// Begins to look for a device, unless the settings want no sound. Answered by `sound` events, and by `heard` events
  /// for decks that have only sound, until `stop`.
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

  /// Closes the device for good. `done` is called on the sound's thread, or at once where it doesn't run; a device that
  /// hangs delays it.
  func stop(_ done: @escaping @Sendable () -> Void = {}) {
    let isRunning = state.withLock { state in
      defer { state.isStopping = true }
      guard state.isStarted, !state.isStopping else { return false }
      state.whenStopped = done
      return true
    }
    if isRunning { alarm.wake() } else { done() }
  }

  /// Switches to another device. Decks aren't affected: the sound of the time in between is lost.
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

  /// - Parameter fade: how long the change takes; nil for the settings' time.
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
      $0.timeline.push(
        block, at: stamp.running, epoch: stamp.epoch, from: stamp.tag.deck, place: place, lane: stamp.lane)
    }
    return GST_FLOW_OK
  }

  // MARK: The thread

  /// The open device, and how far it has been fed. Its times are by the device's clock.
  private struct Feed {
    var pipeline: SoundPipeline
    var number: Int
    var pace: SoundPace
    /// Frames given since the origin. Timestamps are computed from this count, so that rounding errors don't add up.
    var frames = 0
    var origin: Instant
    /// Adapts the sound to the device's speed; `taken` frames of the timeline have gone in since `takenSince`.
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

    /// When the device plays the next frame, by its clock.
    var next: Instant { origin + SoundFormat.duration(ofFrames: frames) }
    /// When the device must have the next frame, by the output's clock.
    var due: Instant { next - pace.ahead - SoundTiming.feedLead }

    /// Starts again at a time of the device's clock: the next frame is the one that is due then.
    mutating func begin(anew at: Instant) {
      origin = at
      frames = 0
      place()
    }

    /// Starts again at the frame that is due, without a gap in the device's stream.
    mutating func place() {
      stretcher = SoundStretcher()
      taken = 0
      takenSince = next - pace.ahead - pictureDelay
    }
  }

  private func run() {
    var keeper = SoundReconnect()
    var feed: Feed?
    var count = 0
    var events: [SoundReconnect.Event] = settings.isEnabled ? [.start] : []
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
      reportHeard()
    }
    let done = state.withLock { $0.whenStopped }
    done?()
  }

  private func nextWakeUp(_ keeper: SoundReconnect, _ feed: Feed?) -> Instant? {
    let isFollowing = feed == nil && state.withLock { $0.timeline.needsFollowing }
    let look = isFollowing ? clock.now + RenderedSound.interval : nil
    return [keeper.wakeUp, feed?.due, look].compactMap { $0 }.min()
  }

  /// Reports the position of a deck that has only sound: at intervals while it sounds, and at once when it begins.
  private func reportHeard() {
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

  private func whatHappened(_ keeper: SoundReconnect, _ feed: Feed?) -> [SoundReconnect.Event] {
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
  private func open(number: Int, into feed: inout Feed?) -> SoundReconnect.Event {
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
      // Only the first fault explains the failure.
      if state.fault?.pipeline != number { state.fault = (number, detail) }
    }
    alarm.wake()
  }

  /// Closes a device, on a thread of its own unless `waits`: a failed device may hang when it is closed, and then only
  /// that thread is lost.
  private func close(_ pipeline: SoundPipeline, waits: Bool) {
    if waits { return pipeline.close() }
    let worker = BlockingWorker()
    worker.submit { pipeline.close() }
    worker.finish()
  }

  /// Gives the device all the sound that it should have by now.
  private func fill(_ feed: inout Feed?) {
    guard var current = feed else { return }
    let now = clock.now
    if let ahead = current.pipeline.deviceAhead() { current.pace.observe(ahead: ahead) }
    if now - current.due > SoundTiming.longestLag {
      // The whole machine stood still: the missed sound is skipped.
      current.begin(anew: now + current.pace.ahead + SoundTiming.feedLead)
    }
    let stretch = SoundFormat.duration(ofFrames: SoundTiming.stretchFrames)
    while current.due <= now {
      let next = current.next
      var ratio = 1.0
      switch current.pace.next(stretch, at: now) {
      case .stretch(let wanted): ratio = wanted
      // The timeline may then have less to give than is due, or more.
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
  /// The length of a stretch: waking up takes a tenth of its processor time, and it is below what is felt as delay. A
  /// little more than the device's period: a device that updates its position only at the end of a period is then asked
  /// at ever other points of the period, and in one of ten stretches right after an update. Asked in step with the
  /// period, the position was always 10 ms old.
  static let stretchFrames = SoundFormat.frames(in: devicePeriod + .milliseconds(1))
  /// How long before it is heard a stretch is given to the device: the length of the device's buffer, which is kept
  /// full, the period that is taken next, and one more for the way there and for a position that is reported late. With
  /// half a period for the way, ALSA's buffer sometimes missed every second period. A pause can't take this much sound
  /// back.
  static let feedLead: Duration = deviceBuffer + devicePeriod + devicePeriod
  /// The device's buffer: a shorter one breaks up on a busy 2-core machine.
  static let deviceBuffer: Duration = .milliseconds(40)
  /// The device takes its sound in periods of this length.
  static let devicePeriod: Duration = .milliseconds(10)
  /// Timestamps are exact to the sample. A larger deviation is meant as a jump: at the start, and after the machine
  /// stood still.
  static let alignment: Duration = .microseconds(500)
  /// A picture appears with the first refresh after it is due: on average half of a sixtieth of a second later.
  static let pictureDelay: Duration = .milliseconds(8)
  /// A feed that is later than this starts again at the present instead of catching up.
  static let longestLag: Duration = .milliseconds(200)
  /// A device with this much unplayed sound in front of it has stopped without reporting it.
  static let longestQueue: Duration = .seconds(1)
  /// A device that neither starts nor fails within this time is given up. Servers answer within milliseconds;
  /// amplifiers behind HDMI take up to 2 s.
  static let openDeadline: Duration = .seconds(4)
}
