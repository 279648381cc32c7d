internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
package import MediaPipeline
package import PlaybackCore
package import VitrinePlayback

// What the engine tells: for the log, the cards, the end of the run. It calls on the loop, which is the actor's thread.

extension Kiosk: PlayerEngineOwner {
  package nonisolated func engine(_ engine: PlayerEngine, tells notice: PlaybackNotice) {
    assumeIsolated {
      $0.input.notices.append(notice)
      $0.take(notice)
    }
  }

  package nonisolated func engine(_ engine: PlayerEngine, output event: OutputEvent) {
    assumeIsolated { $0.receive(event) }
  }

  package nonisolated func engine(_ engine: PlayerEngine, deck: DeckID, tells event: DeckEvent) {
    switch event {
    case .framePath(let path):
      // Once per item: a board whose hardware decodes is to show its frames without the processor.
      assumeIsolated { path.isCopied ? $0.log.notice("\(deck): \(path.text)") : $0.log.debug("\(deck): \(path.text)") }
    case .warning(let problem): assumeIsolated { $0.log.warning("\(problem.line)") }
    case .ready(let readiness): assumeIsolated { $0.chooseRefresh(for: deck, readiness) }
    default: break
    }
  }

  package nonisolated func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue]) {
    assumeIsolated { kiosk in
      kiosk.subtitles = subtitles
      kiosk.refreshOverlay()
    }
  }

  package nonisolated func engine(_ engine: PlayerEngine, avoids decoder: String) {
    assumeIsolated { $0.rememberSilent(decoder) }
  }

  package nonisolated func engine(_ engine: PlayerEngine, gaveUp deck: DeckID) {
    let count = engine.hungDecks.count
    assumeIsolated {
      $0.log.warning("\(deck) doesn't answer and is given up")
      $0.decksHang(count)
    }
  }

  package nonisolated func engineDidSettle(_ engine: PlayerEngine) {
    assumeIsolated {
      $0.noteFilesInUse()
      $0.checkScrubbedItem()
      $0.actOnNotices()
      $0.refreshOverlay()
    }
  }

  private func take(_ notice: PlaybackNotice) {
    switch notice {
    case .itemPreparing(let item, let id):
      log.debug("preparing \(name(of: item)) in \(id)")
      refresh.itemPreparing()
      tellOutputChange()
    case .itemStarted(let item, _, let start, _):
      log.info("\(name(of: item))")
      refresh.itemStarted(item)
      tellOutputChange()
      notePlayed(item)
      giveBackMemory()
      card = nil
      // With the first frame: until then the item before is heard.
      soundTimer = loop?.after(max(.zero, start - now)) { [weak self] in
        self?.assumeIsolated { $0.changeSoundDevice() }
      }
    case .outputMayChange: changeOutput()
    case .itemFailed(let item, let error):
      log(error)
      noteCertificate(error)
      if let entry = engine?.machine.queue.entry(item) {
        session?.itemFailed(entry.item, error)
        noteDidNotPlay(entry.item)
      }
    case .reconnecting(let item, _, let attempt, let due, let error):
      let wait = Int((due - now).inSeconds.rounded())
      noteCertificate(error)
      if !hasShownFrame { waitForFirst(item, error, wait) }
      log.warning("\(error.line); opened again \(wait > 0 ? "in \(wait) s" : "now") (try \(attempt))")
    case .roundFailed(let retryAt): roundFailed(retryAt: retryAt)
    case .queueEnded: if !visitorsListEnded() { playlistFinished() }
    case .seekStarted(let number, let target, let mode):
      log.debug("seek \(number) to \(target.inSeconds) s: \(mode.rawValue)")
    case .seekEnded(let number, let end): log.debug("seek \(number) ended: \(end.rawValue)")
    case .unexpected(let fact, let deck):
      guard let heldBack = unexpectedLines.take(fact, at: now) else { break }
      log(PlaybackErrors.unexpected(fact, deck, heldBack: heldBack))
    case .finished, .itemEnded, .seekDropped, .stoppedAtEnd, .waitingChanged: break
    }
  }

  /// `item 3: file:///...`, by its place in the list.
  func name(of item: ItemID) -> String {
    guard let queue = engine?.machine.queue, let index = queue.index(of: item) else { return "an item that is gone" }
    return "item \(index + 1): \(Redaction.value(queue.entries[index].item.uri))"
  }

  /// Nothing has been shown yet, and the only item can't be opened.
  private func waitForFirst(_ item: ItemID, _ error: VitrineError, _ wait: Int) {
    let title = engine?.machine.queue.entry(item)?.item.title ?? ""
    card = ErrorCard(
      number: error.number, headline: "Waiting for the network",
      body: "\(title.isEmpty ? error.subject : title): \(error.message). "
        + (wait > 0 ? "The next try is in \(wait) s." : "It is tried again."),
      footer: HostName.text)
  }

  private func roundFailed(retryAt: Instant?) {
    guard let retryAt, let engine else { return }
    let seconds = Int((retryAt - now).inSeconds.rounded())
    let error = PlaybackErrors.nothingPlayable(retryIn: seconds)
    log(error)
    engine.ledger.outputFailed(error)
    // The last picture stays while what can't be played may yet be rolled back.
    if session?.canRollBack == true { return }
    card = ErrorCard(
      number: error.number, headline: "Nothing can be played",
      body: "None of the \(engine.machine.queue.count) items of the playlist could be played. "
        + "The next try is in \(seconds) s.",
      footer: HostName.text)
  }

  /// The playlist has come to its end: a snapshot that is still due shows the last frame, then the run ends.
  private func playlistFinished() {
    guard ending == nil, let engine else { return }
    let exitCode = engine.ledger.hasPlayedSomething ? KioskExit.done : KioskExit.nothingPlayed
    switch snapshot {
    case .waiting:
      takeSnapshot()
      afterSnapshot(exitCode: exitCode)
    case .taking: afterSnapshot(exitCode: exitCode)
    case .none, .done: end(exitCode: exitCode)
    }
  }
}
