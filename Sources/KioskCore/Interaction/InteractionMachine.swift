public import InteractionCore
public import PlaybackCore

/// Decides on visitors' input and the screen's answers: lock, gestures, keys, drags, the visitors' list, inserted
/// clips, volume, the status card, messages, and the overlay that shows them.
///
/// The rules for each touch and key, in their order: the configuration's lock; a lock that somebody has turned on; the
/// first touch, which starts the visitors' list (a key with an action of its own does that instead: `Binding.aim`); the
/// status card, which any touch takes away; the action bound to the gesture or key.
///
/// The parts and their states: `AttractMachine` (the loop, a visitor, the loop again), `ScrubMachine` (idle, or held by
/// one finger's drag), `ClipDetour` (in the list, at a clip, back), the status card (shown for `statusStay`), a message
/// (shown for `messageStay`).
///
/// A value without a clock: each event comes with its time, and `deadline` says when `.timePassed` is due.
public struct InteractionMachine: Sendable {
  /// The machine's events, all in the past tense.
  public enum Event: Hashable, Sendable {
    /// A device has sent an event, at that time, which is a little before now.
    case heard(InputEvent, at: Instant)
    /// Gestures that have begun are void: the screen has gone, or touches mean something else from now on.
    case inputLetGo
    case timePassed
    case settingsReplaced(InteractionSettings)
    /// The configuration has new sound settings, which replace visitors' changes.
    case soundReplaced(SoundSettings)
    /// A command has come, by touch, key, socket, HTTP or MQTT.
    case commanded(Command)
    /// A command that the machine gave could not be carried out.
    case refused(Command, KioskRefusal)
    /// A clip is in the queue now: its entry, where playback was, where the clip begins, and whether its last picture
    /// stays.
    case clipInserted(ItemID, from: ClipDetour.Place, at: Duration = .zero, isHeld: Bool = false)
    /// Playback has settled after these notices; another item may be on the screen.
    case playbackSettled([PlaybackNotice])
    /// An item has begun, with its own step after its end. Comes after `playbackSettled`, which ends the hold of the
    /// item before.
    case itemStarted(ItemID, atEnd: MediaItem.AtEnd?)
    /// The list has ended.
    case queueEnded
  }

  public typealias Action = InteractionAction
  public typealias Rest = InteractionRest
  public typealias Scene = InteractionScene

  /// How long the status card stays without a touch: the time to read it aloud on the telephone.
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
  /// The visitor's choices of sound and captions, until the visit ends, and their panel.
  var choices = ChoicePart()
  /// The buttons on GPIO lines.
  var lineButtons = LineButtons()
  var passing = PassingParts()
  /// The tiles from which visitors choose a film.
  public internal(set) var tiles = TileBoard()
  /// The work that the current batch of events leaves for its end.
  var rest = Rest()
  /// The facts of the shown item for the overlay, kept while the next item is being opened.
  var shown = ShownItem()
  var bar = MeasuredBar()
  /// The newest overlay.
  public internal(set) var model = OverlayModel.nothing
  var actions: [Action] = []

  /// - Parameter screen: the screen's size until an event comes with another one.
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

  // MARK: State for its owner

  /// Whether the status card is shown, or was asked for.
  public var isStatusShown: Bool { passing.statusUntil != nil }
  /// The queue entry of an inserted clip, while it plays; nil without one.
  public var clip: ItemID? { detour.clip }
  /// Whether the visitors' list plays, or its tiles are shown, in place of the loop alone.
  public var isVisited: Bool { attract.isVisited }
  /// Whether the end of the list leads back to the loop.
  public var returnsToLoopAtEnd: Bool { attract.returnsToLoopAtEnd }
  public var isLocked: Bool { lock.isLocked || lock.mode == .all }
  /// The bar's position during a drag, in times of the medium.
  public var scrubTarget: Duration? { scrub.target }

  /// When `.timePassed` is due; nil while only events change something.
  public var deadline: Instant? {
    [
      recognizer.deadline, lineButtons.deadline, attract.deadline, choices.panel.deadline,
      passing.deadline(pointerStay: presenter.barStay),
    ].compactMap(\.self).min()
  }

