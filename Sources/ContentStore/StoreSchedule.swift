internal import PlaybackCore

/// The times of requests: waits after failures, checks for changes, new copies of files that failed to play.
///
/// Failures of a server hold back all of its files, failures of a file that file alone.
struct StoreSchedule: Sendable {
  private let policy: StorePolicy
  private var sources: [String: Source] = [:]
  private var servers: [String: Server] = [:]
  private var random: SplitMix64

  /// A failing file or server: number of failures, and when it may be tried again.
  private struct Trouble: Hashable, Sendable {
    var failures = 0
    var until: Instant
  }

  /// A file on its server.
  private struct Source: Hashable, Sendable {
    var trouble: Trouble?
    /// When the server is to be asked about the newest whole file next.
    var checkAt: Instant?
    /// Its copy failed to play, and is fetched again as soon as the server answers.
    var isSuspect = false
    /// When a copy that failed to play was last fetched again or compared with its checksum.
    var cleared: Instant?
    /// There was no room for the file, which has at least this length.
    var roomless: Int64?
  }

  private struct Server: Hashable, Sendable {
    var trouble: Trouble?
    /// Its certificate was refused and hasn't been accepted since.
    var isDistrusted = false
  }

  init(policy: StorePolicy, seed: UInt64) {
    self.policy = policy
    random = SplitMix64(state: seed)
  }

  // MARK: The next request

  enum Step: Hashable, Sendable {
    case fetch(WantedFile)
    /// Nothing is due; nil where nothing will be.
    case wait(until: Instant?)
  }

  /// The next step. Missing files come before files that may have changed.
  ///
  /// - Parameter pausedUntil: when the disk may be written to again; nil where it may be now.
  func next(in room: StoreRoom, pausedUntil: Instant?, at now: Instant) -> Step {
    var earliest = pausedUntil
    func addDeadline(_ due: Instant) { earliest = min(earliest ?? due, due) }
    let (wanted, files) = (room.wanted.inOrder, room.files)
    if pausedUntil == nil {
      // Computed from all files: once, and only where it is needed.
      var longest: (today: Int64, other: Int64)?
      let isComparingStrays = files.isComparingStrays
      for file in wanted where files.rightCopy(of: file) == nil {
        guard !files.mayBeHere(file, isComparingStrays: isComparingStrays) else { continue }
        if let length = sources[file.uri]?.roomless {
          let fitting = longest ?? room.longestFitting
          longest = fitting
          guard length <= (file.isNeededToday ? fitting.today : fitting.other) else { continue }
        }
        guard let due = heldUntil(file.uri, now) else { return .fetch(file) }
        addDeadline(due)
      }
    }
    for file in wanted where files.rightCopy(of: file) != nil {
      guard let due = checkDue(file, now) else { continue }
      let start = max(due, heldUntil(file.uri, now) ?? due)
      if start > now { addDeadline(start) } else if pausedUntil == nil { return .fetch(file) }
    }
    return .wait(until: earliest)
  }

  /// When the next request for a file is allowed; nil when it is allowed now.
  private func heldUntil(_ uri: String, _ now: Instant) -> Instant? {
    let due = max(sources[uri]?.trouble?.until ?? now, servers[Address.server(uri)]?.trouble?.until ?? now)
    return due > now ? due : nil
  }

  private func checkDue(_ file: WantedFile, _ now: Instant) -> Instant? {
    let source = sources[file.uri] ?? Source()
    if source.isSuspect, mayClear(file.uri, now) { return now }
    // A changed file would have another checksum.
    if file.sha256 != nil { return nil }
    // After the start the time of the last check isn't known.
    return source.checkAt ?? now
  }

  // MARK: Copies that failed to play

  func isSuspect(_ uri: String) -> Bool { sources[uri]?.isSuspect == true }

  /// Has a copy fetched again.
  mutating func suspect(_ uri: String) { sources[uri, default: Source()].isSuspect = true }

