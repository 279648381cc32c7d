public import InteractionCore
public import PlaybackCore

/// What visitors do, and what the screen answers: lock, gestures, keys, drags, the visitors' list, clips in between, volume, the
/// status card, messages, and the overlay that shows them.
///
/// The order in which they count, for each touch and key: the configuration's lock, a lock that somebody has turned on, the
/// first touch that brings the visitors' list (a key that names something does what it names: `Binding.aim`), the status card
/// that any touch takes away, the binding of the gesture or key.
///
///     nobody -> visited -> nobody      (AttractMachine)
///     idle -> scrubbing -> idle        (ScrubMachine, held by one finger's drag)
///     in the list -> at a clip -> back (ClipDetour)
///     status card: away <-> shown, until `statusStay` has passed
///     message: none <-> said, until `messageStay` has passed
///
/// A value without a clock: each event comes with its time, and `deadline` says when `.timePassed` is due.
public struct InteractionMachine: Sendable {
  /// What is told. Each is past.
  public enum Event: Hashable, Sendable {
    /// A device has told something, at that time, which is a little before now.
    case heard(InputEvent, at: Instant)
    /// Nothing that fingers have begun counts any more: the screen has gone, or touches mean something else from now on.
    case inputLetGo
    case timePassed
    case settingsReplaced(InteractionSettings)
    /// What sound is to be, by the configuration: what visitors have changed is over.
    case soundReplaced(SoundSettings)
    /// Something was asked for by a command, whichever door it came through.
    case commanded(Command)
    /// A command of ours could not be carried out.
    case refused(Command, KioskRefusal)
    /// A clip is in the queue now: its entry, and where playback was.
    case clipInserted(ItemID, from: ClipDetour.Place)
    /// Playback has settled after these. What is shown may be another item.
    case playbackSettled([PlaybackNotice])
    /// Nothing follows any more.
    case queueEnded
  }

  /// What is to be done.
  public enum Effect: Hashable, Sendable {
    case perform(Command)
    /// Playback is held back, whatever is wanted, until `letGo`. The two come in turns.
    case hold
    case letGo
    /// The drag has come there.
    case scrub(to: Duration, SeekTolerance)
    /// From its first item, or from the one of that number.
    case startVisitorsList(number: Int? = nil)
    case returnToLoop
    case followDetour(ClipDetour.Action)
    case setSound(volume: Double, isMuted: Bool)
    /// What the card shows of this machine is to be asked anew.
    case statusCardOpened
    case hidePointer
    case tellGesture(String)
  }

  /// What is known around it when something is told.
  public struct Scene: Sendable {
    /// Of the item on the screen; nil when nothing is.
    public var media: ScrubMedia?
    /// Whether playback is wanted.
    public var isPlaying: Bool
    /// Whether there is sound to be turned up and down.
    public var isSoundEnabled: Bool
    /// As people look at it; nil without a screen.
    public var screen: PixelSize?

    public init(
      media: ScrubMedia? = nil, isPlaying: Bool = false, isSoundEnabled: Bool = true, screen: PixelSize? = nil
    ) {
      self.media = media
      self.isPlaying = isPlaying
      self.isSoundEnabled = isSoundEnabled
      self.screen = screen
    }
  }

  /// How long a word about what cannot be stays: the time to read it twice.
  public static let messageStay = Duration.seconds(3)
  /// How long the status card stays if nobody takes it away: the time to read it aloud on the telephone.
  public static let statusStay: Duration = .seconds(30)

