/// The state of playback at one moment, as it is shown. It is derived here only, for players, kiosks, counters and
/// overlays. decision 0123.
public struct Presentation: Hashable, Sendable {
  /// The state of playback: going on, held back, or not wanted.
  public enum Activity: Hashable, Sendable {
    /// Playback isn't wanted, or has come to an end.
    case paused
    /// Playback is wanted and held back.
    case waiting(WaitingReason)
    case playing
  }

  public let activity: Activity
  /// Rate of items while they play; negative is backwards.
  public let rate: Double
  /// Whether play has no effect before a seek, an edit or another item.
  public let isAtEnd: Bool
  /// The item that commands apply to; nil without one.
  public let current: Item?
  /// The previous item, while its last frame is on the screen and the current one, which follows it automatically, has
  /// shown none.
  public let predecessor: Item?

  /// The item whose frame is on the screen, or will be first.
  public var onScreen: Item? { predecessor ?? current }

  public var waitingReason: WaitingReason? { if case .waiting(let reason) = activity { reason } else { nil } }

  /// One item on its way to the screen, on it, or about to leave it.
  public struct Item: Hashable, Sendable {
    let known: PlaybackDeck
    /// Target of the newest seek that isn't done; nil without one.
    public let seekTarget: Duration?
    /// The position of the item, apart from a seek, and its movement from there. Frames tell the position by the newest
    /// of them, and the clock is trusted a little beyond that. A picture has its own clock, and an item with sound only
    /// is where it was heard.
    public let playhead: Playhead
    /// The position by `playhead` now.
    public let place: Duration
    /// Share of the awaited data that has come, while the item waits for a network; nil otherwise.
    public let bufferingPercent: Int?

    public var deck: DeckID { known.id }
    public var item: ItemID { known.item }
    public var media: MediaItem { known.media }
    /// The position to show: the target of a seek while there is one, else the item's own.
    public var position: Duration { seekTarget ?? place }
    /// As `position`; nil while unknown, because the item is still being prepared and no seek is wanted.
    public var knownPosition: Duration? { seekTarget ?? (isPreparing ? nil : place) }
    /// Whether the item has no first frame yet.
    public var isPreparing: Bool { known.isPreparing }
    public var hasShownFrames: Bool { known.hasShownFrames }
    /// Whether the item has shown a frame, or has none to show.
    public var isPresented: Bool { !isPreparing && (known.hasShownFrames || !known.readiness.hasVideo) }
    /// Nil while unknown, and for live sources.
    public var duration: Duration? { isPreparing || isLive ? nil : known.readiness.duration }
    /// The part of the medium that is played; nil while its end is unknown.
    public var playedRange: Range<Duration>? { known.playedRange }
    /// How long the item still plays at its own speed; nil while its end is unknown.
    public var remaining: Duration? { playedRange.map { $0.upperBound - position } }
    /// Duration of a frame; nil while unknown or varying.
    public var frameInterval: Duration? { known.readiness.frameInterval }
    public var isLive: Bool { known.readiness.isLive }
    /// Whether the source has no end, such as a radio station.
    public var isEndless: Bool { known.readiness.isEndless == true }
    /// Starts of the chapters, in times of the medium.
    public var chapters: [Duration] { known.readiness.chapters ?? [] }
    public var hasSound: Bool { known.readiness.hasSound }
    /// Whether the item has no picture of its own. Known once it is ready.
    public var isSoundOnly: Bool { known.isSoundOnly }
    /// Whether a card is shown in place of a picture.
    public var hasCard: Bool { known.readiness.hasCard == true }
    /// Whether the source reports that it can seek. Before the item is ready that is a guess.
    public var isSeekable: Bool { known.readiness.isSeekable }
    /// Whether a seek is possible now.
    public var canSeek: Bool { known.canSeek }
    /// Whether a step by frames is possible during a pause.
    public var canStep: Bool { known.canSeek && frameInterval != nil }
    public var canPlayReverse: Bool { !isPreparing && known.readiness.canPlayReverse }
    /// Rate against the clock; negative is backwards.
    public var rate: Double { known.rate }
    public var sourceKind: SourceKind { known.sourceKind }
    /// Whether frames tell the position, rather than a clock of the item's own.
    public var isToldByFrames: Bool { !known.isPicture && !known.isSoundOnly }
  }
}

