public import PlaybackCore

/// How much the store may take, as it is set.
public struct StoreSettings: Hashable, Sendable {
  /// Bytes that all files together may have.
  public var capacity: Int64 = 8_000_000_000
  /// Bytes of the disk that are left to others.
  public var freeSpace: Int64 = 500_000_000
  /// Bytes of one file; nil is any.
  public var largestFile: Int64?
  /// Bytes a second; nil is as fast as it goes.
  public var bandwidth: Int64?
  /// How often a server is asked whether a file has changed.
  public var checkInterval: Duration = .seconds(3600)

  public init() {}
}

/// Every number that the store uses, with its reason.
public struct StorePolicy: Hashable, Sendable {
  /// How a server is tried again that doesn't answer or is in trouble. Nobody watches a download, so it is given more time
  /// than playback gives it: from 2 s, doubling to 5 minutes.
  public var server = ReconnectPolicy.store(first: .seconds(2), longest: .seconds(300))
  /// How a file is tried again that a server refuses, or that isn't what it should be: people have to act.
  public var file = ReconnectPolicy.store(first: .seconds(60), longest: .seconds(3600))
  /// The least time between a failure and the next request to the same server, whatever file it is about.
  public var gap: Duration = .seconds(1)
  /// A server can't ask for more than this by Retry-After: one that says a year is mended sooner.
  public var longestRetryAfter: Duration = .seconds(3600)
  /// Received in one go, so much is real progress: what breaks off after it is another break.
  public var progress: Int64 = 64 * 1024
  /// After so many bytes, or so long, what has come is brought to the disk and noted, so that a loss of power costs no
  /// more. Each costs a card some writes.
  public var checkpointBytes: Int64 = 1 << 20
  public var checkpointInterval: Duration = .seconds(2)
  /// A full or failing disk, and a store without room, are looked at again after this.
  public var diskPause: Duration = .seconds(600)
  /// A copy that didn't play is fetched again, or compared with its checksum again, but no more often than this: mostly the
  /// file is as bad on the server.
  public var suspectInterval: Duration = .seconds(86_400)
  /// Redirects within one request. A host that needs more has a loop that changes its address.
  public var redirects = 5
  /// First bytes that are looked at for a web page or a list: as many as playback looks at, since what tells HLS may come
  /// after a long comment.
  public var sniffedBytes = 4096
  /// Of a list of addresses. A thousand entries, which is what is taken of one, have 100 kB.
  public var listBytes: Int64 = 1 << 20
  /// When a file was played last is kept on disk no more often than this.
  public var playedInterval: Duration = .seconds(600)

  public init() {}
}

extension ReconnectPolicy {
  /// One that is patient from the start.
  static func store(first: Duration, longest: Duration) -> ReconnectPolicy {
    var policy = ReconnectPolicy()
    policy.firstDelay = first
    policy.longestDelay = longest
    policy.eagerFor = .zero
    return policy
  }

  /// - Parameters:
  ///   - failures: how many there were in a row; 1 and more.
  ///   - random: 0..<1.
  func delay(afterFailures failures: Int, random: Double) -> Duration {
    // Its first try comes at once; here the first failure already waits.
    delay(attempt: failures + 1, patient: failures - 1, random: random)
  }
}