  public private(set) var settings: InteractionSettings
  public internal(set) var presenter: OverlayPresenter
  /// Whether a drag's seeks wait until the bar has been drawn at the finger's place: see `Rest.scrub`.
  public var drawsBeforeSeeking = true
  var recognizer: GestureRecognizer
  var scrub: ScrubMachine
  var lock: InputLock
  var attract: AttractMachine
  public internal(set) var volume: VolumeControl
  var detour = ClipDetour()
  /// Until when the status card shows.
  var statusUntil: Instant?
  var message: (text: String, until: Instant)?
  /// When the mouse moved last; nil while its arrow doesn't show.
  var pointerMovedAt: Instant?
  /// What the batch of events that is being told leaves to be done when it is over.
  var rest = Rest()
  /// What the overlay shows of the item, kept while the next one is being opened.
  var shown = ShownItem()
  var bar = MeasuredBar()
  /// What was to be seen above the picture when that was asked last.
  public internal(set) var model = OverlayModel.nothing
  var effects: [Effect] = []

  /// What is done once for a whole batch of events, with its newest value.
  public struct Rest: Hashable, Sendable {
    /// Where the mouse has moved to: its arrow shows there.
    public var pointer: ScreenPoint?
    /// Where a drag leads: sought when the bar has been drawn there.
    public var scrub: Effect?
  }

  /// - Parameter screen: until `settingsReplaced` or a touch says another.
  public init(_ settings: InteractionSettings, mode: OverlayMode, screen: PixelSize, sound: SoundSettings) {
    self.settings = settings
    presenter = OverlayPresenter(mode: mode)
    presenter.barStay = settings.barStay
    recognizer = GestureRecognizer(settings: settings.recognition, screen: screen)
    scrub = ScrubMachine(settings: settings.scrubbing)
    lock = InputLock(mode: settings.actions.lock)
    attract = AttractMachine(settings: settings.attract)
    volume = VolumeControl(volume: sound.volume, isMuted: sound.isMuted)
  }

  // MARK: What is asked of it

  /// The card is on the screen, or was asked for.
  public var isStatusShown: Bool { statusUntil != nil }
  /// Whether a clip plays that is in no list: its entry.
  public var clip: ItemID? { detour.clip }
  /// Whether a visitor has a list of their own, whose end leads back to the loop.
  public var returnsToLoopAtEnd: Bool {
    var after = attract
    return !after.playbackStopped().isEmpty
  }
  public var isLocked: Bool { lock.isLocked || lock.mode == .all }
  /// What the bar shows as the position while it is dragged, in times of the medium.
  public var scrubTarget: Duration? { scrub.target }

  /// When time alone changes something; nil while it doesn't.
  public var deadline: Instant? {
    [
      recognizer.deadline, attract.deadline, statusUntil, message?.until,
      pointerMovedAt.map { $0 + presenter.barStay },
    ].compactMap(\.self).min()
  }

  // MARK: Facts in, effects out

