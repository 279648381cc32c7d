internal import PlaybackCore

/// Follows each seek that was asked for until it is known what became of it.
///
/// A value: the machine says which seek the deck works on, the output says which frames were shown. A seek is through
/// when its flush is and its frame is on the screen. Frames from before the flush may still come out of the output after
/// it, and the one of the seek may come out before the answer to it; which is which is told by their epochs.
struct SeekTracker: Sendable {
  /// How long to wait for the frame once the flush is through: at the end of an item none comes.
  static let frameWait: Duration = .milliseconds(250)

  struct Ended: Hashable, Sendable {
    var id: Int
    var target: Duration
    var outcome: SeekOutcome
    /// That it was asked for, or where it led; nil where there was none.
    var item: ItemID?
  }

  private struct Request: Hashable, Sendable {
    var id: Int
    var target: Duration
    var tolerance: SeekTolerance
    /// The item that it was asked for; nil before there was one.
    var item: ItemID?
    /// The machine's number, once the deck works on it.
    var flight: UInt32?
  }

  private struct Flight: Hashable, Sendable {
    var seek: SeekFlight
    var target: Duration
    /// The newest frame that it has led to.
    var frame: Duration?
    var isFlushed = false

    /// A deck that took over when the one that was to seek gave up has begun at the target.
    func hasBrought(_ frame: RenderedFrame) -> Bool {
      switch seek.origin(of: frame) {
      case .thisSeek, .laterDeck: true
      case .before, .laterSeek: false
      }
    }
  }

  private var requests: [Request] = []
  private var flight: Flight?

  /// Where the newest seek that isn't through leads.
  var target: Duration? {
    guard let newest = requests.last else { return nil }
    return newest.flight != nil ? flight?.target ?? newest.target : newest.target
  }

  /// The flush is through and the frame isn't there yet.
  var awaitsFrame: Bool { flight?.isFlushed ?? false }

  /// A seek was asked for: it takes the place of all others that lead elsewhere.
  mutating func requested(_ id: Int, to target: Duration, _ tolerance: SeekTolerance, item: ItemID?) -> [Ended] {
    let superseded = requests.filter { $0.target != target || $0.tolerance != tolerance }
    requests.removeAll { $0.target != target || $0.tolerance != tolerance }
    // An equal one whose flush is through is as good as done; this one is worked on again.
    requests.append(Request(id: id, target: target, tolerance: tolerance, item: item))
    return superseded.map { Ended(id: $0.id, target: $0.target, outcome: .superseded, item: $0.item) }
  }

  /// The deck works on the newest seek. `target` is clamped to the item.
  mutating func started(_ seek: SeekFlight, to target: Duration) {
    for index in requests.indices { requests[index].flight = seek.number }
    flight = Flight(seek: seek, target: target)
  }

  /// The machine's flush is through, or given up.
  ///
  /// - Parameters:
  ///   - error: what the item failed with, if that ended the seek.
  ///   - hasVideo: whether a frame is to come.
  mutating func ended(_ number: UInt32, _ end: SeekEnd, error: VitrineError?, hasVideo: Bool) -> [Ended] {
    guard flight?.seek.number == number, let flying = flight else { return [] }
    switch end {
    case .refined: return []  // the next start takes its requests over
    case .superseded:
      flight = nil
      return self.end(error.map(SeekOutcome.failed) ?? .superseded) { $0.flight == number }
    case .reached: break
    }
    // Where the machine gave a flush up, it has led the deck to the newest target.
    for index in requests.indices where requests[index].flight == nil { requests[index].flight = number }
    flight?.isFlushed = true
    guard hasVideo else { return finish(shownAt: flying.target) }
    if let frame = flying.frame { return finish(shownAt: frame) }
    return []
  }

  /// A frame was shown.
  mutating func shown(_ frame: RenderedFrame) -> [Ended] {
    guard let flying = flight, flying.hasBrought(frame) else { return [] }
    flight?.frame = frame.streamTime
    guard flying.isFlushed else { return [] }
    return finish(shownAt: frame.streamTime)
  }

  /// `frameWait` is over: what is on the screen is what the seek has brought.
  mutating func waitedForFrame() -> [Ended] {
    guard let flying = flight, flying.isFlushed else { return [] }
    return finish(shownAt: flying.target)
  }

  /// The machine has given up the seek that it kept: it wasn't begun, and the one that it works on leads elsewhere.
  mutating func dropped() -> [Ended] { end(.superseded) { $0.flight == nil } }

  /// The machine has come to rest: a seek that it neither works on nor keeps is none.
  mutating func settled(hasPending: Bool, inFlight: UInt32?, item: ItemID?, error: VitrineError) -> [Ended] {
    guard !hasPending, requests.contains(where: { $0.flight == nil }) else { return [] }
    if let inFlight {
      for index in requests.indices where requests[index].flight == nil { requests[index].flight = inFlight }
      return []
    }
    // A seek of an item that was left isn't a fault of the item shown now.
    return end(.superseded) { $0.flight == nil && $0.item != nil && $0.item != item }
      + end(.failed(error)) { $0.flight == nil }
  }

  /// Nothing will be sought any more.
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
