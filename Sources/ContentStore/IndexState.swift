internal import PlaybackCore

/// How far the index on the disk is behind.
struct IndexState: Hashable, Sendable {
  /// The generation of the index that was written last.
  private var generation: Int64 = 0
  /// The index on the disk is out of date.
  var isStale = false
  /// When a play last made it so. Plays are written together, not each by itself.
  private var playedAt: Instant?

  init() {}

  init(generation: Int64) { self.generation = generation }

  /// The index to write.
  mutating func next(of files: StoreFiles) -> StoreIndex {
    isStale = false
    generation += 1
    return files.index(generation: generation)
  }

  mutating func played(at now: Instant, _ policy: StorePolicy) {
    guard playedAt.map({ now - $0 >= policy.playedInterval }) ?? true else { return }
    playedAt = now
    isStale = true
  }
}
