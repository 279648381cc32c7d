internal import PlaybackCore

/// The disk, as far as it takes writes.
struct StoreDisk: Hashable, Sendable {
  /// Free bytes; the largest number where they haven't been measured.
  var free: Int64 = .max
  private var state = State.ready

  private enum State: Hashable, Sendable {
    case ready
    /// The disk is full or fails: no file is written until then.
    case paused(until: Instant)
    /// The folder can't be written to, and is checked then. Meanwhile the present copies are offered, changes live in
    /// memory, and removals and records are owed.
    case readOnly(nextLook: Instant, owed: [StoreAction])
  }

  /// Counts the bytes of a removed file as free.
  mutating func add(_ bytes: Int64) { free = free.clampedAdding(bytes) }

  // MARK: A disk that fails

  mutating func pause(until end: Instant) { state = .paused(until: end) }

  /// When the disk may be written to again; nil where it may be now.
  mutating func pausedUntil(at now: Instant) -> Instant? {
    guard case .paused(let end) = state else { return nil }
    if end > now { return end }
    state = .ready
    // The free space hasn't been measured since.
    free = .max
    return nil
  }

  // MARK: A read-only folder

  var isReadOnly: Bool { nextLook != nil }

  /// When the folder is checked next; nil where it can be written to.
  var nextLook: Instant? {
    if case .readOnly(let next, _) = state { next } else { nil }
  }

  /// Puts writing off until the folder has been checked.
  mutating func beReadOnly(nextLook: Instant) {
    var due: [StoreAction] = []
    if case .readOnly(_, let owed) = state { due = owed }
    state = .readOnly(nextLook: nextLook, owed: due)
  }

  /// Keeps a command until the folder can be written to.
  mutating func owe(_ action: StoreAction) {
    guard case .readOnly(let next, var owed) = state else { return }
    // So that the list grows in place.
    state = .ready
    owed.append(action)
    state = .readOnly(nextLook: next, owed: owed)
  }

  /// Lets the folder be written to again; returns the commands that are owed.
  mutating func beWritable(free: Int64) -> [StoreAction] {
    guard case .readOnly(_, let owed) = state else { return [] }
    state = .ready
    self.free = free
    return owed
  }
}