  /// Whether a copy may be compared with its checksum now, which counts from then on.
  mutating func clear(_ uri: String, at now: Instant) -> Bool {
    guard mayClear(uri, now) else { return false }
    sources[uri, default: Source()].cleared = now
    return true
  }

  private func mayClear(_ uri: String, _ now: Instant) -> Bool {
    sources[uri]?.cleared.map { now - $0 >= policy.suspectInterval } ?? true
  }

  // MARK: Outcomes of requests

  /// Lets a server be asked again at once. An answer doesn't reset the number of failures; only real progress does.
  mutating func answers(_ uri: String, at now: Instant) { servers[Address.server(uri)]?.trouble?.until = now }

  /// Resets the failures of a server that has sent much.
  mutating func progresses(_ server: String) { servers[server]?.trouble = nil }

  /// Notes that a copy is still the server's version.
  mutating func isUnchanged(_ transfer: StoreTransfer, nextCheck: Instant) {
    for server in transfer.servers { servers[server] = nil }
    sources[transfer.wanted.uri, default: Source()].checkAt = nextCheck
    sources[transfer.wanted.uri]?.trouble = nil
  }

  /// Notes that a file has been stored.
  mutating func isStored(_ transfer: StoreTransfer, nextCheck: Instant, at now: Instant) {
    for server in transfer.servers { servers[server]?.isDistrusted = false }
    servers[transfer.server]?.trouble = nil
    var source = sources[transfer.wanted.uri] ?? Source()
    source.trouble = nil
    source.checkAt = nextCheck
    source.roomless = nil
    if source.isSuspect { source.cleared = now }
    source.isSuspect = false
    sources[transfer.wanted.uri] = source
  }

  /// Sets the waits after a failure.
  mutating func fails(_ transfer: StoreTransfer, _ failure: StoreFailure, at now: Instant) {
    let fraction = random.nextFraction()
    for name in transfer.servers {
      var server = servers[name] ?? Server()
      if failure.isOfCertificate { server.isDistrusted = true }
      var trouble = server.trouble ?? Trouble(until: now)
      var wait = policy.gap
      if failure.isOfServer {
        trouble.failures = transfer.received >= policy.progress ? 1 : trouble.failures + 1
        wait = max(wait, policy.server.delay(afterFailures: trouble.failures, random: fraction))
        wait = max(wait, min(failure.retryAfter ?? .zero, policy.longestRetryAfter))
      }
      trouble.until = max(trouble.until, now + wait)
      server.trouble = trouble
      servers[name] = server
    }
    guard !failure.isOfServer else { return }
    var source = sources[transfer.wanted.uri] ?? Source()
    var trouble = source.trouble ?? Trouble(until: now)
    trouble.failures += 1
    trouble.until = now + policy.file.delay(afterFailures: trouble.failures, random: fraction)
    source.trouble = trouble
    // The check of an existing copy is put off until then.
    if source.checkAt != nil { source.checkAt = trouble.until }
    sources[transfer.wanted.uri] = source
  }

  /// Puts a file off until there is room for it.
  ///
  /// - Parameter nextCheck: when the server is asked for the new version of a copy; nil without a copy.
  mutating func hasNoRoom(_ transfer: StoreTransfer, nextCheck: Instant?) {
    var source = sources[transfer.wanted.uri] ?? Source()
    source.roomless = max(transfer.length ?? 0, transfer.written + 1)
    source.checkAt = nextCheck ?? source.checkAt
    sources[transfer.wanted.uri] = source
  }

  // MARK: Changes from outside

  /// Forgets the failures of a file that had the wrong checksum, and may have the right one now.
  mutating func checksumChanged(_ uri: String) { sources[uri]?.trouble = nil }

  /// Forgets when to ask about a copy that was removed.
  mutating func copyRemoved(_ uri: String) { sources[uri]?.checkAt = nil }

  /// Lets servers whose certificates were refused be asked at once, as if for the first time; returns them.
  mutating func clockSet() -> [String] {
    let distrusted = servers.filter(\.value.isDistrusted).map(\.key)
    for server in distrusted { servers[server] = nil }
    return distrusted
  }
}