  public mutating func handle(_ event: Event, in scene: Scene, at now: Instant) -> [Effect] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    effects = []
    if let screen = scene.screen { recognizer.screen = screen }
    switch event {
    case .heard(let event, let time): hear(event, at: time, scene, now)
    case .inputLetGo: takeGestures(recognizer.cancel(at: now), scene, now)
    case .timePassed: takeTime(scene, now)
    case .settingsReplaced(let settings):
      // What fingers were about to do is let go, since it may mean something else now.
      takeGestures(recognizer.cancel(at: now), scene, now)
      replaceSettings(settings)
    case .soundReplaced(let sound):
      volume = VolumeControl(volume: sound.volume, isMuted: sound.isMuted)
      tellSound()
    case .commanded(let command): takeCommand(command, scene, now)
    case .refused(_, let refusal):
      // The others are seen by what doesn't happen.
      if [.noSound, .noSuchClip, .noSuchItem].contains(refusal) { say(refusal.text, now) }
    case .clipInserted(let clip, let place): followDetour(detour.start(clip, from: place))
    case .playbackSettled(let notices):
      if scrub.target != nil { takeScrub(scrub.mediaIs(scene.media), now) }
      takeNotices(notices, now)
    case .queueEnded: takeAttract(attract.playbackStopped(), now)
    }
    defer { effects = [] }
    return effects
  }

  /// What is left to be done when a batch of events is over. The arrow first, then the overlay, then what a drag seeks.
  public mutating func endBatch() -> Rest {
    defer { rest = Rest() }
    return rest
  }

  private mutating func replaceSettings(_ new: InteractionSettings) {
    settings = new
    presenter.barStay = new.barStay
    recognizer.settings = new.recognition
    scrub.settings = new.scrubbing
    lock.mode = new.actions.lock
    attract.settings = new.attract
  }

  private mutating func takeTime(_ scene: Scene, _ now: Instant) {
    if let due = recognizer.deadline, due <= now { takeGestures(recognizer.timePassed(at: now), scene, now) }
    if let due = attract.deadline, due <= now {
      takeAttract(
        attract.timePassed(
          at: now, isHeld: recognizer.isTouched, isPlaying: scene.isPlaying, isAtClip: detour.isAway), now)
    }
    if let statusUntil, statusUntil <= now { self.statusUntil = nil }
    if let message, message.until <= now { self.message = nil }
    if let moved = pointerMovedAt, moved + presenter.barStay <= now {
      pointerMovedAt = nil
      effects.append(.hidePointer)
    }
  }

  /// A few words at the top, for a while.
  mutating func say(_ text: String, _ now: Instant) { message = (text, now + Self.messageStay) }

  mutating func tellSound() { effects.append(.setSound(volume: volume.volume, isMuted: volume.isMuted)) }

  mutating func followDetour(_ actions: [ClipDetour.Action]) { effects += actions.map { .followDetour($0) } }

  // MARK: Commands

  private mutating func takeCommand(_ command: Command, _ scene: Scene, _ now: Instant) {
    switch command {
    case .showControls: presenter.touched(at: now)
    case .showStatus(let isWanted): showStatus(isWanted ?? !isStatusShown, now)
    case .changeVolume(let percent): changeVolume(scene, now) { $0.change(by: percent) }
    case .toggleMute: changeVolume(scene, now) { $0.toggleMute() }
    case .setVolume(let percent): changeVolume(scene, now) { $0.set(percent: percent) }
    case .setMuted(let isMuted): changeVolume(scene, now) { if $0.isMuted != isMuted { $0.toggleMute() } }
    case .hideOverlay:
      statusUntil = nil
      presenter.hideBar()
    case .showMessage(let text, let stay): message = text.isEmpty ? nil : (text, now + stay)
    // Those that playback, the screen or the kiosk carries out.
    default: break
    }
  }

  mutating func showStatus(_ isShown: Bool, _ now: Instant) {
    statusUntil = isShown ? now + Self.statusStay : nil
    if isShown { effects.append(.statusCardOpened) }
  }

  private mutating func changeVolume(_ scene: Scene, _ now: Instant, _ change: (inout VolumeControl) -> Void) {
    guard scene.isSoundEnabled else { return }
    change(&volume)
    tellSound()
    say(volume.text, now)
  }

  // MARK: Playback

  private mutating func takeNotices(_ notices: [PlaybackNotice], _ now: Instant) {
    for notice in notices {
      switch notice {
      case .itemStarted(let item, _, _, _): followDetour(detour.started(item))
      case .stoppedAtEnd(let item), .itemFailed(let item, _): followDetour(detour.ended(item))
      case .itemEnded where !detour.isAway: takeAttract(attract.itemEnded(), now)
      default: break
      }
    }
  }

  mutating func takeAttract(_ actions: [AttractAction], _ now: Instant) {
    for action in actions {
      switch action {
      case .startInteractiveList(let number): effects.append(.startVisitorsList(number: number))
      case .endClip: if let clip = detour.clip { followDetour(detour.ended(clip)) }
      case .returnToLoop:
        presenter.hideBar()
        effects.append(.returnToLoop)
      }
    }
  }
}

extension InteractionSettings {
  /// A tap needn't wait for a second one that would do nothing.
  public var recognition: GestureSettings {
    var gestures = gestures
    gestures.hasDoubleTap = actions.hasDoubleTap
    return gestures
  }
}
