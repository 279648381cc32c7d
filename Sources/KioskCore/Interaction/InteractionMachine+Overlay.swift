public import InteractionCore
public import PlaybackCore

/// The facts of playback and of the board that the overlay shows.
public struct OverlayScene: Sendable {
  public var playback: PlaybackMachine
  /// The metadata of the current item.
  public var metadata = MediaMetadata()
  public var tracks: [MediaTrack] = []
  /// The loaded ranges of the current item.
  public var ranges: MediaRanges?
  /// The subtitles of the frame on the screen.
  public var subtitles: [SubtitleCue] = []
  public var card: ErrorCard?
  /// A line for whoever stands before the screen, of the board and not of a visitor's doing.
  public var message: VisitorText?
  /// Above all else; the newest first.
  public var alerts: [ShownAlert] = []
  /// The overlay mode that asks for it.
  public var status: StatusCard?
  /// The configured language, or the system's: that of titles, unless a visitor has chosen another.
  public var language: LanguageTag?
  /// The buttons of the configured look.
  public var buttons: [OverlayButton] = []
  public var isSoundEnabled = true
  /// The films that visitors choose from, while their tiles are shown.
  public var tiles: TileSheet?
  /// The places of the panel of choices, while it is shown.
  public var choices: ChoiceGrid?
  /// Of the configured look.
  public var hasHighContrast = false
  public var dip: SeamDip?
  /// 0xRRGGBB: the colour that a dip fades through.
  public var background: UInt32 = 0

  public init(playback: PlaybackMachine) { self.playback = playback }
}

extension InteractionMachine {
  /// The overlay now, and the time of its next change without an event. Cheap when nothing has changed.
  public mutating func overlay(_ scene: OverlayScene, at now: Instant) -> OverlayPresenter.Presentation {
    let facts = facts(scene, at: now)
    bar.newest = facts.bar
    let presentation = presenter.present(facts, at: now)
    model = presentation.model
    return presentation
  }

  /// Whether the overlay changes with each frame. Other changes come with an event or have their time: the bar of a
  /// playing film moves by the clock, four times a second (`OverlayPresenter.Presentation.nextRefresh`).
  public var followsFrames: Bool {
    let movesByFrames = model.bar.map { !$0.isPlaying || $0.position == nil } ?? false
    return movesByFrames || scrub.target != nil || isStatusShown
  }

  /// Notes how long it took to draw the last overlay.
  public mutating func overlayDrawn(in time: Duration) { presenter.drew(in: time) }

  public mutating func setOverlayMode(_ mode: OverlayMode) { presenter.mode = mode }

  /// The bar that has to be measured before the next touch is handled; nil where its targets are known, or touches are
  /// locked. Measuring needs fonts, which take a while to load, and screens without visitors need none.
  public func barToMeasure(on screen: PixelSize) -> TransportBar? { lock.hearsTouch ? bar.wanted(on: screen) : nil }

  /// Takes the touch targets of `measured`, which `barToMeasure` gave for that screen.
  public mutating func barMeasured(_ measured: TransportBar, on screen: PixelSize, _ targets: OverlayTargets) {
    bar = MeasuredBar(newest: bar.newest, measured: measured, screen: screen, targets: targets)
  }

  /// Drops the touch targets: the bar is drawn in another way from now on.
  public mutating func forgetMeasuredBar() { bar.measured = nil }

  mutating func facts(_ scene: OverlayScene, at now: Instant) -> OverlayFacts {
    let presentation = scene.playback.presentation(at: now)
    var bar = TransportBar(title: "", isPlaying: scene.playback.wantsToPlay)
    if let item = presentation.current {
      shown.describe(
        item, scene, language: choices.made.tracks.language, dragged: scrub.target, hasTiles: attract.mayChooseTiles,
        &bar)
      bar.isMuted = volume.isMuted
    }
    var message = passing.message?.text
    if message == nil { message = scene.message }
    var facts = OverlayFacts(
      bar: bar, bufferingPercent: presentation.current?.bufferingPercent, message: message, card: scene.card,
      subtitles: scene.subtitles, status: passing.statusUntil == nil ? nil : scene.status)
    facts.alerts = scene.alerts
    facts.countdown = attract.countdown(
      at: now, isHeld: recognizer.isTouched || lineButtons.isPressed, isPlaying: bar.isPlaying && !tiles.isShown,
      itemEndsIn: presentation.current?.remaining)
    if let sheet = scene.tiles, tiles.isShown {
      tiles.grid = sheet.grid
      tiles.timePassed(at: now)
      facts.tiles = tiles.wall(sheet, at: now)
      facts.movesByTime = tiles.isSettling
    }
    facts.captionLook = choices.made.captions
    if choices.panel.isShown {
      facts.choices = choices.wall(scene, shown, isCovered: tiles.isShown || isStatusShown, at: now)
      facts.movesByTime = choices.panel.isSettling
      if !choices.panel.isShown { recognizer.settings = recognition }
    }
    facts.keepsBar = shown.isCard && presentation.current != nil
    facts.isOffline = presentation.waitingReason == .reconnecting
    if let dip = scene.dip {
      let veil = dip.veil(over: scene.playback, at: now)
      facts.veil = OverlayVeil(opacity: veil.opacity, colour: scene.background)
      facts.veilChangesAt = veil.changesAt
    }
    return facts
  }
}

extension InteractionMachine {
  /// The conditions that hold between two events. Debug builds check them after each event.
  package var invariants: Invariants {
    var all = Invariants()
    // Otherwise playback would stay held: only the finger's release ends a drag.
    all.check("A drag is a finger's", scrub.target == nil || recognizer.isTouched)
    all.check("What waits to be sought is a drag's", rest.scrub == nil || scrub.target != nil)
    all.check("A way back leads from a clip", detour.isAway == (detour.clip != nil))
    return all
  }
}

extension ScrubMedia {
  /// The facts of an item that a drag needs.
  public init(_ item: Presentation.Item) {
    self.init(
      item: item.item, range: item.playedRange, position: item.position, frameInterval: item.frameInterval,
      isRemote: item.media.isRemote, isSeekable: item.canSeek)
  }
}
