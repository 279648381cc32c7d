internal import PlaybackCore

/// Follows each seek that was asked for until it is known what became of it.
///
/// A value: the machine says which seek the deck works on, the output says which frames were shown. A seek is through
/// when its flush is and its frame is on the screen. Frames from before the flush may still come out of the output after
/// it, and the one of the seek may come out before the answer to it; which is which is told by their times.
struct SeekTracker: Sendable {
  /// How far the frame of an exact seek may be from the target: frames half a second apart are as good as none.
  static let exactReach: Duration = .milliseconds(500)
  /// What a frame lasts, at 20 frames a second and more.
  static let frameLength: Duration = .milliseconds(50)
  /// Frames up to this far ahead of the old position may still be on their way to the screen.
  static let oldReach: Duration = .milliseconds(250)
  /// How long to wait for the frame once the flush is through.
  static let frameWait: Duration = .milliseconds(250)

  struct Ended: Hashable, Sendable {
    var id: Int
    var target: Duration
    var mode: SeekMode
    var outcome: SeekOutcome
  }

  private struct Request: Hashable, Sendable {
    var id: Int
    var target: Duration
    var mode: SeekMode
    /// The item that it was asked for; nil before there was one.
    var item: ItemID?
    /// The machine's number, once the deck works on it.
    var flight: UInt32?
  }

  private struct Flight: Hashable, Sendable {
    var number: UInt32
    var target: Duration
    var mode: SeekMode
    var oldPosition: Duration
    var lastFrame: Duration?
    var isFlushed = false
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
  mutating func requested(_ id: Int, to target: Duration, _ mode: SeekMode, item: ItemID?) -> [Ended] {
    let superseded = requests.filter { $0.target != target || $0.mode != mode }
    requests.removeAll { $0.target != target || $0.mode != mode }
    // An equal one whose flush is through is as good as done; this one is worked on again.
    requests.append(Request(id: id, target: target, mode: mode, item: item))
    return superseded.map { Ended(id: $0.id, target: $0.target, mode: $0.mode, outcome: .superseded) }
  }

  /// The deck works on the newest seek. `target` is clamped to the item.
  mutating func started(_ number: UInt32, to target: Duration, _ mode: SeekMode, from oldPosition: Duration) {
    for index in requests.indices { requests[index].flight = number }
    flight = Flight(number: number, target: target, mode: mode, oldPosition: oldPosition)
  }

  /// The machine's flush is through, or given up.
  ///
  /// - Parameters:
  ///   - error: what the item failed with, if that ended the seek.
  ///   - hasVideo: whether a frame is to come.
  mutating func ended(_ number: UInt32, superseded: Bool, error: VitrineError?, hasVideo: Bool) -> [Ended] {
    guard flight?.number == number, let flying = flight else { return [] }
    if superseded {
      flight = nil
      return end(error.map(SeekOutcome.failed) ?? .superseded) { $0.flight == number }
    }
    // Where the machine gave a flush up, it has led the deck to the newest target.
    for index in requests.indices where requests[index].flight == nil { requests[index].flight = number }
    flight?.isFlushed = true
    guard hasVideo else { return finish(shownAt: flying.target) }
    if let frame = flying.lastFrame, Self.isOf(flying, frame) { return finish(shownAt: frame) }
    return []
  }

  /// A frame of the current deck was shown.
  mutating func shown(_ frame: Duration) -> [Ended] {
    guard let flying = flight else { return [] }
    flight?.lastFrame = frame
    guard flying.isFlushed, Self.isOf(flying, frame) else { return [] }
    return finish(shownAt: frame)
  }

  /// `frameWait` is over: what is on the screen is what the seek has brought.
  mutating func waitedForFrame() -> [Ended] {
    guard let flying = flight, flying.isFlushed else { return [] }
    if flying.mode == .keyframe { return finish(shownAt: flying.lastFrame ?? flying.target) }
    return finish(shownAt: flying.target)
  }

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

  private static func isOf(_ flight: Flight, _ frame: Duration) -> Bool {
    let isOld = frame >= flight.oldPosition && frame <= flight.oldPosition + oldReach
    guard flight.mode == .exact else { return !isOld }
    let lead = flight.target - frame
    // The frame that covers the target begins at or a little before it, wherever playback was.
    return (lead >= .zero && lead <= frameLength) || (!isOld && lead >= .zero - exactReach && lead <= exactReach)
  }

  private mutating func finish(shownAt time: Duration) -> [Ended] {
    let number = flight?.number
    flight = nil
    return end(.finished(shownAt: time)) { $0.flight == number }
  }

  private mutating func end(_ outcome: SeekOutcome, _ isMeant: (Request) -> Bool) -> [Ended] {
    let ended = requests.filter(isMeant)
    requests.removeAll(where: isMeant)
    return ended.map { Ended(id: $0.id, target: $0.target, mode: $0.mode, outcome: outcome) }
  }
}
