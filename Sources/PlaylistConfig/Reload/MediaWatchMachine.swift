public import PlaybackCore

/// Every number by which media are watched, with its reason.
public struct MediaWatchPolicy: Hashable, Sendable {
  /// The time between two looks. A person who copies a film waits some seconds for it; one question this often isn't a
  /// load for a disk.
  public var interval: Duration = .seconds(5)
  /// After an event, the next look comes this much later: a program that copies many small files causes many events.
  public var quiet: Duration = .milliseconds(500)
  /// A file that was written to and not closed is being written; after this long without another byte its writer is taken for dead. As
  /// for the files of a configuration.
  public var writerLimit: Duration = ReloadPolicy().writerLimit

  public init() {}
}

/// Decides when the listed media are to be looked up again, because some have come or gone, and which of them are still
/// being written.
///
/// A file counts once two looks in a row have found the same size and date, and no process is known to be writing it.
/// The kernel reports writers on this board's disks; on a network file system size and date are the only evidence.
public struct MediaWatchMachine: Sendable {
  public enum Event: Hashable, Sendable {
    /// The places in which the media that play were looked up.
    case following(MediaPlaces)
    /// A file was written to, and isn't closed.
    case writing(FilePath)
    /// A file was closed after writing, renamed or removed.
    case settled(FilePath)
    case timerFired
    /// The answer to `look`.
    case looked(MediaSight)
  }

  public enum Action: Hashable, Sendable {
    case startTimer(after: Duration)
    case stopTimer
    /// Answer with the state of these places. `changing`: files that may grow without a change of their folder's date.
    case look(MediaPlaces, changing: Set<FilePath>)
    /// Look up the listed media again; these files aren't complete.
    case lookUp(hiding: Set<FilePath>)
  }

  private let policy: MediaWatchPolicy
  private var places = MediaPlaces()
  /// The state of `places.seen` at the last lookup.
  private var lookedUp: [FilePath: FileStatus] = [:]
  /// The complete files at the last lookup.
  private var told: Set<FilePath> = []
  private var last: MediaSight?
  private var whole: Set<FilePath> = []
  /// Files that are being written, each with the time of the last write.
  private var writers: [FilePath: Instant] = [:]
  private var isLooking = false
  private var due: Instant?

  public init(policy: MediaWatchPolicy = MediaWatchPolicy()) { self.policy = policy }

  public mutating func handle(_ event: Event, at now: Instant) -> [Action] {
    switch event {
    case .following(let places): return follow(places, at: now)
    case .writing(let path):
      // Each block of a large file is a sign.
      let isKnown = writers.updateValue(now, forKey: path) != nil
      return isKnown && !whole.contains(path) ? [] : hasten(at: now)
    case .settled(let path):
      writers[path] = nil
      return hasten(at: now)
    case .timerFired:
      due = nil
      guard !isLooking, !places.isEmpty else { return [] }
      isLooking = true
      return [.look(places, changing: Set(last?.media.keys.filter { !whole.contains($0) } ?? []).union(writers.keys))]
    case .looked(let sight):
      guard isLooking else { return [] }
      isLooking = false
      return apply(sight, at: now) + wait(policy.interval, at: now)
    }
  }

  private mutating func follow(_ new: MediaPlaces, at now: Instant) -> [Action] {
    guard new != places || last == nil else { return [] }
    places = new
    lookedUp = new.seen
    if new.isEmpty {
      (last, whole, told, due) = (nil, [], [], nil)
      return [.stopTimer]
    }
    // A path that was missing and now exists needs no further watching, unless its folder is listed.
    whole = whole.filter { new.seen[$0.directory] != nil || new.missing.contains($0) }
    told.formIntersection(whole)
    // Complete files stay so. At the first look all files count whose folder hasn't changed since the lookup.
    return isLooking ? [] : wait(last == nil ? .zero : policy.interval, at: now)
  }

  private mutating func wait(_ time: Duration, at now: Instant) -> [Action] {
    guard !places.isEmpty else { return [] }
    due = now + time
    return [.startTimer(after: time)]
  }

  private mutating func hasten(at now: Instant) -> [Action] {
    guard !isLooking, let due, due > now + policy.quiet else { return [] }
    return wait(policy.quiet, at: now)
  }

  private mutating func apply(_ sight: MediaSight, at now: Instant) -> [Action] {
    writers = writers.filter { now - $0.value < policy.writerLimit }
    let isFirst = last == nil
    let before = last ?? MediaSight()
    last = sight
    for (path, status) in sight.media {
      let isOld = isFirst && sight.places[path.directory] == lookedUp[path.directory] && !places.missing.contains(path)
      if isOld { told.insert(path) }
      let isQuiet = isOld || before.media[path] == status
      if writers[path] != nil { whole.remove(path) } else if isQuiet { whole.insert(path) }
    }
    whole = whole.filter { sight.media[$0] != nil }
    var hasChanged = whole != told
    for (path, status) in sight.places where status.kind == .regular && status != lookedUp[path] {
      guard writers[path] == nil, before.places[path] == status else { continue }
      lookedUp[path] = status
      hasChanged = true
    }
    // A list or a folder that has gone.
    for path in lookedUp.keys where sight.places[path] == nil {
      lookedUp[path] = nil
      hasChanged = true
    }
    guard hasChanged else { return [] }
    told = whole
    return [.lookUp(hiding: Set(sight.media.keys).subtracting(whole))]
  }
}
