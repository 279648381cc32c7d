internal import PlaybackCore

/// The output on the present screen, and those that are being taken down.
struct EngineOutputs {
  /// Nil without a screen.
  private(set) var current: (any EngineOutput)?
  /// The number of the present output, or one that none has: events of other numbers are stale.
  private(set) var generation: UInt32 = 0
  /// Whether a sink failed to go down in time: it may hold its screen for as long as the process lives.
  var hasAbandoned = false
  private var retired: [UInt32: Retired] = [:]

  private struct Retired {
    var output: any EngineOutput
    var deadline: any EngineTimer
    var done: () -> Void
  }

  /// Whether a retired sink may still hold a screen.
  var isRetiring: Bool { !retired.isEmpty }

  /// The number for the next output.
  mutating func makeNumber() -> UInt32 {
    generation += 1
    return generation
  }

  mutating func put(_ output: (any EngineOutput)?) { current = output }

  /// Makes the events of the present output stale, but for its last ones; returns it with its number.
  mutating func detach() -> (output: any EngineOutput, generation: UInt32)? {
    guard let output = current else { return nil }
    defer { generation += 1 }
    current = nil
    return (output, generation)
  }

  /// Keeps an output until it is down.
  ///
  /// - Parameters:
  ///   - deadline: ends the wait for it.
  ///   - done: called when it is down.
  mutating func retire(
    _ output: any EngineOutput, _ generation: UInt32, deadline: any EngineTimer, then done: @escaping () -> Void
  ) {
    retired[generation] = Retired(output: output, deadline: deadline, done: done)
  }

  /// Lets a retired output go; returns what is to be called.
  mutating func end(_ generation: UInt32) -> (() -> Void)? { retired.removeValue(forKey: generation)?.done }
}

/// Decks on their way down.
struct LeavingDecks {
  /// Decks that are being taken down, each with the timer that gives it up.
  private var going: [DeckID: any EngineTimer] = [:]
  /// Decks that were given up and haven't come down since, each with its incarnation. Each keeps a thread and its
  /// memory.
  private(set) var hung: [DeckID: UInt32] = [:]

  var isEmpty: Bool { going.isEmpty }

  mutating func add(_ id: DeckID, givenUpBy timer: any EngineTimer) { going[id] = timer }

  /// Notes that a deck is down; false where it wasn't on its way.
  mutating func remove(_ id: DeckID) -> Bool { going.removeValue(forKey: id) != nil }

  /// Notes that a deck doesn't come down.
  mutating func giveUp(_ id: DeckID, incarnation: UInt32) { hung[id] = incarnation }

  /// Notes that a deck that was given up has come down after all; false where it wasn't given up.
  mutating func cameDown(_ id: DeckID, incarnation: UInt32) -> Bool {
    guard hung[id] == incarnation else { return false }
    hung[id] = nil
    return true
  }

  /// Waits for no deck any more.
  mutating func endWaits() { going = [:] }
}
