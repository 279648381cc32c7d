/// Behaviour of the sources of network items when a server fails, each number with its reason. All sources of a process
/// share the record of a server's failures, so that together they leave it in peace.
public struct SourcePolicy: Hashable, Sendable, Codable {
  /// Time without a byte after which a connection is dead: longer than any hiccup of a mobile link (5 s), and shorter
  /// than the usual buffer, so that there is time for another connection.
  public var timeout: Duration = .seconds(8)
  /// Interval of requests to a server that fails: it can stand one request a second from each board.
  public var firstDelay: Duration = .seconds(1)
  /// Longest delay; after `eagerFor` the delays double up to this. Once the server is back, a viewer waits at most this
  /// long.
  public var longestDelay: Duration = .seconds(30)
  /// Time of failure after which the delays double: a server that is away for this long may as well be noticed a second
  /// later.
  public var eagerFor: Duration = .seconds(60)
  /// Time for which a source that has delivered retries by itself. Meanwhile the buffered data play; the machine's own
  /// deadlines are shorter once they are used up.
  public var patience: Duration = .seconds(60)
  /// As `patience`, when the server answers that there is no such file: a file that is being replaced is back within
  /// seconds.
  public var patienceIfMissing: Duration = .seconds(10)
  /// As `patience`, for a part of a stream whose list names all parts: a server under short maintenance gets a second
  /// request, and no more than this is buffered at the start.
  public var patienceIfGone: Duration = .seconds(1)
  /// Largest random addition to a delay, as a share of it, so that a hundred boards don't come back at once. It is
  /// small, because a viewer waits for it; over several tries the differences between boards add up.
  public var jitter = 0.1

  public init() {}
}

/// Settings of RTSP sources.
public struct RTSPPolicy: Hashable, Sendable, Codable {
  public enum Transport: String, Hashable, Sendable, Codable, CaseIterable {
    /// UDP, and TCP where no packet comes.
    case auto
    case tcp
    case udp
  }
  /// Size of the jitter buffer, so that late and reordered packets are still in time: GStreamer's own default of 2 s is
  /// meant for the open internet, cameras on a local network need a fifth of a second.
  public var latency: Duration = .milliseconds(500)
  public var transport = Transport.auto
  /// Time without a UDP packet after which TCP is tried; GStreamer's default.
  public var udpTimeout: Duration = .seconds(5)
  /// Time without an answer over TCP after which the server is gone.
  public var tcpTimeout: Duration = .seconds(8)

  public init() {}
}

/// One item's network settings that differ from the player's.
public struct NetworkOverrides: Hashable, Sendable, Codable {
  /// The item's buffer.
  public var buffer: Duration?
  public var rtspLatency: Duration?
  public var rtspTransport: RTSPPolicy.Transport?

  public init(
    buffer: Duration? = nil, rtspLatency: Duration? = nil, rtspTransport: RTSPPolicy.Transport? = nil
  ) {
    self.buffer = buffer
    self.rtspLatency = rtspLatency
    self.rtspTransport = rtspTransport
  }

  public var isEmpty: Bool { self == NetworkOverrides() }
}
