internal import MainLoop
internal import PlaybackCore

/// The observers of a player. They come and go on any thread; the player calls them from its loop.
final class ObserverRegistry: Sendable {
  /// The number of the player's own observer of media time.
  static let ownTimes = 0

  private struct State: Sendable {
    var lastID = ObserverRegistry.ownTimes
    var events: [Int: PlayerSink<PlayerEvent>] = [:]
    var statuses: [Int: PlayerSink<PlayerStatus>] = [:]
    var times: [Int: PlayerSink<Duration>] = [:]
    var subtitles: [Int: PlayerSink<[SubtitleCue]>] = [:]
    /// The cues that are shown now.
    var cues: [SubtitleCue] = []
    var status = PlayerStatus()
    /// The status that its observers were given last.
    var published = PlayerStatus()
    var isFinished = false
  }
  private let state = Locked(State())

  /// The newest status.
  var status: PlayerStatus { state.withLock { $0.status } }

  /// Number of observers.
  var count: Int { state.withLock { $0.events.count + $0.statuses.count + $0.times.count + $0.subtitles.count } }

  func hasTimes(_ id: Int) -> Bool { id == Self.ownTimes || state.withLock { $0.times[id] != nil } }

  // MARK: Observers

  func addEvents(buffering: Int) -> PlayerSequence<PlayerEvent> {
    let (sequence, sink) = PlayerSink<PlayerEvent>.make(buffering: buffering)
    add(sink) { state, id in state.events[id] = sink }
    return sequence
  }

  /// The sequence begins with the present status.
  func addStatuses(buffering: Int) -> PlayerSequence<PlayerStatus> {
    let (sequence, sink) = PlayerSink<PlayerStatus>.make(buffering: buffering)
    add(sink) { state, id in
      state.statuses[id] = sink
      sink.send(state.status)
    }
    return sequence
  }

  func addTimes(buffering: Int, removed: @escaping @Sendable (Int) -> Void) -> (PlayerSequence<Duration>, id: Int) {
    let (sequence, sink) = PlayerSink<Duration>.make(buffering: buffering)
    let id = add(sink, removed: removed) { state, id in state.times[id] = sink }
    return (sequence, id)
  }

  /// The sequence begins with the present subtitles.
  func addSubtitles(buffering: Int) -> PlayerSequence<[SubtitleCue]> {
    let (sequence, sink) = PlayerSink<[SubtitleCue]>.make(buffering: buffering)
    add(sink) { state, id in
      state.subtitles[id] = sink
      sink.send(state.cues)
    }
    return sequence
  }

  @discardableResult
  private func add<Element>(
    _ sink: PlayerSink<Element>, removed: @escaping @Sendable (Int) -> Void = { _ in },
    _ insert: (inout State, Int) -> Void
  ) -> Int {
    let (id, isFinished) = state.withLock { state in
      state.lastID += 1
      if !state.isFinished { insert(&state, state.lastID) }
      return (state.lastID, state.isFinished)
    }
    sink.continuation.onTermination = { [weak self] _ in
      self?.remove(id)
      removed(id)
    }
    if isFinished { sink.continuation.finish() }
    return id
  }

  private func remove(_ id: Int) {
    // The removed sinks are released outside of the lock.
    _ = state.withLock { state in
      (
        state.events.removeValue(forKey: id), state.statuses.removeValue(forKey: id),
        state.times.removeValue(forKey: id), state.subtitles.removeValue(forKey: id)
      )
    }
  }

  // MARK: From the loop

  func publish(_ event: PlayerEvent) {
    for sink in state.withLock({ Array($0.events.values) }) { sink.send(event) }
  }

  func publish(subtitles: [SubtitleCue]) {
    let sinks = state.withLock { state in
      state.cues = subtitles
      return Array(state.subtitles.values)
    }
    for sink in sinks { sink.send(subtitles) }
  }

  func publish(_ id: Int, time: Duration) { state.withLock { $0.times[id] }?.send(time) }

  /// Stores the status, and sends it to its observers if anything but the position has changed, or if the position is
  /// to be shown.
  func update(_ status: PlayerStatus, showsPosition: Bool) {
    let sinks: [PlayerSink<PlayerStatus>] = state.withLock { state in
      state.status = status
      let isNews = showsPosition ? status != state.published : status.differsBesidesPosition(from: state.published)
      guard isNews else { return [] }
      state.published = status
      return Array(state.statuses.values)
    }
    for sink in sinks { sink.send(status) }
  }

  /// Ends every sequence, later ones too.
  func finish() {
    let old = state.withLock { state in
      state.isFinished = true
      defer {
        state.events = [:]
        state.statuses = [:]
        state.times = [:]
        state.subtitles = [:]
      }
      return (state.events.values, state.statuses.values, state.times.values, state.subtitles.values)
    }
    for sink in old.0 { sink.continuation.finish() }
    for sink in old.1 { sink.continuation.finish() }
    for sink in old.2 { sink.continuation.finish() }
    for sink in old.3 { sink.continuation.finish() }
  }
}
