/// Tries to recover when the source of a network item breaks off, each number with its reason.
public struct ReconnectPolicy: Hashable, Sendable, Codable {
  /// Delay before the second try; the first is at once, because most breaks are over by then. A server in trouble can
  /// stand a request a second from each board, and a viewer sees the picture go on as soon as it can.
  public var firstDelay: Duration = .seconds(1)
  /// Duration of a break after which the delays double: one that lasts this long may as well be noticed a second later.
  public var eagerFor: Duration = .seconds(60)
  /// Longest delay: once the server is back, a viewer waits at most this long.
  public var longestDelay: Duration = .seconds(30)
  /// Largest random addition to a delay, as a share of it, so that a hundred boards don't come back at once.
  public var jitter = 0.2
  /// Time without a new frame after which the item is given up, where other items could be played instead.
  public var budget: Duration = .seconds(30)
  /// Playing time after which an item has recovered: a later break counts as a new one.
  public var progress: Duration = .seconds(10)
  /// Distance from the item's known end at which the end of its stream counts as a closed connection.
  public var earlyEnd: Duration = .seconds(2)
  /// Time without a new frame after which nothing is left of what was buffered before an error.
  public var starved: Duration = .seconds(1)
  /// Time without a frame of a network item, or without sound of one that has no picture, while nothing holds playback
  /// back: then the pipeline is stuck, whatever it reports. media3 waits as long.
  public var stuck: Duration = .seconds(10)
  /// As `stuck`, for local items: no link holds those up, and a recorded presentation may stand still.
  public var stuckLocal: Duration = .seconds(60)
  /// Time without new data while playback waits for them. Longer than two tries of a source that reaches no server
  /// (`SourcePolicy.timeout`), and a source keeps the buffered data over a retry.
  public var silent: Duration = .seconds(20)
  /// As `silent`, where no other item could be played and the source goes on trying: longer than it does
  /// (`SourcePolicy.patience`). A fresh deck would ask the same server, no sooner, and fetch again what the old one
  /// has.
  public var silentAlone: Duration = .seconds(70)

  public init() {}

  /// Delay of the next try, from the failure of the one before.
  ///
  /// - Parameters:
  ///   - attempt: number of the try, from 1.
  ///   - patient: tries since `eagerFor` was over.
  ///   - random: 0..<1.
  public func delay(attempt: Int, patient: Int, random: Double) -> Duration {
    guard attempt > 1 else { return .zero }
    let plain = min(firstDelay * (1 << min(patient, 16)), longestDelay)
    // Shorter would be more than one request a second.
    return min(plain * (1 + jitter * random), longestDelay)
  }
}

/// The remedy for an error of an item that was playing.
public enum ErrorRecovery: Hashable, Sendable {
  /// The source may come back: open it repeatedly.
  case reconnect
  /// A chance fault, perhaps: build one fresh deck.
  case rebuildOnce
  /// No remedy would help.
  case giveUp

  /// - Parameter number: of a `VitrineError` about an item that has played.
  public init(number: Int) {
    switch number {
    // The server doesn't answer, the stream broke off, the file was replaced, no data come, too slow, too many
    // requests, server errors.
    case 2001...2004, 2408, 2425, 2429, 2500...2599: self = .reconnect
    // The clock will be set, and then the item is tried at once.
    case ClockDoubt.errorNumber: self = .reconnect
    // It has played before: a hot spot redirects everything to its own page.
    case 2604: self = .reconnect
    // It has played before: a page in its place is a hot spot that wants a password, or a server under maintenance.
    case 3001: self = .reconnect
    // Nothing has failed yet.
    case PlaybackErrors.decoderIsWornNumber: self = .reconnect
    // The pipeline is at fault, not the source.
    case 3061: self = .reconnect
    // A decoder or demultiplexer that stumbles, a start that takes too long.
    case 3002, 3003, 4002, 4101: self = .rebuildOnce
    default: self = .giveUp
    }
  }
}
