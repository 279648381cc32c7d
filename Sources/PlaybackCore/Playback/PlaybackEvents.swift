/// Tells a deck, and everything that it once posted, from its successors.
public struct DeckID: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
  public let generation: UInt32
  public init(generation: UInt32) { self.generation = generation }
  /// The deck that is made after it.
  public var next: DeckID { DeckID(generation: generation.addingReportingOverflow(1).partialValue) }
  public static func < (a: DeckID, b: DeckID) -> Bool { a.generation < b.generation }
  public var description: String { "deck \(generation)" }
}

/// What is known of a deck once it has its first frame or block of sound.
public struct DeckReadiness: Hashable, Sendable, Codable {
  /// Running time of the first frame (of the first sound in a deck without video).
  public var firstRunningTime: Duration
  /// Position in the item of that frame: where a seek really went.
  public var firstPosition: Duration
  /// Length of the item; nil while unknown.
  public var duration: Duration?
  public var hasVideo: Bool
  public var hasSound: Bool
  /// A source without preroll: it can't be held back.
  public var isLive: Bool
  public var isSeekable: Bool
  /// Whether the item plays backwards; where it does, it does so at every speed.
  public var canPlayReverse: Bool
  /// From one frame to the next; nil while unknown or varying.
  public var frameInterval: Duration?
  /// From one picture on the screen to the next, which is half of the frames' where each has two fields; nil while unknown or
  /// varying.
  public var pictureInterval: Duration?
  /// Where chapters begin, in times of the medium; nil without any.
  public var chapters: [Duration]?
  /// Whether an item without a picture shows a card in its place; nil is no.
  public var hasCard: Bool?
  /// Whether the source has no end, so that one that comes is a break: a radio station. Nil is no.
  public var isEndless: Bool?

  public init(
    firstRunningTime: Duration = .zero, firstPosition: Duration? = nil, duration: Duration? = nil,
    hasVideo: Bool = true, hasSound: Bool = false, isLive: Bool = false, isSeekable: Bool = true,
    canPlayReverse: Bool = false, frameInterval: Duration? = nil
  ) {
    self.firstRunningTime = firstRunningTime
    self.firstPosition = firstPosition ?? firstRunningTime
    self.canPlayReverse = canPlayReverse
    self.frameInterval = frameInterval
    self.duration = duration
    self.hasVideo = hasVideo
    self.hasSound = hasSound
    self.isLive = isLive
    self.isSeekable = isSeekable
  }
}

/// The stream of a deck.
public enum StreamKind: String, Hashable, Sendable, Codable {
  case video
  case sound
}

/// How exact a seek is.
public enum SeekMode: String, Hashable, Sendable, Codable {
  /// The nearest key frame.
  case keyframe
  /// The key frame at or before the target.
  case keyframeBefore
  /// The key frame at or after the target.
  case keyframeAfter
  /// The very frame.
  case exact

  /// `keyframe` or `exact`, as reports have it.
  public var kind: String { self == .exact ? "exact" : "keyframe" }
}

/// How far from its target a seek may go; nil is as far as it likes.
public struct SeekTolerance: Hashable, Sendable, Codable {
  public var before: Duration?
  public var after: Duration?

  public init(before: Duration?, after: Duration?) {
    self.before = before
    self.after = after
  }

  /// What a seek of that mode allows.
  public init(_ mode: SeekMode) {
    switch mode {
    case .exact: self = .exact
    case .keyframe: self = .nearestKeyframe
    case .keyframeBefore: self.init(before: nil, after: .zero)
    case .keyframeAfter: self.init(before: .zero, after: nil)
    }
  }

  /// The very frame.
  public static let exact = SeekTolerance(before: .zero, after: .zero)
  /// The nearest key frame, the fastest: nearest as the demultiplexer has it, which for MP4 is the one at or before.
  public static let nearestKeyframe = SeekTolerance(before: nil, after: nil)

  /// What to try first: key frames are many times faster than an exact seek over a long group of pictures.
  var firstMode: SeekMode {
    switch (before, after) {
    case (.some(.zero), .some(.zero)): .exact
    case (.some(.zero), _): .keyframeAfter
    case (_, .some(.zero)): .keyframeBefore
    default: .keyframe
    }
  }

  /// Whether `position` is good enough for `target`.
  func allows(_ position: Duration, for target: Duration) -> Bool {
    if position < target { return before.map { target - position <= $0 } ?? true }
    return after.map { position - target <= $0 } ?? true
  }
}

/// What happens when an item has come to its end.
public enum EndAction: String, Hashable, Sendable, Codable {
  /// The next item of the queue.
  case advance
  /// Its last frame stays; play has no effect until a seek.
  case pause
  /// The same item from its start.
  case loopItem
  /// Playback ends.
  case stop
}

