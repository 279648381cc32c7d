internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// The end of playback.

extension PlayerEngine {
  /// Stops playback and takes everything down: decks first, then the output, each with a deadline. `done` is called once,
  /// after at most twice `EngineTiming.finalTeardown`.
  package func end(then done: @escaping () -> Void) {
    guard ending == nil else { return }
    ledger.ended(at: now)
    ending = Ending(done: done)
    feed(.stopRequested)
    ending?.deadline = clock.after(EngineTiming.finalTeardown) { [weak self] in self?.closeOutput() }
    endIfQuiet()
  }

  /// Goes on with the end as soon as the last deck is down.
  func endIfQuiet() {
    guard let ending, !ending.isOutputClosing, leaving.isEmpty else { return }
    closeOutput()
  }

  func closeOutput() {
    guard ending?.isOutputClosing == false else { return }
    ending?.isOutputClosing = true
    guard let output else { return finishEnding() }
    ending?.deadline = clock.after(EngineTiming.finalTeardown) { [weak self] in
      self?.hasAbandonedOutput = true
      self?.finishEnding()
    }
    output.close(showsLast: false)
  }

  func finishEnding() {
    guard let ending else { return }
    self.ending = nil
    overlayTimer = nil
    output = nil
    timers = [:]
    subtitleTimer = nil
    rangesTimer = nil
    leaving = [:]
    watch.timer = nil
    hasEnded = true
    closeMailboxIfOver()
    ending.done()
  }

  /// Outputs of the past tell by it that they are down, and their screens are closed only then.
  func closeMailboxIfOver() { if hasEnded, retiredOutputs.isEmpty { mailbox?.close() } }
}

/// Deadlines of the shell, each with its reason.
package enum EngineTiming {
  /// A deck that isn't down after this is given up: teardown takes milliseconds, unless a network source hangs for ever.
  package static let deckTeardown: Duration = .seconds(2)
  /// How often items from a network are asked how far they have loaded: as often as a bar that shows it can be seen to move.
  package static let rangesInterval: Duration = .milliseconds(500)
  /// At the end, decks get this long and the output as long again: together below the second that SIGTERM may take.
  package static let finalTeardown: Duration = .milliseconds(400)
  /// The next frame brings a new overlay with it. When none has come by then, the last is shown anew: longer than a frame
  /// lasts at 12 frames a second, and short enough for a finger that waits for its answer.
  package static let frameWait: Duration = .milliseconds(90)
  /// A sink that isn't down after this no longer keeps the screen from being opened again.
  package static let outputTeardown: Duration = .seconds(3)
}
