package import MainLoop
package import PlaybackCore

/// A fake stage with a time of its own, on a loop: what a bench for engines, screens or groups of screens stands on. On the loop's
/// thread.
package final class FakePlayback {
  package let stage = FakeStage()
  package let clock: ManualClock
  private let executor: GLibExecutor

  /// - Parameter start: the time at which it begins.
  package init(executor: GLibExecutor, start: Instant = Instant(nanoseconds: 1_000_000_000_000)) {
    self.executor = executor
    clock = ManualClock(now: start)
  }

  /// Until all that was told has been handled, and what came of that.
  package func settle(isolation: isolated (any Actor)? = #isolation) async {
    // Anew each time: it has to come after the mailboxes of all engines that there are by now.
    let turns = LoopTurns(executor: executor)
    var heard = -1
    while heard != stage.toldCount {
      heard = stage.toldCount
      await turns.pass()
    }
  }

  /// Has time go on, with every timer in its turn.
  package func advance(by duration: Duration, isolation: isolated (any Actor)? = #isolation) async {
    let end = clock.now + duration
    while clock.step(until: end) { await settle() }
    await settle()
  }

  /// Has the newest output show a frame of a deck; of none it does nothing.
  package func showFrame(of id: DeckID?, at position: Duration, isolation: isolated (any Actor)? = #isolation) async {
    guard let id, let deck = stage.deck(id), let output = stage.outputs.last else { return }
    output.show(deck, at: position, now: clock.now)
    await settle()
  }
}
