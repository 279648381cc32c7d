/// A deck, as the machine sees it.
public struct PlaybackDeck: Hashable, Sendable {
  /// The deck's activity, with the values that are valid only during it.
  public enum Phase: Hashable, Sendable {
    /// On its way to the first frame, or waiting to begin. Valid transitions are to `ready`.
    case preparing(Preparation)
    /// Has the first frame of its start or of a seek's target. Valid transitions are to `playing` and `seeking`.
    case ready
    /// Running time zero is at `base`. `hasLostClock`: its pipeline has reported that, and the answer is due. Valid
    /// transitions are to `held`, and to `ready` where it hasn't begun and begins earlier.
    case playing(base: Instant, hasLostClock: Bool = false)
    /// Held at this running time; below the first frame's before that was due. Valid transitions are to `playing` and
    /// `seeking`.
    case held(at: Duration)
    /// Held, and flushed on its way to another position. Valid transitions are to `ready`.
    case seeking(Seeking)
  }

  public let id: DeckID
  public let item: ItemID
  public internal(set) var media: MediaItem
  public internal(set) var phase: Phase
  public internal(set) var readiness = DeckReadiness()
  /// The deck's position in its item and its movement from there.
  var motion: Motion
  /// The state of the deck's buffer; while that is dry the deck is held back, unless it is live.
  public internal(set) var buffering = Buffering.ready
  var gauge = Gauge()
  var ends = Ends()
  var shown = Shown()
  /// How the deck's item came to be shown.
  var standing = Standing()
  /// Number of the deck's last seek; zero before the first.
  var lastSeek: UInt32 = 0

  init(id: DeckID, entry: PlayQueue.Entry, from position: Duration, rate: Double, attempt: Int) {
    item = entry.id
    media = entry.item
    self.id = id
    phase = .preparing(Preparation(attempt: attempt))
    motion = Motion(position: position, origin: position, rate: rate)
    motion.rate = self.rate(wanted: rate)
  }

  /// Position in the item of the last frame shown, or of the last sound heard where there is only sound. Before that it
  /// is where the deck begins, and after a seek where that has led.
  public var position: Duration { motion.position }

  /// Rate of the item against the clock; negative is backwards.
  public var rate: Double { motion.rate }

  /// The deck's rate where another is wanted. A picture, and an item that turns out not to be seekable, has its own
  /// rate only: a change of rate is a seek, wherever the deck can't adopt it while it runs.
  func rate(wanted: Double) -> Double { isPicture || !readiness.isSeekable ? 1 : wanted }

  /// Why the deck's source has broken off; nil while it hasn't.
  var failure: VitrineError? {
    if case .brokenOff(let error) = buffering { return error }
    return nil
  }

  /// Whether the deck has come to its end and stays there.
  var hasEnded: Bool {
    if case .ahead = ends.reach { return false }
    return true
  }

  /// The deck's seek in progress; nil without one.
  var seeking: Seeking? {
    if case .seeking(let seeking) = phase { return seeking }
    return nil
  }

  var isSeeking: Bool {
    if case .seeking = phase { return true }
    return false
  }

  /// Epoch of the frames since the last seek.
  public var epoch: FrameEpoch { FrameEpoch(seek: lastSeek) }

  public var isPreparing: Bool {
    if case .preparing = phase { return true }
    return false
  }

  /// The part of the medium that is played; nil while its end is unknown.
  public var playedRange: Range<Duration>? { media.playedRange(duration: readiness.duration) }

  /// Whether the deck can seek. Known once it is ready.
  public var canSeek: Bool { !isPreparing && readiness.isSeekable && !readiness.isLive }

  /// Whether a frame of the deck has been on the screen.
  public var hasShownFrames: Bool { shown.frames > 0 }

  public var framesShown: Int { shown.frames }

  var isPicture: Bool { media.kind == .picture }

  /// Whether the item has no picture of its own. Known once the deck is ready.
  public var isSoundOnly: Bool { !isPreparing && !readiness.hasVideo && readiness.hasSound }

  /// Whether the viewer has seen something of the item itself, or heard it where it has sound only.
  var hasBegun: Bool { isSoundOnly ? shown.hasSounded : hasShownFrames }

  /// Whether the source has no end of its own.
  var isEndless: Bool { readiness.isEndless == true && readiness.duration == nil }

  /// Running time at which the stream ends that tells the position.
  var leadingEnd: Duration? { readiness.hasVideo ? ends.video : ends.sound }

  /// Time between two signs of progress; zero while unknown or varying.
  var progressInterval: Duration {
    isSoundOnly ? RenderedSound.interval : readiness.frameInterval ?? .zero
  }

  /// Longest wait for a frame where the item's end is unknown: a recorded presentation may show one frame for minutes,
  /// and a longer wait means that a timestamp has jumped.
  private static let longestWait: Duration = .seconds(600)
  /// Error allowed to a header's duration; a frame due later than that after the end has a timestamp that jumped.
  private static let endTrust: Duration = .seconds(10)

  /// When the waiting frame is due; `last` where none waits, or where its timestamp isn't credible. Otherwise an
  /// encoder whose clock is set, or a counter that wraps, would make the picture stand still for hours.
  func nextFrameDue(base: Instant, after last: Instant) -> Instant {
    guard let until = shown.waitsUntil else { return last }
    let due = max(last, base + until)
    if !readiness.isLive, rate != 0, let range = playedRange {
      let end = ((rate < 0 ? range.lowerBound : range.upperBound) - motion.origin) / rate
      return until > end + Self.endTrust ? last : due
    }
    // Media from a network come as they are made, or have an end.
    return media.isRemote || readiness.isLive ? last : min(due, last + Self.longestWait)
  }

  /// Until when the frame on the screen stays because the next has come and isn't due; nil while the deck doesn't play,
  /// or none waits.
  public var waitsUntil: Instant? {
    guard let base, shown.waitsUntil != nil, let last = shown.lastAt else { return nil }
    return nextFrameDue(base: base, after: last)
  }

  /// Adopts the position and abilities that the pipeline reported.
  mutating func applyReadiness(_ readiness: DeckReadiness) {
    self.readiness = readiness
    motion.rate = rate(wanted: rate)
    motion.origin = readiness.firstPosition - readiness.firstRunningTime * rate
    motion.position = readiness.firstPosition
    // Known from the start, so a picture ends in time even if its decoder hangs halfway.
    if isPicture, let duration = readiness.duration { ends.video = readiness.firstRunningTime + duration }
  }

  /// When running time zero is, while the deck plays; nil otherwise.
  public var base: Instant? {
    if case .playing(let base, _) = phase { return base }
    return nil
  }

  /// Running time of the deck's end, once it is certain.
  ///
  /// - Parameter soundTail: sound that outlasts the picture by no more than this is cut.
  func end(soundTail: Duration) -> Duration? {
    guard readiness.hasVideo else { return ends.sound }
    guard let videoEnd = ends.video else { return nil }
    guard readiness.hasSound else { return videoEnd }
    if let soundEnd = ends.sound { return soundEnd > videoEnd + soundTail ? soundEnd : videoEnd }
    // The sound hasn't ended yet; that matters only where the item goes on well past the picture.
    if rate < 0 { return videoEnd }
    if let last = playedRange?.upperBound, (last - motion.origin) / rate <= videoEnd + soundTail { return videoEnd }
    return nil
  }
}
