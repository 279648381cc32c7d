package import MainLoop
package import PlaybackCore

/// A fake stage with a simulated time, on a loop: the base of benches for engines, screens and groups of screens. On
/// the loop's thread.
package final class FakePlayback {
  package let stage = FakeStage()
  package let clock: ManualClock
  private let executor: GLibExecutor

  /// - Parameter start: the first instant of the simulated time.
  package init(executor: GLibExecutor, start: Instant = Instant(nanoseconds: 1_000_000_000_000)) {
    self.executor = executor
    clock = ManualClock(now: start)
  }

  /// Waits until all events have been handled, with their consequences.
  package func settle(isolation: isolated (any Actor)? = #isolation) async {
    // Made for each call, because it has to come after the mailboxes of all engines made so far.
    let turns = LoopTurns(executor: executor)
    var heard = -1
    while heard != stage.toldCount {
      heard = stage.toldCount
      await turns.pass()
    }
  }

  /// Advances the time, firing each timer when it is due.
  package func advance(by duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
    let end = clock.now + duration
    while clock.step(until: end) { await settle() }
    await settle()
  }

  /// Makes the newest output show a frame of a deck; without one it does nothing.
  package func showFrame(of id: DeckID?, at position: Duration, isolation: isolated (any Actor)? = #isolation) async {
    guard let id, let deck = stage.deck(id), let output = stage.outputs.last else { return }
    output.show(deck, at: position, now: clock.now)
    await settle()
  }
}
