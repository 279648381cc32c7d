/// How the sources of network items go on when a server fails, each number with its reason. When a server has failed is known to all
/// sources of a process together: it is to be left in peace by all of them.
public struct SourcePolicy: Hashable, Sendable, Codable {
  /// Without a byte for so long a connection is dead: longer than any hiccup of a mobile link (5 s), and shorter than what
  /// is usually buffered, so that there is time for another one.
  public var timeout: Duration = .seconds(8)
  /// A server that fails is asked once in so long: it can stand one request a second from each board.
  public var firstDelay: Duration = .seconds(1)
  /// After `eagerFor` the delays double, up to this: a visitor waits for so long at most once the server is back.
  public var longestDelay: Duration = .seconds(30)
  /// What hasn't come back by now won't be missed by a second.
  public var eagerFor: Duration = .seconds(60)
  /// So long a source that has delivered tries by itself. What is played on meanwhile is what is buffered; the machine's
  /// own deadlines are shorter once that is used up.
  public var patience: Duration = .seconds(60)
  /// The same when the server says that there is no such file: one that is being replaced is back within seconds.
  public var patienceIfMissing: Duration = .seconds(10)
  /// The same of a part of a stream whose list says that all of it is there: a server that is being mended for a moment gets a second
  /// request, and what is buffered at the start is no more than that.
  public var patienceIfGone: Duration = .seconds(1)
  /// Each delay is made longer by up to this part, so that a hundred boards don't come back as one. Small, because a visitor
  /// waits for it; what lies between boards adds up from try to try.
  public var jitter = 0.1

  public init() {}
}

/// How RTSP items are taken.
public struct RTSPPolicy: Hashable, Sendable, Codable {
  public enum Transport: String, Hashable, Sendable, Codable, CaseIterable {
    /// UDP, and TCP where no packet comes.
    case auto
    case tcp
    case udp
  }
  /// How much is held back so that packets that come late or in another order are still in time: GStreamer's own default of
  /// 2 s is meant for the open internet, cameras on a local network do with a fifth of a second.
  public var latency: Duration = .milliseconds(500)
  public var transport = Transport.auto
  /// Without a UDP packet for so long TCP is tried; GStreamer's default.
  public var udpTimeout: Duration = .seconds(5)
  /// Without an answer for so long over TCP the server is gone.
  public var tcpTimeout: Duration = .seconds(8)

  public init() {}
}

/// What one item wants otherwise than the player is set to.
public struct NetworkOverrides: Hashable, Sendable, Codable {
  /// How much of it is buffered.
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