  // MARK: Facts in, actions out

  public mutating func handle(_ event: Event, in scene: Scene, at now: Instant) -> [Action] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    actions = []
    if let screen = scene.screen { recognizer.screen = screen }
    switch event {
    case .heard(let event, let time): handleInput(event, at: time, scene, now)
    case .inputLetGo: applyGestures(recognizer.cancel(at: now), scene, now)
    case .timePassed: handleDeadlines(scene, now)
    case .settingsReplaced(let settings):
      // Gestures that have begun are void: they may mean something else by the new settings.
      applyGestures(recognizer.cancel(at: now), scene, now)
      replaceSettings(settings)
    case .soundReplaced(let sound):
      volume = VolumeControl(volume: sound.volume, isMuted: sound.isMuted)
      emitSoundSettings()
    case .commanded(let command): performCommand(command, scene, now)
    case .refused(_, let refusal):
      if let text = refusal.visitorText { say(text, now) }
    case .clipInserted(let clip, let place, let start, let isHeld):
      followDetour(detour.start(clip, from: place, at: start, isHeld: isHeld))
    case .playbackSettled(let notices):
      if scrub.target != nil { applyScrub(scrub.mediaIs(scene.media), now) }
      handleNotices(notices, now)
    case .itemStarted(let item, let atEnd): handleItemStart(item, atEnd)
    // Behind the tiles it was the loop's end.
    case .queueEnded: if !tiles.isShown { applyAttract(attract.listEnded(), now) }
    }
    defer { actions = [] }
    return actions
  }

  /// The work at the end of a batch of events: first the pointer, then the overlay, then the seek of a drag.
  public mutating func endBatch() -> Rest {
    defer { rest = Rest() }
    return rest
  }

  private mutating func replaceSettings(_ new: InteractionSettings) {
    settings = new
    if !new.attract.hasTiles { tiles.hide() }
    presenter.barStay = new.barStay
    recognizer.settings = recognition
    scrub.settings = new.scrubbing
    lock.mode = new.actions.lock
    attract.settings = new.attract
  }

  private mutating func handleDeadlines(_ scene: Scene, _ now: Instant) {
    if let due = recognizer.deadline, due <= now { applyGestures(recognizer.timePassed(at: now), scene, now) }
    if let due = lineButtons.deadline, due <= now {
      for binding in lineButtons.timePassed(at: now, settings.actions.lines) { press(binding, scene, now) }
    }
    if let due = attract.deadline, due <= now {
      applyAttract(
        attract.timePassed(
          at: now, isHeld: recognizer.isTouched || lineButtons.isPressed,
          isPlaying: scene.isPlaying && !tiles.isShown, isAtClip: detour.isAway), now)
    }
    if choices.panel.timePassed(at: now, isHeld: recognizer.isTouched) { recognizer.settings = recognition }
    if passing.timePassed(at: now, pointerStay: presenter.barStay) { emit(.hidePointer) }
  }

  /// A few words at the top, for a while.
  mutating func say(_ text: VisitorText, _ now: Instant) { passing.say(text, at: now) }

  mutating func emitSoundSettings() { emit(.setSound(volume: volume.volume, isMuted: volume.isMuted)) }

  mutating func emit(_ action: Action) { actions.append(action) }

  mutating func followDetour(_ steps: [ClipDetour.Action]) { actions += steps.map { .followDetour($0) } }

  // MARK: Commands

  private mutating func performCommand(_ command: Command, _ scene: Scene, _ now: Instant) {
    switch command {
    case .showControls: presenter.touched(at: now)
    case .showStatus(let isWanted): showStatus(isWanted ?? !isStatusShown, now)
    case .changeVolume(let percent): changeVolume(scene, now) { $0.change(by: percent) }
    case .toggleMute: changeVolume(scene, now) { $0.toggleMute() }
    case .setVolume(let percent): changeVolume(scene, now) { $0.set(percent: percent) }
    case .setMuted(let isMuted): changeVolume(scene, now) { if $0.isMuted != isMuted { $0.toggleMute() } }
    case .showTiles: if refusal(of: command) == nil { callTiles(now) }
    case .showChoices: toggleChoices(scene, now)
    case .hideOverlay:
      passing.statusUntil = nil
      presenter.hideBar()
    case .showMessage(let text, let stay): passing.say(text.isEmpty ? nil : .name(text), for: stay, at: now)
    case .hold: followDetour(detour.hold())
    case .release: release(now)
    default:
      // Playback, the screen or the kiosk carries out the others.
      guard let text = choices.change(by: command, of: scene.tracks) else { break }
      actions.append(.setTracks(choices.made.tracks))
      say(text, now)
    }
  }

  /// Why the overlay can't carry out a command; nil where it can, and for other commands.
  public func refusal(of command: Command) -> KioskRefusal? {
    if case .showTiles = command, !settings.attract.hasTiles { .noTiles } else { nil }
  }

  /// Ends a hold, or else a clip. The film of a tile leads back to the tiles.
  mutating func release(_ now: Instant) {
    let isTileHeld = settings.attract.hasTiles && attract.isVisited && detour.isHeldAtEnd && !detour.isAway
    if isTileHeld { applyAttract(attract.listEnded(), now) } else { followDetour(detour.release()) }
  }

  mutating func showStatus(_ isShown: Bool, _ now: Instant) {
    passing.statusUntil = isShown ? now + Self.statusStay : nil
    if isShown { emit(.statusCardOpened) }
  }

  private mutating func changeVolume(_ scene: Scene, _ now: Instant, _ change: (inout VolumeControl) -> Void) {
    guard scene.isSoundEnabled else { return }
    change(&volume)
    emitSoundSettings()
    say(volume.text, now)
  }

  // MARK: Playback

  private mutating func handleNotices(_ notices: [PlaybackNotice], _ now: Instant) {
    for notice in notices {
      switch notice {
      case .itemStarted(let item, _, _, _): followDetour(detour.started(item))
      case .stoppedAtEnd(let item):
        followDetour(detour.ended(item))
        if detour.isHeldAtEnd, !detour.isAway { applyAttract(attract.stoppedAtEnd(of: item), now) }
      case .itemFailed(let item, _):
        if settings.attract.hasTiles, attract.isVisited, !tiles.isShown, !detour.isAway {
          say(VisitorText(.noFilm), now)
          applyAttract(attract.listEnded(), now)
        }
        followDetour(detour.ended(item, hasFailed: true))
      case .itemEnded where !detour.isAway: applyAttract(attract.itemEnded(), now)
      default: break
      }
    }
  }

  private mutating func handleItemStart(_ item: ItemID, _ atEnd: MediaItem.AtEnd?) {
    let isChosen = settings.attract.hasTiles && !tiles.isShown
    let atEnd = atEnd ?? (isChosen ? .tiles : .next)
    if atEnd == .hold { followDetour(detour.hold(item)) }
    // A hold that somebody asked for comes first, and a clip goes back to where it was asked for.
    guard atEnd == .attract || atEnd == .tiles && isChosen, !detour.isHeld, !detour.isAway,
      attract.lastItemStarted(item, leadsToTiles: atEnd == .tiles)
    else { return }
    // Otherwise the next item's first picture could show before the loop.
    followDetour(detour.hold(item))
  }

  mutating func applyAttract(_ actions: [AttractAction], _ now: Instant) {
    // A hold is for the list that plays.
    if !actions.isEmpty { followDetour(detour.forgetHold()) }
    for action in actions {
      switch action {
      case .startInteractiveList(nil) where settings.attract.hasTiles: showTiles(isNewVisit: true)
      case .startInteractiveList(let number): emit(.startVisitorsList(number: number))
      case .showTiles: showTiles(isNewVisit: false)
      case .endClip: if let clip = detour.clip { followDetour(detour.ended(clip)) }
      case .returnToLoop:
        presenter.hideBar()
        if choices.forget() { self.actions.append(.setTracks(TrackWish())) }
        hideTiles()
        emit(.returnToLoop)
      }
    }
  }
}
