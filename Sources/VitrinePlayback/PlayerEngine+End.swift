internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// The end of the engine: decks and output are taken down.

extension PlayerEngine {
  /// Stops playback and takes everything down: decks first, then the output, each with a deadline. `done` is called
  /// once, after at most twice `EngineTiming.finalTeardown`.
  package func end(then done: @escaping () -> Void) {
    guard ending == nil else { return }
    ledger.ended(at: now)
    ending = Ending(done: done)
    feed(.stopRequested)
    ending?.deadline = clock.after(EngineTiming.finalTeardown) { [weak self] in self?.closeOutput() }
    endIfQuiet()
  }

  /// Continues the end once the last deck is down.
  func endIfQuiet() {
    guard let ending, !ending.isOutputClosing, leaving.isEmpty else { return }
    closeOutput()
  }

  func closeOutput() {
    guard ending?.isOutputClosing == false else { return }
    ending?.isOutputClosing = true
    guard let output else { return finishEnding() }
    ending?.deadline = clock.after(EngineTiming.finalTeardown) { [weak self] in
      self?.outputs.hasAbandoned = true
      self?.finishEnding()
    }
    output.close(showsLast: false)
  }

  func finishEnding() {
    guard let ending else { return }
    self.ending = nil
    overlayTimer = nil
    outputs.put(nil)
    timers = [:]
    subtitleTimer = nil
    rangesTimer = nil
    leaving.endWaits()
    watch.timer = nil
    hasEnded = true
    closeMailboxIfOver()
    ending.done()
  }

  /// Closes the mailbox once the engine has ended and no retired output is left: retired outputs report through it that
  /// they are down, and only then their screens are closed.
  func closeMailboxIfOver() { if hasEnded, !outputs.isRetiring { mailbox?.close() } }
}

/// Deadlines of the engine, each with its reason.
package enum EngineTiming {
  /// Time for a deck's teardown, after which it is given up. It takes milliseconds, unless a network source hangs for
  /// ever.
  package static let deckTeardown: Duration = .seconds(2)
  /// Interval of polling network items for their loaded ranges: as often as movement is visible in a progress bar.
  package static let rangesInterval: Duration = .milliseconds(500)
  /// Time for the decks' teardown at the end, and again for the output's: together below the second that SIGTERM may
  /// take.
  package static let finalTeardown: Duration = .milliseconds(400)
  /// Wait for a frame to draw a new overlay into. If none has come by then, the last frame is shown again. Longer than
  /// a frame lasts at 12 frames a second, and short enough as the answer to a touch.
  package static let frameWait: Duration = .milliseconds(90)
  /// Time for a sink's teardown, after which it no longer delays the next opening of the screen.
  package static let outputTeardown: Duration = .seconds(3)
}
