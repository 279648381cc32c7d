/// One deck as the machine knows it.
public struct PlaybackDeck: Hashable, Sendable {
  /// preparing -> ready (deckReady) -> playing <-> held. A finished seek takes held or ready to ready.
  public enum Phase: Hashable, Sendable {
    /// On the way to its first frame, or waiting to set out.
    case preparing(Preparation)
    case ready
    case playing(base: Instant)
    /// Held at this running time; below the first frame's before that was due.
    case held(at: Duration)
  }

  public let id: DeckID
  public let item: ItemID
  public internal(set) var media: MediaItem
  public internal(set) var phase: Phase
  public internal(set) var readiness = DeckReadiness()
  /// Position in the item of the last frame shown, or of what was heard last where there is only sound; before that, where it
  /// begins, and after a seek, where that has led.
  public internal(set) var position: Duration
  /// Where an exact seek has led, or the end, until playback has left it.
  var landing: Landing?
  /// What its buffer means for playback; while that is dry the deck is held back, unless it is live.
  public internal(set) var buffering = Buffering.flowing

  /// Media that a full buffer of it stands for: it was built with that, whatever the policy has become since.
  var bufferScale = BufferingPolicy().fullScale
  /// Position in the item of running time zero.
  var origin: Duration
  /// How fast the item runs against the clock; negative is backwards.
  public internal(set) var rate: Double
  /// The speed that it was told to take and hasn't yet.
  var comingRate: Double?
  var videoEnd: Duration?
  var soundEnd: Duration?
  public internal(set) var framesShown = 0
  /// It has played for long enough to count as good.
  var hasProvedGood = false
  /// It follows at a seam that nobody has asked for: the item before came to its end by itself, or couldn't be played there.
  var startsAutomatically = false
  /// It has come to its end and stays: what follows isn't there yet, or nothing does.
  var hasEnded = false
  /// Its start has been told.
  var isAnnounced = false
  /// Its source has broken off: what it has buffered plays on.
  var failure: VitrineError?
  /// Its file has the checksum that it is to have.
  var isChecked = false
  /// Sound of it has been heard, where it has nothing else.
  var hasSounded = false
  /// Up to which running time it was heard since it began or was last sought in.
  var heardUntil: Duration?
  /// When a frame of it was shown last, or its sound heard where it has nothing else; or when it began to play after that.
  var lastFrameAt: Instant?
  /// Running time of the last frame that has come and wasn't due for long: until then nothing else is to be seen.
  var frameWaitsUntil: Duration?
  /// When the level of its buffer was told last.
  var levelToldAt: Instant?
  /// Its end has been told, since it was last sought in.
  var isEndTold = false
  /// Its pipeline has told that its clock is lost, and that is to be answered.
  var hasLostClock = false
  /// It was told to show its first frame although it doesn't play, or the deck whose place it has taken was.
  var isPreviewed = false
  /// Of the frames since the last seek.
  public internal(set) var epoch = FrameEpoch.start

  init(id: DeckID, entry: PlayQueue.Entry, from position: Duration, rate: Double, attempt: Int) {
    item = entry.id
    media = entry.item
    self.rate = rate
    self.id = id
    self.position = position
    phase = .preparing(Preparation(attempt: attempt))
    origin = position
    self.rate = self.rate(wanted: rate)
  }

  /// How fast it plays where that is wanted. A picture, and what turns out not to be seekable, knows its own speed only: another one is
  /// a seek, wherever it can't be taken up as the deck runs.
  func rate(wanted: Double) -> Double { isPicture || !readiness.isSeekable ? 1 : wanted }

  public var isPreparing: Bool {
    if case .preparing = phase { return true }
    return false
  }

  /// What is played of the medium; nil while its end isn't known.
  public var playedRange: Range<Duration>? { media.playedRange(duration: readiness.duration) }

  /// Whether one can go to another place in its item. Known once it is ready.
  public var canSeek: Bool { !isPreparing && readiness.isSeekable && !readiness.isLive }

  /// Whether a frame of it has been on the screen.
  public var hasShownFrames: Bool { framesShown > 0 }

  var isPicture: Bool { media.kind == .picture }

  /// There is nothing to see of the item itself. Known once it is ready.
  public var isSoundOnly: Bool { !isPreparing && !readiness.hasVideo && readiness.hasSound }

  /// Whether something of the item itself has been seen, or heard where that is all there is.
  var hasBegun: Bool { isSoundOnly ? hasSounded : hasShownFrames }

  /// Whether the source has no end of its own.
  var isEndless: Bool { readiness.isEndless == true && readiness.duration == nil }

  /// Where the stream ends that tells how far the item is.
  var leadingEnd: Duration? { readiness.hasVideo ? videoEnd : soundEnd }

  /// From one sign of progress to the next; zero while unknown or varying.
  var progressInterval: Duration {
    isSoundOnly ? RenderedSound.interval : readiness.frameInterval ?? .zero
  }

  /// A recorded presentation may show one frame for minutes; where nobody knows its end, a longer wait is a stamp that has jumped.
  private static let longestWait: Duration = .seconds(600)
  /// A header may be wrong by so much; what is due later than that behind the end is a stamp that has jumped.
  private static let endTrust: Duration = .seconds(10)

  /// When the frame is due that has come and waits; `last` where none does, or where its stamp isn't to be believed. An encoder whose clock is
  /// set, and a counter that turns over, would else have a picture stand still for hours.
  func nextFrameDue(base: Instant, after last: Instant) -> Instant {
    guard let until = frameWaitsUntil else { return last }
    let due = max(last, base + until)
    if !readiness.isLive, rate != 0, let range = playedRange {
      let end = ((rate < 0 ? range.lowerBound : range.upperBound) - origin) / rate
      return until > end + Self.endTrust ? last : due
    }
    // What comes over a network comes as it is made, or has an end.
    return media.isRemote || readiness.isLive ? last : min(due, last + Self.longestWait)
  }

  /// Until when the frame on the screen stays because the one after it has come and isn't due; nil while it doesn't play, or none waits.
  public var waitsUntil: Instant? {
    guard let base, frameWaitsUntil != nil, let last = lastFrameAt else { return nil }
    return nextFrameDue(base: base, after: last)
  }

  /// Notes where the deck really stands.
  mutating func takeReadiness(_ readiness: DeckReadiness) {
    self.readiness = readiness
    rate = rate(wanted: rate)
    origin = readiness.firstPosition - readiness.firstRunningTime * rate
    position = readiness.firstPosition
    // Known from the start, and so a picture ends in time even if its decoder hangs half-way.
    if isPicture, let duration = readiness.duration { videoEnd = readiness.firstRunningTime + duration }
  }

  /// Where running time zero is while it plays; nil otherwise.
  public var base: Instant? {
    if case .playing(let base) = phase { return base }
    return nil
  }

  /// Running time of the end, once it is sure.
  ///
  /// - Parameter soundTail: sound that outlasts the picture by no more than this is cut.
  func end(soundTail: Duration) -> Duration? {
    guard readiness.hasVideo else { return soundEnd }
    guard let videoEnd else { return nil }
    guard readiness.hasSound else { return videoEnd }
    if let soundEnd { return soundEnd > videoEnd + soundTail ? soundEnd : videoEnd }
    // The sound hasn't ended yet; that matters only where the item goes on well past the picture.
    if rate < 0 { return videoEnd }
    if let last = playedRange?.upperBound, (last - origin) / rate <= videoEnd + soundTail { return videoEnd }
    return nil
  }
}
