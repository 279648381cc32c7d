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

  /// Whether what is above the picture changes with the frames below it. What else changes there is told, or has its time: a bar
  /// whose film plays moves by the clock, four times a second (`OverlayPresenter.Presentation.nextRefresh`).
  public var followsFrames: Bool {
    let movesByFrames = model.bar.map { !$0.isPlaying || $0.position == nil } ?? false
    return movesByFrames || scrub.target != nil || isStatusShown
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
    let presentation = scene.playback.presentation(at: now)
    var bar = TransportBar(title: "", isPlaying: scene.playback.wantsToPlay)
    if let item = presentation.current { describe(item, scene, &bar) }
    var facts = OverlayFacts(
      bar: bar, bufferingPercent: presentation.current?.bufferingPercent, message: message?.text ?? scene.message,
      card: scene.card,
      subtitles: scene.subtitles, status: isStatusShown ? scene.status : nil)
    facts.keepsBar = shown.isCard && presentation.current != nil
    facts.isOffline = presentation.waitingReason == .reconnecting
    if let dip = scene.dip {
      let veil = dip.veil(over: scene.playback, at: now)
      facts.veil = OverlayVeil(opacity: veil.opacity, colour: scene.background)
      facts.veilChangesAt = veil.changesAt
    }
    return facts
  }

  private mutating func describe(_ item: Presentation.Item, _ scene: OverlayScene, _ bar: inout TransportBar) {
    let media = item.media
    bar.title = media.title
    // Until something of what follows is on the screen, what was there before is.
    if !item.isPreparing, item.hasShownFrames { shown.isCard = item.hasCard }
    if shown.isCard {
      bar.title = SoundCard(media, scene.metadata, isStation: item.isEndless).title
      bar.hidesTitle = true
    }
    // The finger's place, or where a seek leads, until frames come from there.
    bar.position = (scrub.target ?? item.knownPosition).map { max(.zero, $0 - media.start) }
    bar.isDragged = scrub.target != nil
    // A picture moves on by itself, though one can't go to another place in it.
    bar.isSeekable = item.isPreparing || item.isSeekable || media.kind == .picture
    bar.duration = item.playedRange.map { $0.upperBound - $0.lowerBound }
    bar.isLive = item.isLive
    // What follows may be silent; until that is known the bar stays as it is.
    if !item.isPreparing { shown.hasSound = item.hasSound }
    bar.buttons = scene.buttons.filter { isUseful($0, scene) }
    bar.isMuted = volume.isMuted
    bar.chapters = item.chapters.map { $0 - media.start }
    if media.isRemote, let position = bar.position {
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
  /// What fingers can move of an item.
  public init(_ item: Presentation.Item) {
    self.init(
      item: item.item, range: item.playedRange, position: item.position, frameInterval: item.frameInterval,
      isRemote: item.media.isRemote, isSeekable: item.canSeek)
  }
}