/// Facts that the machine is told. Each is past; none asks for an answer.
public enum PlaybackEvent: Hashable, Sendable, Codable {
  case start
  /// The list is another one. The current item goes on where it is still listed, unless a place in the list is named (from 0): what
  /// stands there begins then, from its start.
  case queueReplaced([MediaItem], startingAt: Int? = nil)
  /// The queue has been edited: a copy of `PlaybackMachine.queue` with changes. The current item goes on unless it is the
  /// one that was removed.
  case queueEdited(PlayQueue)
  /// Deadlines, margins and buffers are others: decks have them from the next one on, and timers from when they are started next.
  case policyReplaced(PlaybackPolicy)
  /// What is to be played from a file on this machine from now on, by its address.
  case copiesChanged([String: MediaCopy])
  /// The SHA-256 of the file that the deck is to play; nil when it can't be read.
  case fileChecked(DeckID, sha256: String?)
  /// The item played before the current one.
  case previousRequested
  case itemSelected(ItemID)
  /// The machine's clock has been set: certificates can be checked from now on.
  case clockSet
  case outputReady
  case outputLost
  /// Whether another output than this one is wanted: it is to be opened where an item ends and the next one begins.
  case outputChangeWanted(Bool)
  case deckReady(DeckID, DeckReadiness)
  case deckFailed(DeckID, VitrineError)
  /// The last buffer of a stream has gone into the bridge; the running time is where that buffer ends.
  case streamEnded(DeckID, StreamKind, at: Duration)
  case durationChanged(DeckID, Duration?)
  /// The server gives another kind of medium than the item was taken for.
  case kindFound(DeckID, MediaKind)
  /// What the server gives is a list of these: no medium by itself. Empty where the list has nothing that may be played.
  case listFound(DeckID, [MediaItem])
  /// What stands in lists, by the address of each, as they were got before: it is asked for no more before it plays.
  case listsKept([String: [MediaItem]])
  /// 0...100, as the pipeline tells it.
  case bufferingChanged(DeckID, percent: Int)
  /// A frame waits in the deck that is due at this running time, long after the one before it has had its time.
  case gapAhead(DeckID, until: Duration)
  /// The sink has rendered a frame of this deck; the epoch is that of the seek which led there.
  case frameShown(DeckID, streamTime: Duration, epoch: FrameEpoch = .start)
  /// The sound of this deck, which is all that it has, was heard up to there.
  case soundHeard(DeckID, running: Duration, streamTime: Duration, epoch: FrameEpoch = .start)
  /// What streams a live deck really has: it is told ready before it knows.
  case streamsFound(DeckID, hasVideo: Bool, hasSound: Bool)
  case deckGone(DeckID)
  /// The deck's pipeline has no clock any more, or says so.
  case clockLost(DeckID)
  /// Frames of the deck reach the output and none is shown: another item is to be tried, without a word against this one.
  case unshown(DeckID)
  /// The item has failed, as was found out elsewhere and later.
  case itemBlamed(ItemID, VitrineError)
  case playRequested
  case pauseRequested
  case seekRequested(to: Duration, SeekTolerance)
  /// 1 is normal, negative is backwards, 0 is a pause. Kept within what `PlaybackPolicy.rates` allows.
  case rateRequested(Double)
  /// Shows the frame so many after (or, negative, before) the one shown. Only while paused.
  case stepRequested(frames: Int)
  case endActionChanged(EndAction)
  /// Playback is to be held back for this reason, whatever is wanted, until `unsuppressed`.
  case suppressed(Suppression)
  case unsuppressed(Suppression)
  case nextRequested
  /// The flush of a seek is through, and the deck has its new first frame.
  case seekFinished(DeckID, seek: UInt32, DeckReadiness)
  /// A deck that was told to has another speed, from this running time on, where it is at this position of its item.
  case rateChanged(DeckID, Double, at: Duration, position: Duration)
  case timerFired(PlaybackTimer)
  case stopRequested
}

/// Timers of the machine. One that fires late or for something gone is ignored.
public enum PlaybackTimer: Hashable, Sendable, Codable {
  case preroll(DeckID)
  case arm(DeckID)
  case end(DeckID)
  case retire(DeckID)
  case seekGuard(seek: UInt32)
  case nextRound
  /// A deck that waits for its turn to be built.
  case reconnect(DeckID)
  /// What was buffered before the source broke off is used up.
  case starved(DeckID)
  /// What was left behind an empty gauge is used up.
  case drained(DeckID)
  /// No frame came for too long, or no sound of an item that has nothing else.
  case stuck(DeckID)
  /// No data came for too long.
  case silent(DeckID)
  /// The item whose turn it is may be passed over.
  case turn
}

