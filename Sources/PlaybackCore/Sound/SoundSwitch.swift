/// Decides which of a deck's sounds is heard: the film's own, or a side sound, which comes from a pipeline of its own.
///
/// Of the side sound that is chosen: opening -> in step (a block comes that can still be heard) -> ended (its file is
/// shorter than the film); flushed from any of them -> opening; failed from any of them: closed. While it opens,
/// what was heard before goes on. After a seek and at the film's start nothing was heard yet: then the film's own sound
/// waits for `patience`, so that no moment of another language is heard.
public struct SoundSwitch: Hashable, Sendable {
  /// The source of a block; 0 is the film.
  public typealias Lane = UInt32

  public enum Event: Hashable, Sendable {
    /// Another side sound is wanted; nil is the film's own.
    case chosen(Lane?)
    /// The deck was flushed by a seek.
    case flushed
    /// A block has come from the film, or from a side sound, with its place in the deck's running time.
    case block(Lane, from: Duration, to: Duration)
    /// A side sound has given its last block.
    case ended(Lane)
    /// A side sound can't be played.
    case failed(Lane)
  }

  public enum Action: Hashable, Sendable {
    /// The block of this event is heard.
    case pass
    /// The side sound is needed no more.
    case close(Lane)
    /// The side sound has kept the film waiting; reported once for each.
    case isLate(Lane)
  }

  public enum Phase: Hashable, Sendable { case opening, inStep, ended }

  /// The wait for a side sound before the film's own is heard instead: a disk that has to spin up, or a share in
  /// the network, takes most of it; a visitor takes a longer silence for a fault.
  public static let patience: Duration = .seconds(1)
  /// A side sound that has to catch up is heard from the first block on that ends less than this before the film's
  /// newest one: both leave their pipelines 115 ms before they are heard, and the device has the next 60 ms already.
  public static let tolerance: Duration = .milliseconds(40)

  /// The chosen side sound.
  public private(set) var side: Lane?
  public private(set) var phase = Phase.opening
  /// A side sound that goes on until the chosen one is in step.
  public private(set) var former: Lane?
  /// The film's blocks since the last flush, or the last choice.
  private var filmBegan: Duration?
  private var filmEnd: Duration?
  /// Whether a block of the film was heard since the last flush.
  private var hearsFilm = false
  private var sideEnd: Duration?
  private var formerEnd: Duration?
  private var wasLate = false

  public init() {}

  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .chosen(let lane): return choose(lane)
    case .flushed:
      (filmBegan, filmEnd, sideEnd, formerEnd, hearsFilm) = (nil, nil, nil, nil, false)
      phase = .opening
      return dropFormer()
    case .block(0, let from, let to): return film(from, to)
    case .block(let lane, _, let to): return block(of: lane, until: to)
    case .ended(let lane):
      guard lane == side else { return [] }
      phase = .ended
      return dropFormer()
    case .failed(let lane):
      if lane == former { return dropFormer() }
      guard lane == side else { return [] }
      side = nil
      return [.close(lane)] + dropFormer()
    }
  }

  private mutating func choose(_ lane: Lane?) -> [Action] {
    guard lane != side else { return [] }
    var actions = dropFormer()
    if let side {
      // Back to the film, or on from a side sound that isn't heard: there is nothing to bridge.
      if lane != nil, phase == .inStep {
        (former, formerEnd) = (side, sideEnd)
      } else {
        actions.append(.close(side))
      }
    }
    // The wait counts from now on.
    (side, phase, sideEnd, wasLate, filmBegan) = (lane, .opening, nil, false, nil)
    return actions
  }

  private mutating func dropFormer() -> [Action] {
    defer { former = nil }
    return former.map { [.close($0)] } ?? []
  }

  private mutating func film(_ from: Duration, _ to: Duration) -> [Action] {
    let began = filmBegan ?? from
    (filmBegan, filmEnd) = (began, to)
    guard let side else { return pass() }
    switch phase {
    case .ended: return []
    case .inStep:
      guard let sideEnd, to - sideEnd > Self.patience else { return [] }
      phase = .opening
      return late(side)
    case .opening:
      if former != nil {
        guard let formerEnd, to - formerEnd > Self.patience else { return [] }
        return dropFormer() + late(side)
      }
      if hearsFilm || wasLate { return pass() }
      return to - began > Self.patience ? late(side) : []
    }
  }

  private mutating func late(_ side: Lane) -> [Action] {
    defer { wasLate = true }
    return (wasLate ? [] : [.isLate(side)]) + pass()
  }

  private mutating func pass() -> [Action] {
    hearsFilm = true
    return [.pass]
  }

  private mutating func block(of lane: Lane, until to: Duration) -> [Action] {
    if lane == former {
      formerEnd = to
      return [.pass]
    }
    guard lane == side else { return [] }
    sideEnd = to
    guard phase != .inStep else { return [.pass] }
    // What is heard now; from there on the two are the same sound's time.
    let heard = former != nil ? formerEnd : hearsFilm ? filmEnd : nil
    if let heard, to < heard - Self.tolerance { return [] }
    phase = .inStep
    hearsFilm = false
    return dropFormer() + [.pass]
  }
}
