public import PlaybackCore

/// The limits of the store, as they are set.
public struct StoreSettings: Hashable, Sendable {
  /// Bytes of all files together.
  public var capacity: Int64 = 8_000_000_000
  /// Bytes of the disk that are left free.
  public var freeSpace: Int64 = 500_000_000
  /// Bytes of one file; nil for no limit.
  public var largestFile: Int64?
  /// Bytes a second; nil for no limit.
  public var bandwidth: Int64?
  /// How often a server is asked whether a file has changed.
  public var checkInterval: Duration = .seconds(3600)

  public init() {}
}

/// Every fixed number of the store, with its reason.
public struct StorePolicy: Hashable, Sendable {
  /// Retries of a server that doesn't answer or reports a fault of its own. No viewer waits for a download, so the
  /// waits are longer than those of playback: from 2 s, doubling to 5 minutes.
  public var server = ReconnectPolicy.store(first: .seconds(2), longest: .seconds(300))
  /// Retries of a file that the server refuses, or whose content is wrong: a person has to correct it first.
  public var file = ReconnectPolicy.store(first: .seconds(60), longest: .seconds(3600))
  /// The least time between a failure and the next request to the same server, for any file.
  public var gap: Duration = .seconds(1)
  /// The longest wait that a server may ask for by Retry-After: a server that asks for a year is repaired sooner.
  public var longestRetryAfter: Duration = .seconds(3600)
  /// A transfer that received this much has made real progress: a break after it counts as the first failure.
  public var progress: Int64 = 64 * 1024
  /// After this many bytes, or this long, the received bytes are flushed to the disk and entered in the index; a power
  /// failure costs no more than these. Each flush costs a memory card some writes.
  public var checkpointBytes: Int64 = 1 << 20
  public var checkpointInterval: Duration = .seconds(2)
  /// How long to wait before a full or failing disk, or a store without room, is tried again.
  public var diskPause: Duration = .seconds(600)
  /// A copy that didn't play is fetched again, or compared with its checksum again, at most this often: mostly the file
  /// on the server has the same fault.
  public var suspectInterval: Duration = .seconds(86_400)
  /// Redirects within one request. A server that needs more has a loop with changing addresses.
  public var redirects = 5
  /// First bytes that are searched for a web page or a list: as many as playback searches, because the mark of HLS may
  /// come after a long comment.
  public var sniffedBytes = 4096
  /// Bytes of a list of addresses. A thousand entries, which are the most that are used, have 100 kB.
  public var listBytes: Int64 = 1 << 20
  /// The time of a file's last playing is written to disk at most this often.
  public var playedInterval: Duration = .seconds(600)

  public init() {}
}

extension ReconnectPolicy {
  /// A policy that waits from the first failure on.
  static func store(first: Duration, longest: Duration) -> ReconnectPolicy {
    var policy = ReconnectPolicy()
    policy.firstDelay = first
    policy.longestDelay = longest
    policy.eagerFor = .zero
    return policy
  }

  /// - Parameters:
  ///   - failures: number of failures in a row, at least 1.
  ///   - random: 0..<1.
  func delay(afterFailures failures: Int, random: Double) -> Duration {
    // `ReconnectPolicy` makes the first attempt at once; here the first failure already causes a wait.
    delay(attempt: failures + 1, patient: failures - 1, random: random)
  }
}
