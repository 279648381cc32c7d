public import PlaybackCore

/// Every number by which media are watched, with its reason.
public struct MediaWatchPolicy: Hashable, Sendable {
  /// From one look to the next. Somebody who copies a film and waits for it has patience for some seconds; a board that asks a disk
  /// for a few names so often does nothing else for it.
  public var interval: Duration = .seconds(5)
  /// After a sign of change, the next look comes so much later: what copies many small files gives many signs.
  public var quiet: Duration = .milliseconds(500)
  /// A file that was written to and not closed is being written; after this long without another byte its writer is taken for dead. As
  /// for the files of a configuration.
  public var writerLimit: Duration = ReloadPolicy().writerLimit

  public init() {}
}

/// Says when what is listed is to be looked up again, because media have come or gone, and which are being written.
///
/// A file counts once two looks in a row have found it with the same size and date, and nobody is known to be writing it. On a disk of
/// this board the system tells who writes; on a network file system size and date are all there is.
public struct MediaWatchMachine: Sendable {
  public enum Event: Hashable, Sendable {
    /// What plays was looked up here.
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
    /// Answer with what is there. `changing`: what may become larger without its folder being another one.
    case look(MediaPlaces, changing: Set<FilePath>)
    /// Look up what is listed; these files aren't whole.
    case lookUp(hiding: Set<FilePath>)
  }

  private let policy: MediaWatchPolicy
  private var places = MediaPlaces()
  /// As they were when what is listed was looked up last.
  private var lookedUp: [FilePath: FileStatus] = [:]
  /// What counted then.
  private var told: Set<FilePath> = []
  private var last: MediaSight?
  private var whole: Set<FilePath> = []
  /// Each with its last sign of life.
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
      return take(sight, at: now) + wait(policy.interval, at: now)
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
    // What was missing and is there is nobody's business any more, unless its folder is listed.
    whole = whole.filter { new.seen[$0.directory] != nil || new.missing.contains($0) }
    told.formIntersection(whole)
    // What was found there and counted goes on to count; of a first look everything does whose folder is as it was.
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

  private mutating func take(_ sight: MediaSight, at now: Instant) -> [Action] {
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
    // A list that has gone, or a folder.
    for path in lookedUp.keys where sight.places[path] == nil {
      lookedUp[path] = nil
      hasChanged = true
    }
    guard hasChanged else { return [] }
    told = whole
    return [.lookUp(hiding: Set(sight.media.keys).subtracting(whole))]
  }
}
