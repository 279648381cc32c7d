internal import PlaybackCore

/// Follows each requested seek until its outcome is known.
///
/// A value: the machine reports which seek the deck works on, the output reports which frames were shown. A seek is
/// done when its flush is done and its frame is on the screen. Frames from before the flush may still come out of the
/// output after it, and the seek's own frame may come before the answer; their epochs tell them apart.
struct SeekTracker: Sendable {
  /// Wait for the frame after the flush is done: at the end of an item none comes.
  static let frameWait: Duration = .milliseconds(250)

  struct Ended: Hashable, Sendable {
    var id: Int
    var target: Duration
    var outcome: SeekOutcome
    /// The item that the seek was asked for, or else the one that it led to; nil without one.
    var item: ItemID?
  }

  private struct Request: Hashable, Sendable {
    var id: Int
    var target: Duration
    var tolerance: SeekTolerance
    /// The item that the seek was asked for; nil before there was one.
    var item: ItemID?
    /// The machine's number of the seek, once the deck works on it.
    var flight: UInt32?
  }

  private struct Flight: Hashable, Sendable {
    var seek: SeekFlight
    var target: Duration
    /// The newest frame that resulted from the seek.
    var frame: Duration?
    var isFlushed = false

    /// Whether a frame results from this seek. A deck that replaced the seeking one has begun at the target, so its
    /// frames count.
    func hasBrought(_ frame: RenderedFrame) -> Bool {
      switch seek.origin(of: frame) {
      case .thisSeek, .laterDeck: true
      case .before, .laterSeek: false
      }
    }
  }

  private var requests: [Request] = []
  private var flight: Flight?

  /// Target of the newest seek that isn't done.
  var target: Duration? {
    guard let newest = requests.last else { return nil }
    return newest.flight != nil ? flight?.target ?? newest.target : newest.target
  }

  /// Whether the flush is done and the frame hasn't come yet.
  var awaitsFrame: Bool { flight?.isFlushed ?? false }

  /// Adds a requested seek; it supersedes all others with another target.
  mutating func requested(_ id: Int, to target: Duration, _ tolerance: SeekTolerance, item: ItemID?) -> [Ended] {
    let superseded = requests.filter { $0.target != target || $0.tolerance != tolerance }
    requests.removeAll { $0.target != target || $0.tolerance != tolerance }
    // An equal one whose flush is done is nearly over; the machine seeks again for this one.
    requests.append(Request(id: id, target: target, tolerance: tolerance, item: item))
    return superseded.map { Ended(id: $0.id, target: $0.target, outcome: .superseded, item: $0.item) }
  }

  /// Notes that the deck works on the newest seek. `target` is clamped to the item.
  mutating func started(_ seek: SeekFlight, to target: Duration) {
    for index in requests.indices { requests[index].flight = seek.number }
    flight = Flight(seek: seek, target: target)
  }

  /// Notes that the machine's flush is done, or was given up.
  ///
  /// - Parameters:
  ///   - error: the item's error, if that ended the seek.
  ///   - hasVideo: whether a frame will come.
  mutating func ended(_ number: UInt32, _ end: SeekEnd, error: VitrineError?, hasVideo: Bool) -> [Ended] {
    guard flight?.seek.number == number, let flying = flight else { return [] }
    switch end {
    case .refined: return []  // the next start takes its requests over
    case .superseded:
      flight = nil
      return self.end(error.map(SeekOutcome.failed) ?? .superseded) { $0.flight == number }
    case .reached: break
    }
    // A machine that gave a flush up has led another deck to the newest target.
    for index in requests.indices where requests[index].flight == nil { requests[index].flight = number }
    flight?.isFlushed = true
    guard hasVideo else { return finish(shownAt: flying.target) }
    if let frame = flying.frame { return finish(shownAt: frame) }
    return []
  }

  /// Notes a shown frame.
  mutating func shown(_ frame: RenderedFrame) -> [Ended] {
    guard let flying = flight, flying.hasBrought(frame) else { return [] }
    flight?.frame = frame.streamTime
    guard flying.isFlushed else { return [] }
    return finish(shownAt: frame.streamTime)
  }

  /// Ends the seek after `frameWait`: no frame has come, so it ends at its target.
  mutating func waitedForFrame() -> [Ended] {
    guard let flying = flight, flying.isFlushed else { return [] }
    return finish(shownAt: flying.target)
  }

  /// Ends pending requests after the machine gave up its pending seek: it was never begun, and the one in flight leads
  /// elsewhere.
  mutating func dropped() -> [Ended] { end(.superseded) { $0.flight == nil } }

  /// Settles the requests after an event: a request that the machine neither works on nor keeps has failed.
  mutating func settled(hasPending: Bool, inFlight: UInt32?, item: ItemID?, error: VitrineError) -> [Ended] {
    guard !hasPending, requests.contains(where: { $0.flight == nil }) else { return [] }
    if let inFlight {
      for index in requests.indices where requests[index].flight == nil { requests[index].flight = inFlight }
      return []
    }
    // A seek of an item that was left isn't a failure of the item shown now.
    return end(.superseded) { $0.flight == nil && $0.item != nil && $0.item != item }
      + end(.failed(error)) { $0.flight == nil }
  }

  /// Ends all seeks.
  mutating func endAll(_ outcome: SeekOutcome) -> [Ended] {
    flight = nil
    return end(outcome) { _ in true }
  }

  private mutating func finish(shownAt time: Duration) -> [Ended] {
    let number = flight?.seek.number
    flight = nil
    return end(.finished(shownAt: time)) { $0.flight == number }
  }

  private mutating func end(_ outcome: SeekOutcome, _ isMeant: (Request) -> Bool) -> [Ended] {
    let ended = requests.filter(isMeant)
    requests.removeAll(where: isMeant)
    return ended.map { Ended(id: $0.id, target: $0.target, outcome: outcome, item: $0.item) }
  }
}