/// Commands that the shell carries out, in order.
public enum PlaybackAction: Hashable, Sendable, Codable {
  /// Make a deck for the item and take it to its first frame, from `position` where that isn't zero.
  case buildDeck(DeckID, MediaItem, item: ItemID, from: Duration, rate: Double)
  /// Compute the SHA-256 of a local file, off the loop. Answered by `fileChecked`.
  case checkFile(DeckID, uri: String)
  /// Nobody waits for that any more.
  case cancelCheck(DeckID)
  /// Let the deck play so that running time zero is at `base`; its frames go to the output.
  case playDeck(DeckID, base: Instant)
  /// Show the first frame of a deck that is ready and held.
  case previewDeck(DeckID)
  /// Hold the deck where it is.
  case pauseDeck(DeckID)
  /// Flush-seek a held deck, to play from there at `rate`. Its new first frame is shown at once if `preview`.
  case seekDeck(DeckID, to: Duration, SeekMode, rate: Double, seek: UInt32, preview: Bool)
  /// Let the deck run at another speed with what it has already, without a flush. Answered by `rateChanged`, unless a seek comes
  /// first, or the end.
  case retimeDeck(DeckID, rate: Double)
  /// Nothing of this deck goes to the output any more; take it down, off the loop. Answered by `deckGone`.
  case dropDeck(DeckID)
  /// Give up on a deck that doesn't answer: like drop, but counted apart.
  case abandonDeck(DeckID)
  case startTimer(PlaybackTimer, at: Instant)
  case cancelTimer(PlaybackTimer)
  case tell(PlaybackNotice)
}

/// What the machine tells its owner: for the ledger, the overlay, the log.
public enum PlaybackNotice: Hashable, Sendable, Codable {
  case itemPreparing(item: ItemID, DeckID)
  /// The deck is the current one from `at` on. `isAutomatic`: the item before it came to its end by itself.
  case itemStarted(item: ItemID, DeckID, at: Instant, isAutomatic: Bool)
  case itemEnded(item: ItemID, DeckID)
  /// The item has come to its end, and its last frame stays.
  case stoppedAtEnd(item: ItemID)
  case itemFailed(item: ItemID, VitrineError)
  /// It was the item's turn and it wasn't there: one that is on this machine takes its place. It is no failure.
  case itemPassed(item: ItemID)
  /// The item broke off and is opened again, in another deck, at `at`.
  case reconnecting(item: ItemID, DeckID, attempt: Int, at: Instant, VitrineError)
  case waitingChanged(WaitingReason?)
  case seekStarted(seek: UInt32, to: Duration, SeekMode)
  case seekEnded(seek: UInt32, SeekEnd)
  /// A seek that waited for the one in flight is given up: it never began.
  case seekDropped
  /// Nothing plays that another output would cut short: the one that is wanted can be opened, after `outputLost`.
  case outputMayChange
  /// Every item of this round failed; the next round starts at `retryAt`, or never.
  case roundFailed(retryAt: Instant?)
  /// Nothing follows any more. The last frame stays, and a seek, an edit or another item goes on from there.
  case queueEnded
  /// Stopped for good.
  case finished
  /// A fact can't be: a fault of whoever tells it. It has no other effect than one that is late.
  case unexpected(UnexpectedFact, DeckID?)
}

/// How the work on a seek came to its end.
public enum SeekEnd: String, Hashable, Sendable, Codable {
  /// The deck is there.
  case reached
  /// A newer seek, or another item, has taken its place.
  case superseded
  /// The key frame was too far off: the same seek goes on to the very frame, under another number.
  case refined
}

/// Why playback is held back from outside, whatever is wanted and possible.
public enum Suppression: String, Hashable, Sendable, CaseIterable, Codable {
  /// A visitor drags the position.
  case scrubbing
  /// Nobody would see it.
  case screenOff = "screen off"
}

/// Which seek of its deck a frame comes from. Small, because it travels with every frame; numbers come again after 256
/// seeks, when no frame of the first one is left anywhere.
public struct FrameEpoch: Hashable, Sendable, Codable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// That of a seek.
  public init(seek: UInt32) { rawValue = UInt8(truncatingIfNeeded: seek) }
  /// Before the first seek.
  public static let start = FrameEpoch(rawValue: 0)
}

/// Why playback waits although it is wanted.
public enum WaitingReason: String, Hashable, Sendable, Codable {
  case preparing
  case buffering
  case seeking
  case scrubbing
  case screenOff = "screen off"
  /// The source had to be opened anew.
  case reconnecting
  case noOutput = "no output"
  case noItem = "no item"
  case allItemsFailed = "all items failed"
}
