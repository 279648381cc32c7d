/// Identifies a deck, and everything that it once posted, among all decks before and after it.
public struct DeckID: Hashable, Comparable, Sendable, CustomStringConvertible, Codable {
  public let generation: UInt32
  public init(generation: UInt32) { self.generation = generation }
  /// The number of the deck that is made after this one.
  public var next: DeckID { DeckID(generation: generation.addingReportingOverflow(1).partialValue) }
  public static func < (a: DeckID, b: DeckID) -> Bool { a.generation < b.generation }
  public var description: String { "deck \(generation)" }
}

/// The properties of a deck that are known once it has its first frame or block of sound.
public struct DeckReadiness: Hashable, Sendable, Codable {
  /// Running time of the first frame (of the first sound in a deck without video).
  public var firstRunningTime: Duration
  /// Position in the item of that frame: the place that a seek really led to.
  public var firstPosition: Duration
  /// Duration of the item; nil while unknown.
  public var duration: Duration?
  public var hasVideo: Bool
  public var hasSound: Bool
  /// Whether the source is live: it has no preroll, and can't be held back.
  public var isLive: Bool
  public var isSeekable: Bool
  /// Whether the item plays backwards, at every speed.
  public var canPlayReverse: Bool
  /// Duration of a frame; nil while unknown or varying.
  public var frameInterval: Duration?
  /// Time between two pictures on the screen: half of the frame's where each frame has two fields; nil while unknown or
  /// varying.
  public var pictureInterval: Duration?
  /// Starts of the chapters, in times of the medium; nil without any.
  public var chapters: [Duration]?
  /// Whether an item without a picture shows a card in its place; nil is no.
  public var hasCard: Bool?
  /// Whether the source has no end, as a radio station, so that an end is a break. Nil is no.
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

/// A stream of a deck.
public enum StreamKind: String, Hashable, Sendable, Codable {
  case video
  case sound
}

/// The precision of a seek.
public enum SeekMode: String, Hashable, Sendable, Codable {
  /// The nearest key frame.
  case keyframe
  /// The key frame at or before the target.
  case keyframeBefore
  /// The key frame at or after the target.
  case keyframeAfter
  /// The frame at the target itself.
  case exact

  /// `keyframe` or `exact`, the words of reports.
  public var kind: String { self == .exact ? "exact" : "keyframe" }
}

/// Greatest distance of a seek from its target; nil sets no limit.
public struct SeekTolerance: Hashable, Sendable, Codable {
  public var before: Duration?
  public var after: Duration?

  public init(before: Duration?, after: Duration?) {
    self.before = before
    self.after = after
  }

  /// The tolerance that a mode allows.
  public init(_ mode: SeekMode) {
    switch mode {
    case .exact: self = .exact
    case .keyframe: self = .nearestKeyframe
    case .keyframeBefore: self.init(before: nil, after: .zero)
    case .keyframeAfter: self.init(before: .zero, after: nil)
    }
  }

  /// The frame at the target itself.
  public static let exact = SeekTolerance(before: .zero, after: .zero)
  /// The nearest key frame, the fastest choice. The demultiplexer decides what is nearest; for MP4 it is the one at or
  /// before the target.
  public static let nearestKeyframe = SeekTolerance(before: nil, after: nil)

  /// The mode to try first: key frames are many times faster than an exact seek over a long group of pictures.
  var firstMode: SeekMode {
    switch (before, after) {
    case (.some(.zero), .some(.zero)): .exact
    case (.some(.zero), _): .keyframeAfter
    case (_, .some(.zero)): .keyframeBefore
    default: .keyframe
    }
  }

