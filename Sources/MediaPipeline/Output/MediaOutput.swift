internal import CGStreamer
internal import CGStreamerShims
internal import MainLoop
public import PlaybackCore
public import ScreenModel

/// What an output tells. Posted from any thread.
public enum OutputEvent: Sendable {
  /// Frames can come.
  case ready
  case failed(VitrineError)
  case frame(RenderedFrame)
  /// The plane didn't scale frames of this size of a deck; those that come after it are fitted to the screen by the
  /// processor.
  case planeRefused(DeckID, PixelSize)
  /// How far a deck is that has only sound.
  case heard(RenderedSound)
  /// Sound is on or off; the picture goes on in either case. Without sound settings that ask for it, none comes.
  case sound(SoundState)
  /// A pipeline of its own had no clock any more, and was started anew.
  case clockLost
  /// Taken down; nothing more comes.
  case closed
}

/// The persistent end of everything: `appsrc ! sink` for video, and another pipeline for sound. Decks come and go in
/// front of it; it is never stopped between items.
///
/// Commands return at once and are carried out on the output's own worker.
public final class MediaOutput: Sendable {
  struct Running: Sendable {
    var pipeline: Element
    var sink: VideoSink
    var source: AppSource
    var lastShown: LastShown
    var format: DeckFormat
    /// Where the overlay is drawn into the frames.
    var blender: OverlayBlender?
  }

  /// How many frames may wait in front of the sink: the one that waits there for its time has one behind it, and one more
  /// may come before that. Each is memory of a decoder that may have few.
  static let heldFrames: UInt64 = 2

  /// How many frames are held behind a decoder, and one more that it can decode into: those in front of the sink, the one
  /// that the sink waits with, and the one on the screen. Decoders in hardware make so many more buffers than they need
  /// for themselves, and those that can't make more later don't starve.
  static let framesHeld = heldFrames + 2 + 1

  /// How long an output that is closed waits for the frames in front of its sink. They leave their deck 20 ms before they
  /// are due, and are due within that; a sink that needs ten times as long is stuck.
  static let lastFrameWait: Duration = .milliseconds(200)

  public let target: VideoTarget
  private let clock: MediaClock
  private let settings: SoundSettings
  private let hdr: HDRChoice
  private let prepareColour: (@Sendable (VideoColour) -> Void)?
  private let worker = BlockingWorker()
  private let sound: SoundOutput
  let running = Locked<Running?>(nil)
  private let overlay = Locked<OverlayPixels?>(nil)
  private let pulse: OutputPulse
  private let post: @Sendable (OutputEvent) -> Void

  /// - Parameters:
  ///   - target: the screen; it must outlive the output.
  ///   - sound: how it sounds.
  ///   - hdr: what decks do with HDR films.
  ///   - clock: what its pipelines run on, and those of its decks.
  ///   - prepareColour: called on the streaming thread before the first frame of other colours; frames wait for it.
  public init(
    target: VideoTarget, sound settings: SoundSettings, hdr: HDRChoice = .map, clock: MediaClock = .system,
    prepareColour: (@Sendable (VideoColour) -> Void)? = nil,
    post: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.target = target
    pulse = OutputPulse(dropsCount: !target.isSurface)
    self.settings = settings
    self.hdr = hdr
    self.clock = clock
    self.prepareColour = prepareColour
    self.post = post
    sound = SoundOutput(settings: settings, target: target, clock: clock, tell: post)
  }

  /// Starts the output. Answered by `ready` or `failed`; sound comes by itself, sooner or later.
  public func open() {
    sound.start()
    worker.submit { [self] in
      do {
        let started = try start()
        running.withLock { $0 = started }
        post(.ready)
      } catch let error as VitrineError {
        post(.failed(error))
      } catch {
        post(.failed(Self.failure(detail: "\(error)")))
      }
    }
  }

