/// What is to be told of playback at one moment: the one derivation of it, for players, kiosks and whoever counts or draws.
/// docs/decisions/0123-one-presentation.md.
public struct Presentation: Hashable, Sendable {
  /// Whether playback goes on, and if not, whether it means to.
  public enum Activity: Hashable, Sendable {
    /// Playback isn't wanted, or has come to an end.
    case paused
    /// Playback is wanted and held back.
    case waiting(WaitingReason)
    case playing
  }

  public let activity: Activity
  /// How fast items run while they play; negative is backwards.
  public let rate: Double
  /// Asking for playback has no effect before a seek, an edit or another item.
  public let isAtEnd: Bool
  /// The item that commands are about; nil while there is none.
  public let current: Item?
  /// The item before, while its last frame is still on the screen and the current one, which follows it by itself, has shown none.
  public let predecessor: Item?

  /// The item whose frame is on the screen, or will be.
  public var onScreen: Item? { predecessor ?? current }

  public var waitingReason: WaitingReason? { if case .waiting(let reason) = activity { reason } else { nil } }

  /// One item on its way to the screen, on it, or about to leave it.
  public struct Item: Hashable, Sendable {
    let known: PlaybackDeck
    /// Where the newest seek that isn't through leads; nil without one.
    public let seekTarget: Duration?
    /// Where the item is, apart from a seek, and how it goes on from there. What has frames is told by the newest of them, and the
    /// clock is trusted a little beyond that; a picture has its own clock, and what has only sound is where it was heard.
    public let playhead: Playhead
    /// Where the item is by that.
    public let place: Duration
    /// How much of what it waits for is there, while it waits for a network; nil else.
    public let bufferingPercent: Int?

    public var deck: DeckID { known.id }
    public var item: ItemID { known.item }
    public var media: MediaItem { known.media }
    /// What is to be shown as the position: where a seek leads while there is one, else where the item is.
    public var position: Duration { seekTarget ?? place }
    /// The same; nil while nobody knows it, because the item is still being prepared and nobody seeks.
    public var knownPosition: Duration? { seekTarget ?? (isPreparing ? nil : place) }
    /// On the way to its first frame.
    public var isPreparing: Bool { known.isPreparing }
    public var hasShownFrames: Bool { known.hasShownFrames }
    /// Whether something of the item has been seen that it has to show, or it has nothing to show.
    public var isPresented: Bool { !isPreparing && (known.hasShownFrames || !known.readiness.hasVideo) }
    /// Nil while unknown, and for live sources.
    public var duration: Duration? { isPreparing || isLive ? nil : known.readiness.duration }
    /// What is played of the medium; nil while its end isn't known.
    public var playedRange: Range<Duration>? { known.playedRange }
    /// From one frame to the next; nil while unknown or varying.
    public var frameInterval: Duration? { known.readiness.frameInterval }
    public var isLive: Bool { known.readiness.isLive }
    /// Whether the source has no end, such as a radio station.
    public var isEndless: Bool { known.readiness.isEndless == true }
    /// Where chapters begin, in times of the medium.
    public var chapters: [Duration] { known.readiness.chapters ?? [] }
    public var hasSound: Bool { known.readiness.hasSound }
    /// There is nothing to see of the item itself. Known once it is ready.
    public var isSoundOnly: Bool { known.isSoundOnly }
    /// A card is shown in place of a picture.
    public var hasCard: Bool { known.readiness.hasCard == true }
    /// Whether its source says that one can go to another place. Before it is ready that is a guess.
    public var isSeekable: Bool { known.readiness.isSeekable }
    /// Whether a seek can be done now.
    public var canSeek: Bool { known.canSeek }
    /// Whether a step by frames has somewhere to go, in a pause.
    public var canStep: Bool { known.canSeek && frameInterval != nil }
    public var canPlayReverse: Bool { !isPreparing && known.readiness.canPlayReverse }
    /// How fast it runs against the clock; negative is backwards.
    public var rate: Double { known.rate }
    public var sourceKind: SourceKind { known.sourceKind }
    /// Whether frames say where it is, and not a clock of its own.
    public var isToldByFrames: Bool { !known.isPicture && !known.isSoundOnly }
  }
}