  /// Whether `position` is within the tolerance around `target`.
  func allows(_ position: Duration, for target: Duration) -> Bool {
    if position < target { return before.map { target - position <= $0 } ?? true }
    return after.map { position - target <= $0 } ?? true
  }
}

/// Behaviour of playback at the end of an item.
public enum EndAction: String, Hashable, Sendable, Codable {
  /// Plays the next item of the queue.
  case advance
  /// Keeps the last frame up; play has no effect until a seek.
  case pause
  /// Plays the same item again from its start.
  case loopItem
  /// Ends playback.
  case stop
}

/// Facts that the machine is told. Each has happened already, and none asks for an answer.
public enum PlaybackEvent: Hashable, Sendable, Codable {
  case start
  /// The list was replaced. The current item goes on where it is still listed, unless an index in the new list is
  /// given: then that item begins, from its start.
  case queueReplaced([MediaItem], startingAt: Int? = nil)
  /// The queue was edited: a changed copy of `PlaybackMachine.queue`. The current item goes on unless it was removed.
  case queueEdited(PlayQueue)
  /// Deadlines, margins and buffers have changed: decks use them from the next one on, and timers from their next
  /// start.
  case policyReplaced(PlaybackPolicy)
  /// Items that have a signed version are played in it from now on, the current one too, or in the usual one.
  case versionChosen(isSigned: Bool)
  /// The local copies to play from now on, by the original's address.
  case copiesChanged([String: MediaCopy])
  /// The SHA-256 of the file that the deck is to play; nil when it can't be read.
  case fileChecked(DeckID, sha256: String?)
  /// The item played before the current one is asked for.
  case previousRequested
  case itemSelected(ItemID)
  /// The machine's clock has been set: certificates can be checked from now on.
  case clockSet
  case outputReady
  case outputLost
  /// Whether another output is wanted; it is opened at the next boundary between two items.
  case outputChangeWanted(Bool)
  case deckReady(DeckID, DeckReadiness)
  case deckFailed(DeckID, VitrineError)
  /// The last buffer of a stream has gone into the bridge; `at` is the running time of its end.
  case streamEnded(DeckID, StreamKind, at: Duration)
  case durationChanged(DeckID, Duration?)
  /// The server sends another kind of medium than the item was taken for.
  case kindFound(DeckID, MediaKind)
  /// The server sends a list of these items in place of a medium. Empty where the list has nothing that may be played.
  case listFound(DeckID, [MediaItem])
  /// The items of lists that were fetched earlier, by each list's address: these lists aren't fetched again before they
  /// play.
  case listsKept([String: [MediaItem]])
  /// 0...100, as reported by the pipeline.
  case bufferingChanged(DeckID, percent: Int)
  /// The next frame has come and is due at this running time, long after the end of the one before.
  case gapAhead(DeckID, until: Duration)
  /// The sink has rendered a frame of this deck; the epoch is that of the seek that led to it.
  case frameShown(DeckID, streamTime: Duration, epoch: FrameEpoch = .start)
  /// The sound of a deck that has only sound was heard up to this running time.
  case soundHeard(DeckID, running: Duration, streamTime: Duration, epoch: FrameEpoch = .start)
  /// The streams that a live deck really has: it reports readiness before it knows them.
  case streamsFound(DeckID, hasVideo: Bool, hasSound: Bool)
  case deckGone(DeckID)
  /// The deck's pipeline has lost its clock, or says so.
  case clockLost(DeckID)
  /// Frames of the deck reach the output and none is shown: another item is to be tried, without a failure of this one.
  case unshown(DeckID)
  /// The item has failed, which was found out elsewhere and later.
  case itemBlamed(ItemID, VitrineError)
  case playRequested
  case pauseRequested
  case seekRequested(to: Duration, SeekTolerance)
  /// 1 is normal, negative is backwards, 0 is a pause. Clamped to `PlaybackPolicy.rates`.
  case rateRequested(Double)
  /// Shows the frame that is this many frames after (or, negative, before) the one on the screen. Only while paused.
  case stepRequested(frames: Int)
  case endActionChanged(EndAction)
  /// Holds playback back for this reason, whatever else is wanted, until `unsuppressed`.
  case suppressed(Suppression)
  case unsuppressed(Suppression)
  case nextRequested
  /// The flush of a seek is done, and the deck has its new first frame.
  case seekFinished(DeckID, seek: UInt32, DeckReadiness)
  /// A deck has adopted the rate that it was told to take, from this running time on, where it is at this position of
  /// its item.
  case rateChanged(DeckID, Double, at: Duration, position: Duration)
  case timerFired(PlaybackTimer)
  case stopRequested
}

/// Timers of the machine. A timer that fires late, or for a deck that is gone, is ignored.
public enum PlaybackTimer: Hashable, Sendable, Codable {
  case preroll(DeckID)
  case arm(DeckID)
  case end(DeckID)
  case retire(DeckID)
  case seekGuard(seek: UInt32)
  case nextRound
  /// Ends the pause before a deck may be built.
  case reconnect(DeckID)
  /// The data that were buffered before the source broke off are used up.
  case starved(DeckID)
  /// The data behind an empty gauge are used up.
  case drained(DeckID)
  /// No frame came for too long, or no sound of an item without a picture.
  case stuck(DeckID)
  /// No data came for too long.
  case silent(DeckID)
  /// An item whose turn has come and that isn't ready may be passed over.
  case turn
}

/// Commands that the engine carries out, in order.
public enum PlaybackAction: Hashable, Sendable, Codable {
  /// Make a deck for the item and take it to its first frame, from `position` where that isn't zero.
  case buildDeck(DeckID, MediaItem, item: ItemID, from: Duration, rate: Double)
  /// Compute the SHA-256 of a local file, off the loop. Answered by `fileChecked`.
  case checkFile(DeckID, uri: String)
  /// Cancel the check of a file: its deck is gone.
  case cancelCheck(DeckID)
  /// Play the deck so that running time zero is at `base`; its frames go to the output.
  case playDeck(DeckID, base: Instant)
  /// Show the first frame of a deck that is ready and held.
  case previewDeck(DeckID)
  /// Hold the deck at its position.
  case pauseDeck(DeckID)
  /// Flush-seek a held deck, to play from the target at `rate`. Its new first frame is shown at once if `preview`.
  case seekDeck(DeckID, to: Duration, SeekMode, rate: Double, seek: UInt32, preview: Bool)
  /// Change the deck's rate without a flush, with the data that it has loaded. Answered by `rateChanged`, unless a seek
  /// or the end comes first.
  case retimeDeck(DeckID, rate: Double)
  /// Send nothing more of this deck to the output, and take it down, off the loop. Answered by `deckGone`.
  case dropDeck(DeckID)
  /// Give up a deck that doesn't answer: like drop, but counted apart.
  case abandonDeck(DeckID)
  case startTimer(PlaybackTimer, at: Instant)
  case cancelTimer(PlaybackTimer)
  case tell(PlaybackNotice)
}

/// Reports of the machine to its owner: for the ledger, the overlay, the log.
public enum PlaybackNotice: Hashable, Sendable, Codable {
  case itemPreparing(item: ItemID, DeckID)
  /// The deck is the current one from `at` on. `isAutomatic`: the item before it ended by itself.
  case itemStarted(item: ItemID, DeckID, at: Instant, isAutomatic: Bool)
  case itemEnded(item: ItemID, DeckID)
  /// The item has come to its end, and its last frame stays.
  case stoppedAtEnd(item: ItemID)
  case itemFailed(item: ItemID, VitrineError)
  /// The item's turn has come and it isn't ready: an item on this machine takes its place. That isn't a failure.
  case itemPassed(item: ItemID)
  /// The item broke off and is opened again, in another deck, at `at`.
  case reconnecting(item: ItemID, DeckID, attempt: Int, at: Instant, VitrineError)
  /// The item goes on in its signed version, or in the usual one, in another deck; with the fault of the version that
  /// it leaves, if that can't be played.
  case versionChanged(item: ItemID, DeckID, VitrineError?)
  case waitingChanged(WaitingReason?)
  case seekStarted(seek: UInt32, to: Duration, SeekMode)
  case seekEnded(seek: UInt32, SeekEnd)
  /// A seek that waited for the one in flight is given up before it was sent.
  case seekDropped
  /// No item would be cut short by another output now: the wanted one can be opened, after `outputLost`.
  case outputMayChange
  /// Every item of this round failed; the next round starts at `retryAt`, or never.
  case roundFailed(retryAt: Instant?)
  /// No item follows. The last frame stays, and a seek, an edit or another item goes on from there.
  case queueEnded
  /// Playback was stopped for good.
  case finished
  /// A fact contradicts the machine's state: a bug of its sender. It is handled like a late one.
  case unexpected(UnexpectedFact, DeckID?)
}

/// How the work on a seek ended.
public enum SeekEnd: String, Hashable, Sendable, Codable {
  /// The deck has reached the target.
  case reached
  /// A newer seek, or another item, has replaced it.
  case superseded
  /// The key frame was too far off: the same seek goes on to the exact frame, under another number.
  case refined
}

/// Reasons for which playback is held back from outside, whatever is wanted and possible.
public enum Suppression: String, Hashable, Sendable, CaseIterable, Codable {
  /// A visitor drags the position.
  case scrubbing
  /// The screen is off, so that no viewer would see playback.
  case screenOff = "screen off"
}

/// Identifies the seek of its deck that a frame comes from. Small, because it travels with every frame; numbers come
/// again after 256 seeks, when no frame of the earlier one is left.
public struct FrameEpoch: Hashable, Sendable, Codable {
  public var rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The epoch of a seek.
  public init(seek: UInt32) { rawValue = UInt8(truncatingIfNeeded: seek) }
  /// The epoch before the first seek.
  public static let start = FrameEpoch(rawValue: 0)
}

/// The reason why playback waits although it is wanted.
public enum WaitingReason: String, Hashable, Sendable, Codable {
  case preparing
  case buffering
  case seeking
  case scrubbing
  case screenOff = "screen off"
  /// The source had to be opened again.
  case reconnecting
  case noOutput = "no output"
  case noItem = "no item"
  case allItemsFailed = "all items failed"
}
