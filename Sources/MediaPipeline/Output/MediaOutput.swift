internal import CGStreamer
internal import CGStreamerShims
internal import Glibc
internal import MainLoop
public import PlaybackCore
public import ScreenModel

/// An output's report to the loop. Posted from any thread.
public enum OutputEvent: Sendable {
  /// The output accepts frames.
  case ready
  case failed(VitrineError)
  case frame(RenderedFrame)
  /// The plane couldn't scale frames of this size of a deck; from the next frame on, the processor fits them to the
  /// screen.
  case planeRefused(DeckID, PixelSize)
  /// The position of a deck that has only sound.
  case heard(RenderedSound)
  /// Sound is on or off; the picture goes on in either case. Not posted where the settings want no sound.
  case sound(SoundState)
  /// As `sound`, of the headset.
  case headset(SoundState)
  /// A pipeline of the output has lost its clock, and was restarted.
  case clockLost
  /// The output has been taken down; no more events follow.
  case closed
}

/// The permanent end of all decks' pipelines: `appsrc ! sink` for video, and a second pipeline for sound. Decks come
/// and go in front of it; it is never stopped between items.
///
/// Commands return at once and are carried out on the output's own worker.
public final class MediaOutput: Sendable {
  struct Running: Sendable {
    var pipeline: Element
    var sink: VideoSink
    var source: AppSource
    var lastShown: LastShown
    var format: DeckFormat
    /// Draws the overlay into the frames; nil where the target has another way.
    var blender: OverlayBlender?
  }

  /// How many frames may wait in front of the sink: one behind the frame that the sink holds until its time, and one
  /// more that may come before that time. Each occupies memory of a decoder that may have little.
  static let heldFrames: UInt64 = 2

  /// How many frames are held behind a decoder, plus one that it can decode into: those in front of the sink, the one
  /// in the sink, and the one on the screen. Hardware decoders allocate this many buffers more than they need
  /// themselves; those that can't allocate later would otherwise run out.
  static let framesHeld = heldFrames + 2 + 1

  /// How long a closing output waits for the frames in front of its sink. Frames leave their deck 20 ms before they are
  /// due; a sink that needs ten times as long is stuck.
  static let lastFrameWait: Duration = .milliseconds(200)

  public let target: VideoTarget
  private let clock: MediaClock
  private let settings: SoundSettings
  private let hdr: HDRChoice
  private let prepareColour: (@Sendable (VideoColour) -> Void)?
  private let worker = BlockingWorker()
  private let sound: SoundOutput
  /// The second device; nil where the settings name none.
  private let headset: SoundOutput?
  let running = Locked<Running?>(nil)
  private let overlay = Locked<OverlayPixels?>(nil)
  let clockLosses = Locked(ClockLosses())
  private let pulse: OutputPulse
  private let post: @Sendable (OutputEvent) -> Void