/// Where an exact seek has led, for as long as playback stays there: the frame that covers the target begins a little earlier, and
/// whoever has asked for the target is to be told the target.
public struct Landing: Hashable, Sendable {
  /// How far from the target its frame may begin: frames half a second apart are as good as none.
  public static let reach: Duration = .milliseconds(500)

  let target: Duration
  /// Where that frame begins.
  let first: Duration

  /// - Returns: nil where the seek has led somewhere else.
  init?(target: Duration, _ mode: SeekMode, first: Duration) {
    guard mode == .exact, first <= target, target - first <= Self.reach else { return nil }
    self.target = target
    self.first = first
  }

  /// An item has been played up to its end, which is where it is then.
  init(end: Duration, lastFrame: Duration) {
    target = end
    first = lastFrame
  }

  /// Whether a frame shows that playback has gone on.
  func isLeft(at position: Duration) -> Bool { position > max(target, first) || position < min(target, first) }
}

extension PlaybackDeck {
  /// Where it is in its item, as its frames or its sound say.
  var place: Duration { landing?.target ?? position }

  /// A frame of it was shown, or its sound heard.
  mutating func notePlace(_ position: Duration) {
    self.position = position
    if landing?.isLeft(at: position) == true { landing = nil }
  }
}

extension PlaybackMachine {
  /// What is to be told of playback now.
  public func presentation(at now: Instant) -> Presentation {
    Presentation(
      activity: activity, rate: rate, isAtEnd: isAtEnd,
      current: current.map { presented($0, seekTarget: seekTarget, at: now) },
      predecessor: predecessor.map { presented($0, seekTarget: nil, at: now) })
  }

  private func presented(_ deck: PlaybackDeck, seekTarget: Duration?, at now: Instant) -> Presentation.Item {
    let own = ownPlayhead(of: deck, at: now)
    return Presentation.Item(
      known: deck, seekTarget: seekTarget, playhead: own ?? framePlayhead(of: deck, at: now),
      place: own?.position(at: now) ?? deck.place, bufferingPercent: bufferingPercent(of: deck))
  }

  private var activity: Presentation.Activity {
    guard wantsToPlay, !isAtEnd else { return .paused }
    if let waitingReason { return .waiting(waitingReason) }
    return current?.base != nil ? .playing : .waiting(.preparing)
  }

  private func bufferingPercent(of deck: PlaybackDeck) -> Int? {
    // Asked with each frame: what it costs to know comes last.
    guard let waitingReason, deck.id == current?.id, [.buffering, .preparing, .reconnecting].contains(waitingReason),
      deck.media.isRemote
    else { return nil }
    return deck.isPreparing ? 0 : deck.buffering.percent
  }

  /// Where a deck is by its newest frame. It runs from then on, or from when it began to play after that.
  private func framePlayhead(of deck: PlaybackDeck, at now: Instant) -> Playhead {
    guard current?.base != nil, deck.base != nil, deck.hasShownFrames, let shownAt = deck.lastFrameAt else {
      return Playhead(position: deck.place, at: now, rate: 0)
    }
    return Playhead(position: deck.place, at: shownAt, rate: deck.rate, isValidFor: Self.frameTrust)
  }

  /// How long after a frame playback is taken to go on without another one: six frames of film. What stalls for longer is seen.
  private static let frameTrust: Duration = .milliseconds(250)

  /// The item before goes on to its end.
  mutating func notePredecessor(at position: Duration, _ epoch: FrameEpoch) {
    guard epoch == predecessor?.epoch else { return }
    predecessor?.lastFrameAt = now
    predecessor?.notePlace(position)
  }

  /// Keeps the deck of the item before for as long as its frame is what is seen.
  mutating func keepPredecessor() {
    guard predecessor != nil else { return }
    guard let deck = current, deck.startsAutomatically, deck.isAnnounced, !deck.hasShownFrames,
      deck.readiness.hasVideo || deck.readiness.hasCard == true
    else { return predecessor = nil }
  }
}
