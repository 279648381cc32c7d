public import InteractionCore
public import PlaybackCore

/// What is known of playback and of the board when the overlay is looked at.
public struct OverlayScene: Sendable {
  public var playback: PlaybackMachine
  /// What the current item says of itself.
  public var metadata = MediaMetadata()
  /// What has been loaded of it.
  public var ranges: MediaRanges?
  /// Those of the frame on the screen.
  public var subtitles: [SubtitleCue] = []
  public var card: ErrorCard?
  /// A line for whoever stands before the screen, of the board and not of a visitor's doing.
  public var message: String?
  /// Where it is asked for.
  public var status: StatusCard?
  /// Those that the look has.
  public var buttons: [OverlayButton] = []
  public var isSoundEnabled = true
  public var dip: SeamDip?
  /// 0xRRGGBB: what a dip goes through.
  public var background: UInt32 = 0

  public init(playback: PlaybackMachine) { self.playback = playback }
}

extension InteractionMachine {
  /// Of the item on the screen. While the next one is opened, what was there before still is.
  struct ShownItem: Hashable {
    var hasSound = true
    /// Whether a card stands in the place of a picture.
    var isCard = false
  }

  /// The bar as it was looked at last, whether it shows or not, and where fingers meet it.
  struct MeasuredBar: Hashable {
    var newest: TransportBar?
    /// What `targets` are those of, without what moves nothing.
    var measured: TransportBar?
    var screen: PixelSize?
    var targets = OverlayTargets.none
  }

  /// What is to be seen above the picture now, and when that changes by itself. Cheap when nothing has changed.
  public mutating func overlay(_ scene: OverlayScene, at now: Instant) -> OverlayPresenter.Presentation {
    let facts = facts(scene, at: now)
    bar.newest = facts.bar
    let presentation = presenter.present(facts, at: now)
    model = presentation.model
    return presentation
  }

  /// The picture of the last overlay took so long to draw.
  public mutating func overlayDrawn(in time: Duration) { presenter.drew(in: time) }

  public mutating func setOverlayMode(_ mode: OverlayMode) { presenter.mode = mode }

  /// The bar whose parts have to be measured before the next touch is told; nil where that is known, or nobody listens.
  /// Measuring needs fonts, which take a while to load, and screens without visitors need none.
  public func barToMeasure(on screen: PixelSize) -> TransportBar? {
    guard lock.hearsTouch, var wanted = bar.newest else { return nil }
    wanted.position = wanted.position.map { _ in .zero }
    wanted.bufferedUntil = nil
    return bar.measured != wanted || bar.screen != screen ? wanted : nil
  }

  /// Where fingers meet `measured`, which `barToMeasure` gave for that screen.
  public mutating func barMeasured(_ measured: TransportBar, on screen: PixelSize, _ targets: OverlayTargets) {
    bar.measured = measured
    bar.screen = screen
    bar.targets = targets
  }

  /// The bar is drawn in another way from now on.
  public mutating func forgetMeasuredBar() { bar.measured = nil }

  mutating func facts(_ scene: OverlayScene, at now: Instant) -> OverlayFacts {
    let machine = scene.playback
    var bar = TransportBar(title: "", isPlaying: machine.wantsToPlay)
    var buffering: Int?
    if let deck = machine.current {
      describe(deck, scene, &bar, now)
      if deck.media.isRemote, [.buffering, .preparing, .reconnecting].contains(machine.waitingReason) {
        buffering = deck.isPreparing ? 0 : deck.buffering.percent
      }
    }
    var facts = OverlayFacts(
      bar: bar, bufferingPercent: buffering, message: message?.text ?? scene.message, card: scene.card,
      subtitles: scene.subtitles, status: isStatusShown ? scene.status : nil)
    facts.keepsBar = shown.isCard && machine.current != nil
    facts.isOffline = machine.waitingReason == .reconnecting
    if let dip = scene.dip {
      let veil = dip.veil(over: machine, at: now)
      facts.veil = OverlayVeil(opacity: veil.opacity, colour: scene.background)
      facts.veilChangesAt = veil.changesAt
    }
    return facts
  }

  private mutating func describe(
    _ deck: PlaybackDeck, _ scene: OverlayScene, _ bar: inout TransportBar, _ now: Instant
  ) {
    let (machine, item) = (scene.playback, deck.media)
    bar.title = item.title
    // Until something of what follows is on the screen, what was there before is.
    if !deck.isPreparing, deck.hasShownFrames { shown.isCard = deck.readiness.hasCard == true }
    if shown.isCard {
      bar.title = SoundCard(item, scene.metadata, isStation: deck.readiness.isEndless == true).title
      bar.hidesTitle = true
    }
    // The finger's place, or where a seek leads, until frames come from there.
    let position = scrub.target ?? machine.seekTarget ?? machine.position(of: deck, at: now)
    bar.position = position.map { max(.zero, $0 - item.start) }
    bar.isDragged = scrub.target != nil
    // A picture moves on by itself, though one can't go to another place in it.
    bar.isSeekable = deck.isPreparing || deck.readiness.isSeekable || item.kind == .picture
    bar.duration = deck.playedRange.map { $0.upperBound - $0.lowerBound }
    bar.isLive = deck.readiness.isLive
    // What follows may be silent; until that is known the bar stays as it is.
    if !deck.isPreparing { shown.hasSound = deck.readiness.hasSound }
    bar.buttons = scene.buttons.filter { isUseful($0, scene) }
    bar.isMuted = volume.isMuted
    bar.chapters = deck.readiness.chapters?.map { $0 - item.start } ?? []
    if item.isRemote, let position = bar.position {
      bar.bufferedUntil = scene.ranges?.loaded.range(containing: position)?.upperBound
    }
  }

  /// Whether a button would do anything now.
  private func isUseful(_ button: OverlayButton, _ scene: OverlayScene) -> Bool {
    switch button {
    case .playPause: true
    case .previous, .next: scene.playback.queue.count > 1
    case .mute: scene.isSoundEnabled && shown.hasSound
    }
  }
}

extension InteractionMachine {
  /// What holds between two events. Debug builds check it after each.
  package var invariants: Invariants {
    var all = Invariants()
    // Playback would be held with nobody left to let it go.
    all.check("A drag is a finger's", scrub.target == nil || recognizer.isTouched)
    all.check("What waits to be sought is a drag's", rest.scrub == nil || scrub.target != nil)
    all.check("A way back leads from a clip", detour.isAway == (detour.clip != nil))
    return all
  }
}

extension ScrubMedia {
  /// What fingers can move of what plays; nil while nothing does.
  public init?(_ machine: PlaybackMachine) {
    guard let deck = machine.current else { return nil }
    self.init(
      item: deck.item, range: deck.playedRange, position: machine.shownPosition,
      frameInterval: deck.readiness.frameInterval, isRemote: deck.media.isRemote, isSeekable: deck.canSeek)
  }
}