  /// - Parameters:
  ///   - target: the screen; it must outlive the output.
  ///   - sound: the sound settings.
  ///   - hdr: what decks do with HDR films.
  ///   - clock: the clock of the output's pipelines and of its decks.
  ///   - prepareColour: called on the streaming thread before the first frame of other colours; frames wait until it
  ///     returns.
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
    headset = settings.headset.map { device in
      var own = settings
      own.device = device
      // What is heard of an item without pictures is the loudspeaker's.
      return SoundOutput(settings: own, target: target, clock: clock) {
        if case .sound(let state) = $0 { post(.headset(state)) }
      }
    }
  }

  /// Starts the output. Answered by `ready` or `failed`; sound starts independently, sooner or later.
  public func open() {
    sound.start()
    headset?.start()
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
  /// - Parameter cards: draws the card of an item without a picture; with nil the last picture stays.
  /// - Throws: 5401 before the output is ready, 7202 where an element is missing.
  public func makeDeck(
    _ recipe: DeckRecipe, cards: CardPainter? = nil, post: @escaping @Sendable (DeckEvent) -> Void
  ) throws(VitrineError) -> Deck {
    guard let running = running.withLock({ $0 }) else { throw Self.failure(detail: "not ready") }
    return try Deck(
      recipe, format: running.format, video: running.source, sound: sound, headset: headset,
      cards: cards, post: post)
  }

  /// Sets the volume of the whole output.
  ///
  /// - Parameters:
  ///   - volume: 0...1; see `SoundMixer` for its curve.
  ///   - fade: how long the change takes; nil for the settings' time.
  public func setVolume(_ volume: Double, over fade: Duration? = nil) {
    for device in [sound, headset] { device?.setVolume(volume, over: fade) }
  }

  /// Mutes or unmutes the whole output.
  ///
  /// - Parameter fade: how long the change takes; nil for the settings' time.
  public func setMuted(_ isMuted: Bool, over fade: Duration? = nil) {
    for device in [sound, headset] { device?.setMuted(isMuted, over: fade) }
  }

  /// Switches to another sound device; the picture goes on.
  public func useSoundDevice(_ device: SoundDevice) { sound.use(device) }

  /// The state of the frames that have come to the output. Never waits for a sink.
  public var activity: OutputActivity { pulse.activity }

  /// Draws this overlay into the frames from now on, on a target that needs that; nil draws none.
  ///
  /// - Returns: the mark for `repeatFrame`, or nil where there is no frame to repeat.
  public func drawOverlay(_ overlay: OverlayPixels?) -> FrameMark? {
    self.overlay.withLock { $0 = overlay }
    guard let running = running.withLock({ $0 }), let blender = running.blender else { return nil }
    blender.show(overlay)
    return FrameMark(count: running.source.count)
  }

  /// A place in the stream of frames.
  public struct FrameMark: Sendable {
    var count: UInt64

    /// - Parameter count: number of frames that have come so far.
    package init(count: UInt64) { self.count = count }
  }

  /// Shows the frame on the screen again, with the current overlay drawn into it, unless other frames have come since
  /// `mark`.
  public func repeatFrame(ifStillAt mark: FrameMark) {
    worker.submit { [running] in running.withLock { $0 }?.source.repeatLast(ifStillAt: mark.count) }
  }

  /// Copies the frame on the screen in its own size. `done` is called on a worker.
  package func captureFrame(_ done: @escaping @Sendable (FrameCapture) -> Void) {
    worker.submit { [self] in
      let sink = running.withLock { $0?.sink }
      done(sink.map { FrameCapture.of($0.element, pixelAspect: $0.pixelAspect(of:)) } ?? .nothing)
    }
  }

  /// Takes the output down. Answered by `closed`, unless a sink hangs.
  ///
  /// - Parameter showsLast: whether the frames that have come so far are shown first.
  public func close(showsLast: Bool = false) {
    let left = Locked(headset == nil ? 2 : 3)
    let part: @Sendable () -> Void = { [post] in
      let isDone = left.withLock { left in
        left -= 1
        return left == 0
      }
      if isDone { post(.closed) }
    }
    sound.stop(part)
    headset?.stop(part)
    worker.submit { [self] in
      if showsLast { showLast() }
      tearDown()
      part()
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

  /// Stops and frees the pipeline. It must be freed before `closed` is posted: a waylandsink holds objects on the
  /// display's connection until then.
  private func tearDown() { Self.tearDown(running) }

  private static func tearDown(_ running: Locked<Running?>) {
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

  /// Takes down an output that was released without `close`: a pipeline must not be freed while it runs.
  deinit {
    sound.stop()
    headset?.stop()
    worker.submit { [running] in Self.tearDown(running) }
    worker.finish()
  }

  private func start() throws -> Running {
    let pipeline = try Element.pipeline(name: "video-output")
    let givesAgain = target.isSurface && SurfaceOffers.areNeeded
    let source = try AppSource(
      name: "video-source", maxBuffers: Self.heldFrames,
      keeping: target.drawsOverlay ? .all : givesAgain ? .lone : .none, clock: clock, pulse: pulse)
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
    let restartClock = clockRestarter(of: pipeline, source.element)
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
    let surface = givesAgain ? SurfaceFrames(source: source, clock: clock) : nil
    sink.watch(clock) { [pulse] tag, frame in
      // A repeated frame, for example with another overlay in it, has been reported already.
      guard !tag.isRepeat else { return surface?.gaveAgain(tag) ?? () }
      pulse.went(frame)
      if let size = takeRefusal(), scaling.withLock({ $0.refused(frame.deck, size: size) }) {
        post(.planeRefused(frame.deck, size))
      }
      var frame = frame
      frame.stays = source.length(of: frame.deck, frame.index)
      post(.frame(frame))
      lastShown.recordFrame(frame)
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

  /// Restarts the pipeline when its clock is lost, as GStreamer requires; too often, and the output has failed. The
  /// closure holds the pipeline weakly, because the pipeline's bus holds the closure.
  private func clockRestarter(of pipeline: Element, _ source: Element) -> @Sendable () -> Void {
    return { [weak self, weak pipeline, weak source] in
      guard let self else { return }
      post(.clockLost)
      switch clockLosses.withLock({ $0.answer(at: clock.now) }) {
      case .restart:
        worker.submit { [weak pipeline, weak source] in
          guard let pipeline, let source else { return }
          _ = pipeline.setState(GST_STATE_PAUSED)
          Self.awaitStop(of: source)
          _ = pipeline.setState(GST_STATE_PLAYING)
        }
      case .rebuild: post(.failed(Self.failure(detail: "its pipeline loses its clock again and again")))
      }
    }
  }

  /// How long a source is given to stop: it needs some microseconds, unless the processors are busy.
  private static let stopMilliseconds = 50

  /// Waits until a live source's thread has stopped on the way to PAUSED, which it does while it waits for a frame. If
  /// PLAYING came before, it would stop after that, for good, and no further frame would be shown. A thread that waits in
  /// the sink doesn't stop, and needn't.
  private static func awaitStop(of source: Element) {
    guard let pad = source.staticPad("src") else { return }
    for _ in 0..<stopMilliseconds where gst_pad_get_task_state(pad.pointer) == GST_TASK_STARTED { usleep(1000) }
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
  /// A compositor shows the frames: it decides whether they are visible, and reads them.
  fileprivate var isSurface: Bool { if case .waylandSurface = self { true } else { false } }
}