/// Target of an exact seek, while playback stays there. The frame that covers the target begins a little earlier, but
/// the position reported is the target that was asked for.
public struct Landing: Hashable, Sendable {
  /// Greatest distance of the target from the start of its frame: frames half a second apart are as good as none.
  public static let reach: Duration = .milliseconds(500)

  let target: Duration
  /// Start of the frame that covers the target.
  let first: Duration

  /// - Returns: nil where the seek has led elsewhere.
  init?(target: Duration, _ mode: SeekMode, first: Duration) {
    guard mode == .exact, first <= target, target - first <= Self.reach else { return nil }
    self.target = target
    self.first = first
  }

  /// The landing of an item that has been played up to its end, which is its position then.
  init(end: Duration, lastFrame: Duration) {
    target = end
    first = lastFrame
  }

  /// Whether a frame shows that playback has gone on.
  func isLeft(at position: Duration) -> Bool { position > max(target, first) || position < min(target, first) }
}

extension PlaybackDeck {
  /// The deck's position in its item: where an exact seek has led, else by its frames or its sound.
  var place: Duration { motion.landing?.target ?? motion.position }

  /// Notes the position of a frame that was shown, or of sound that was heard.
  mutating func updatePosition(_ position: Duration) {
    motion.position = position
    if motion.landing?.isLeft(at: position) == true { motion.landing = nil }
  }
}

extension PlaybackMachine {
  /// The present state of playback.
  public func presentation(at now: Instant) -> Presentation {
    Presentation(
      activity: activity, rate: rate, isAtEnd: isAtEnd,
      current: current.map { presented($0, seekTarget: seekTarget, at: now) },
      predecessor: behind.predecessor.map { presented($0, seekTarget: nil, at: now) })
  }

  private func presented(_ deck: PlaybackDeck, seekTarget: Duration?, at now: Instant) -> Presentation.Item {
    let own = ownPlayhead(of: deck, at: now)
    // A lazy expression would copy the machine into its closure.
    let isRunning = current?.base != nil
    return Presentation.Item(
      known: deck, seekTarget: seekTarget,
      playhead: own ?? deck.framePlayhead(isRunning: isRunning, at: now),
      place: own?.position(at: now) ?? deck.place, bufferingPercent: bufferingPercent(of: deck))
  }

  private var activity: Presentation.Activity {
    guard intent.wantsToPlay, !isAtEnd else { return .paused }
    if let waitingReason { return .waiting(waitingReason) }
    return current?.base != nil ? .playing : .waiting(.preparing)
  }

  private func bufferingPercent(of deck: PlaybackDeck) -> Int? {
    // Called with each frame: the cheap conditions come first.
    guard let waitingReason, deck.id == current?.id, [.buffering, .preparing, .reconnecting].contains(waitingReason),
      deck.media.isRemote
    else { return nil }
    return deck.isPreparing ? 0 : deck.buffering.percent
  }

  /// Follows the previous item up to its end.
  mutating func updatePredecessor(at position: Duration, _ epoch: FrameEpoch) {
    guard epoch == behind.predecessor?.epoch else { return }
    behind.predecessor?.shown.lastAt = now
    behind.predecessor?.updatePosition(position)
  }

  /// Keeps the previous item's deck for as long as its frame is on the screen.
  mutating func keepPredecessor() {
    guard behind.predecessor != nil else { return }
    guard let deck = current, deck.standing.startsAutomatically, deck.standing.isAnnounced, !deck.hasShownFrames,
      deck.readiness.hasVideo || deck.readiness.hasCard == true
    else { return behind.predecessor = nil }
  }
}
