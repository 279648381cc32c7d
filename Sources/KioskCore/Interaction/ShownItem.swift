internal import InteractionCore
internal import PlaybackCore

/// The facts of the item on the screen. While the next one is being opened, the previous one stays there.
struct ShownItem: Hashable {
  var hasSound = true
  /// The item's tracks; the facts below follow from them, and are worked out when the tracks change: the overlay asks
  /// with each touch.
  var tracks: [MediaTrack] = [] {
    didSet {
      guard tracks != oldValue else { return }
      hasCaptions = tracks.contains(where: \.isCaption)
      showsCaptions = tracks.contains { $0.isCaption && $0.isEnabled }
      languages = TrackWish.languages(of: tracks).count
      hasDescription = TrackWish.hasDescription(tracks)
      hasSigned = tracks.contains(where: \.isSigned)
      isSigned = tracks.contains { $0.isSigned && $0.isEnabled }
      hearsDescription = tracks.contains { $0.kind == .audio && $0.isDescription && $0.isEnabled }
    }
  }
  private(set) var hasCaptions = false
  private(set) var showsCaptions = false
  /// The number of known languages of the sound.
  private(set) var languages = 0
  /// Whether there is sound that describes the picture beside the usual one.
  private(set) var hasDescription = false
  private(set) var hearsDescription = false
  /// Whether there is a version in sign language.
  private(set) var hasSigned = false
  private(set) var isSigned = false
  /// Whether a card is shown in place of a picture.
  var isCard = false

  /// Fills in what the bar tells of the item.
  ///
  /// - Parameters:
  ///   - language: the one that a visitor has chosen.
  ///   - dragged: the place that a finger has reached.
  ///   - hasTiles: whether a visitor may go back to tiles.
  mutating func describe(
    _ item: Presentation.Item, _ scene: OverlayScene, language: LanguageTag?, dragged: Duration?, hasTiles: Bool,
    _ bar: inout TransportBar
  ) {
    let media = item.media
    // In no closure, which would copy the scene, and this with each touch.
    var reader = language
    if reader == nil { reader = scene.language }
    bar.title = media.title(in: reader)
    // The previous item stays on the screen until the next one has shown a frame.
    if !item.isPreparing, item.hasShownFrames { isCard = item.hasCard }
    if isCard {
      var titled = media
      titled.title = bar.title
      bar.title = NowPlayingCard(titled, scene.metadata, isStation: item.isEndless).title
      bar.hidesTitle = true
    }
    // The place of the finger, or of a seek, until frames come from there.
    bar.position = (dragged ?? item.knownPosition).map { max(.zero, $0 - media.start) }
    bar.isDragged = dragged != nil
    // A picture shows its progress, though one can't seek in it.
    bar.isSeekable = item.isPreparing || item.isSeekable || media.kind == .picture
    bar.duration = item.playedRange.map { $0.upperBound - $0.lowerBound }
    bar.isLive = item.isLive
    // The next item may be silent; until that is known, the bar stays as it is.
    if !item.isPreparing {
      hasSound = item.hasSound
      tracks = scene.tracks
    }
    bar.hasCaptions = showsCaptions
    bar.hasDescription = hearsDescription
    bar.isSigned = isSigned
    bar.chapters = item.chapters.map { $0 - media.start }
    if media.isRemote, let position = bar.position {
      bar.bufferedUntil = scene.ranges?.loaded.range(containing: position)?.upperBound
    }
    bar.buttons = scene.buttons
    if !bar.buttons.isEmpty {
      bar.buttons = useful(
        bar.buttons, isSoundEnabled: scene.isSoundEnabled, hasOthers: scene.playback.queue.count > 1,
        hasTiles: hasTiles)
    }
  }

  /// The buttons that have an effect now.
  ///
  /// - Parameters:
  ///   - hasOthers: whether the list has other items.
  ///   - hasTiles: whether a visitor may go back to tiles.
  func useful(
    _ buttons: [OverlayButton], isSoundEnabled: Bool, hasOthers: Bool, hasTiles: Bool
  ) -> [OverlayButton] {
    buttons.filter { button in
      switch button {
      case .tiles: hasTiles
      case .playPause: true
      case .previous, .next: hasOthers
      case .captions: hasCaptions
      case .language: isSoundEnabled && languages > 1
      case .description: isSoundEnabled && hasDescription
      case .signed: hasSigned
      // Captions have a look to choose, too. Two languages are one press of the globe, and a description is one of
      // its own button.
      case .choices: hasCaptions || isSoundEnabled && max(1, languages) + (hasDescription ? 1 : 0) > 2
      case .mute: isSoundEnabled && hasSound
      }
    }
  }
}
