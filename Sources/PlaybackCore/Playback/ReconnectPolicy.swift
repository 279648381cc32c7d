/// What is tried when the source of a network item breaks off, each number with its reason.
public struct ReconnectPolicy: Hashable, Sendable, Codable {
  /// The first try is at once, because most breaks are over by then; the ones after it are so far apart, because a server
  /// in trouble can stand a request a second from each board, and a visitor sees the picture go on as soon as it can.
  public var firstDelay: Duration = .seconds(1)
  /// From this time of a break on the delays double: what hasn't come back by now won't be missed by a second.
  public var eagerFor: Duration = .seconds(60)
  /// Never longer than this: a visitor waits for so long at most once the server is back.
  public var longestDelay: Duration = .seconds(30)
  /// Each delay is made longer by up to this part, so that a hundred boards don't come back as one.
  public var jitter = 0.2
  /// Where other items could be played instead, the item is given up after so long without a new frame.
  public var budget: Duration = .seconds(30)
  /// Playing for so long is real progress: what comes after it is another break.
  public var progress: Duration = .seconds(10)
  /// The end of a stream this long before the known end of the item is a connection that was closed.
  public var earlyEnd: Duration = .seconds(2)
  /// After an error, what was buffered plays on; without a new frame for so long, nothing is left of it.
  public var starved: Duration = .seconds(1)
  /// No frame of a network item, or no sound of one that has nothing else, for so long while nothing holds playback back: the pipeline is stuck, whatever it says.
  /// media3 waits as long.
  public var stuck: Duration = .seconds(10)
  /// The same for local items: those don't get stuck on a link, and a recorded presentation may stand still.
  public var stuckLocal: Duration = .seconds(60)
  /// No new data for so long while playback waits for it. Longer than two tries of a source that finds nobody
  /// (`SourcePolicy.timeout`), which keeps what is buffered.
  public var silent: Duration = .seconds(20)
  /// The same where no other item could be played and the source goes on trying: longer than it does
  /// (`SourcePolicy.patience`). A fresh deck would ask the same server, no sooner, and fetch again what the old one has.
  public var silentAlone: Duration = .seconds(70)

  public init() {}

  /// When the next try is due, counted from the failure of the one before.
  ///
  /// - Parameters:
  ///   - attempt: 1 for the first.
  ///   - patient: how many tries there have been since `eagerFor` was over.
  ///   - random: 0..<1.
  public func delay(attempt: Int, patient: Int, random: Double) -> Duration {
    guard attempt > 1 else { return .zero }
    let plain = min(firstDelay * (1 << min(patient, 16)), longestDelay)
    // Shorter would be more than one request a second.
    return min(plain * (1 + jitter * random), longestDelay)
  }
}

/// What can be done about an error of an item that was playing.
public enum ErrorRecovery: Hashable, Sendable {
  /// The source may come back: open it again and again.
  case reconnect
  /// It may have been an accident: a fresh deck, once.
  case rebuildOnce
  /// Nothing would help.
  case giveUp

  /// - Parameter number: of a `VitrineError` about an item that has played.
  public init(number: Int) {
    switch number {
    // The server doesn't answer, the stream broke off, another file is there now, nothing comes any more, too slow, too many requests, in trouble.
    case 2001...2004, 2408, 2425, 2429, 2500...2599: self = .reconnect
    // The clock will be set, and then it is tried at once.
    case ClockDoubt.errorNumber: self = .reconnect
    // It has played before: a hot spot sends everything to its own page.
    case 2604: self = .reconnect
    // It has played before: a page in its place is a hot spot that wants a password, or a server that is being mended.
    case 3001: self = .reconnect
    // Nothing has failed yet.
    case PlaybackErrors.decoderIsWornNumber: self = .reconnect
    // It is the pipeline's, not the source's.
    case 3061: self = .reconnect
    // A decoder or demultiplexer that stumbles, a start that takes too long.
    case 3002, 3003, 4002, 4101: self = .rebuildOnce
    default: self = .giveUp
    }
  }
}

/// The break that playback is trying to get over.
struct Reconnect: Hashable, Sendable {
  var item: ItemID
  var attempt = 0
  /// What broke off has no end of its own.
  var isEndless = false
  /// Tries since the first, eager time was over.
  var patientTries = 0
  /// When the last frame before it was shown.
  var since: Instant
  var error: VitrineError
}