  /// Builds a deck for this output. Nothing runs until its `prepare`.
  ///
  /// - Parameter cards: draws what is to be seen of an item without a picture; nil leaves what was there before.
  /// - Throws: 5401 before the output is ready, 7202 where an element is missing.
  public func makeDeck(
    _ recipe: DeckRecipe, cards: CardPainter? = nil, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> Deck {
    guard let running = running.withLock({ $0 }) else { throw Self.failure(detail: "not ready") }
    return try Deck(
      recipe, format: running.format, video: running.source, sound: sound, cards: cards, post: post)
  }

  /// Turns everything up or down.
  ///
  /// - Parameters:
  ///   - volume: 0...1; see `SoundMixer` for its curve.
  ///   - fade: how long it takes; nil takes the settings'.
  public func setVolume(_ volume: Double, over fade: Duration? = nil) { sound.setVolume(volume, over: fade) }

  /// Silences everything, or lets it sound again.
  ///
  /// - Parameter fade: how long it takes; nil takes the settings'.
  public func setMuted(_ isMuted: Bool, over fade: Duration? = nil) { sound.setMuted(isMuted, over: fade) }

  /// Goes over to another sound device; the picture goes on.
  public func useSoundDevice(_ device: SoundDevice) { sound.use(device) }

  /// What has become of the frames that came. Never waits for a sink.
  public var activity: OutputActivity { pulse.activity }

  /// What is drawn into the frames from now on, on a target that wants that; nil draws nothing.
  ///
  /// - Returns: the mark for `repeatFrame`, or nil when there is nothing to be repeated.
  public func drawOverlay(_ overlay: OverlayPixels?) -> FrameMark? {
    self.overlay.withLock { $0 = overlay }
    guard let running = running.withLock({ $0 }), let blender = running.blender else { return nil }
    blender.show(overlay)
    return FrameMark(count: running.source.count)
  }

  /// A place in the stream of frames.
  public struct FrameMark: Sendable {
    var count: UInt64

    /// - Parameter count: of the frames that have come so far.
    package init(count: UInt64) { self.count = count }
  }

  /// Shows the frame on the screen anew, with what is now drawn into it, unless others have come since `mark`.
  public func repeatFrame(ifStillAt mark: FrameMark) {
    worker.submit { [running] in running.withLock { $0 }?.source.repeatLast(ifStillAt: mark.count) }
  }

  /// A copy of the frame on the screen, in its own size. `done` is called on a worker.
  package func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void) {
    worker.submit { [self] in
      let sink = running.withLock { $0?.sink }
      done(sink.map { FrameCapture.of($0.element, pixelAspect: $0.pixelAspect(of:)) } ?? .nothing)
    }
  }

  /// Takes the output down. Answered by `closed`, unless a sink hangs.
  ///
  /// - Parameter showsLast: whether the frames that have come so far are shown before.
  public func close(showsLast: Bool = false) {
    let isHalfDone = Locked(false)
    let half: @Sendable () -> Void = { [post] in
      let isDone = isHalfDone.withLock { value in
        defer { value = true }
        return value
      }
      if isDone { post(.closed) }
    }
    sound.stop(half)
    worker.submit { [self] in
      if showsLast { showLast() }
      takeDown()
      half()
    }
    worker.finish()
  }

  // MARK: Worker

  private func showLast() {
    guard let running = running.withLock({ $0 }) else { return }
    running.source.close()
    guard let newest = running.source.newestTag else { return }
    running.lastShown.wait(for: newest, until: Instant.monotonicNow + Self.lastFrameWait)
  }

  /// Stops the pipeline and lets it go. It must be freed, not only stopped, before `closed` is told: a waylandsink holds
  /// objects on the display's connection until then.
  private func takeDown() { Self.takeDown(running) }

  private static func takeDown(_ running: Locked<Running?>) {
    let last = running.withLock { value in
      defer { value = nil }
      return value
    }
    guard let last else { return }
    last.source.close()
    Bus.release(last.pipeline)
    _ = last.pipeline.setState(GST_STATE_NULL)
    vit_release_shared_frame()
  }

  /// An output that is let go without `close` goes down all the same: a pipeline must not be freed while it runs.
  deinit {
    sound.stop()
    worker.submit { [running] in Self.takeDown(running) }
    worker.finish()
  }

  private func start() throws -> Running {
    let pipeline = try Element.pipeline(name: "video-output")
    let source = try AppSource(
      name: "video-source", maxBuffers: Self.heldFrames,
      keeping: target.drawsOverlay ? .all : target.isSurface ? .lone : .none, clock: clock, pulse: pulse)
    if let node = target.renderNode { VideoAccelerators.prefer(node) }
    let sink = try VideoSink(target: target)
    pipeline.add(source.element, sink.element)
    let blender = target.drawsOverlay ? try OverlayBlender() : nil
    if let blender {
      blender.show(overlay.withLock { $0 })
      pipeline.add(blender.element)
      try source.element.link(to: blender.element)
      try blender.element.link(to: sink.element)
    } else {
      try source.element.link(to: sink.element)
    }
    pipeline.useClock(clock)
    let base = clock.now
    pipeline.setBaseTime(base)
    source.setBase(base)
    let fault = Locked<MediaFault?>(nil)
    let post = post
    var waylandDisplay: UInt = 0
    if case .waylandSurface(let display, _, _) = target { waylandDisplay = display }
    let restartClock = clockRestarter(of: pipeline)
    Bus.receiveMessages(from: pipeline, waylandDisplay: waylandDisplay) { message in
      if case .clockLost = message { return restartClock() }
      guard case .error(let problem) = message else { return }
      let isFirst = fault.withLock { value in
        defer { if value == nil { value = problem } }
        return value == nil
      }
      if isFirst { post(.failed(Self.failure(detail: "\(problem.message) | \(problem.debug)"))) }
    }
    let lastShown = LastShown()
    let scaling = Locked(PlaneScaling())
    let takeRefusal = sink.takeRefusal
    let surface = target.isSurface ? SurfaceFrames(source: source, clock: clock) : nil
    sink.watch(clock) { [pulse] tag, frame in
      // The same frame once more, with another overlay in it for example: it has been told already.
      guard !tag.isRepeat else { return surface?.gaveAgain(tag) ?? () }
      pulse.went(frame)
      if let size = takeRefusal(), scaling.withLock({ $0.refused(frame.deck, size: size) }) {
        post(.planeRefused(frame.deck, size))
      }
      var frame = frame
      frame.stays = source.length(of: frame.deck, frame.index)
      post(.frame(frame))
      lastShown.noteFrame(frame)
      surface?.handedOver(tag, stays: frame.stays)
    }
    if let prepareColour { sink.watchColour(prepareColour) }
    guard pipeline.setState(GST_STATE_READY) != GST_STATE_CHANGE_FAILURE else { throw giveUp(pipeline, fault) }
    sink.attach(to: target)
    guard pipeline.setState(GST_STATE_PLAYING) != GST_STATE_CHANGE_FAILURE,
      let (caps, shape) = sink.format(for: target), !caps.isEmpty
    else { throw giveUp(pipeline, fault) }
    let format = DeckFormat(
      videoCaps: caps,
      video: VideoDemand(shape: shape, rotation: target.rotation, keptHDR: hdr.kept(by: target.hdr)),
      soundCaps: Caps(SoundPipeline.capsText), isSilent: !settings.isEnabled,
      soundLead: DeckTiming.soundLead + max(.zero, .zero - settings.offset), screen: target.size,
      scaling: scaling, background: target.background, sharesFrames: target.isSurface, screenNode: target.renderNode,
      clock: clock)
    return Running(
      pipeline: pipeline, sink: sink, source: source, lastShown: lastShown, format: format, blender: blender)
  }

  /// What GStreamer asks for where a clock is lost; too often, and the output has failed. The pipeline doesn't hold what its bus calls.
  private func clockRestarter(of pipeline: Element) -> @Sendable () -> Void {
    let losses = Locked(ClockLosses())
    return { [weak self, weak pipeline] in
      guard let self else { return }
      post(.clockLost)
      switch losses.withLock({ $0.answer(at: clock.now) }) {
      case .restart:
        worker.submit { [weak pipeline] in
          guard let pipeline else { return }
          _ = pipeline.setState(GST_STATE_PAUSED)
          _ = pipeline.setState(GST_STATE_PLAYING)
        }
      case .rebuild: post(.failed(Self.failure(detail: "its pipeline loses its clock again and again")))
      }
    }
  }

  private func giveUp(_ pipeline: Element, _ fault: Locked<MediaFault?>) -> VitrineError {
    Bus.release(pipeline)
    _ = pipeline.setState(GST_STATE_NULL)
    return Self.failure(detail: fault.withLock { $0?.message } ?? "")
  }

  private static func failure(detail: String) -> VitrineError {
    VitrineError(
      5401, subject: "video output", message: "the video sink failed",
      remedy: "see the log (-v)", detail: detail)
  }
}

extension VideoTarget {
  /// A compositor shows it: somebody else decides if it is seen, and reads its frames.
  fileprivate var isSurface: Bool { if case .waylandSurface = self { true } else { false } }
}
