internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// What the playback machine wants done, and what decks tell.

extension Kiosk {
  func perform(_ action: PlaybackAction) {
    switch action {
    case .buildDeck(let id, let item, let position): build(id, item: item, from: position)
    case .playDeck(let id, let base): decks[id]?.play(base: base)
    case .pauseDeck(let id):
      decks[id]?.pause()
      // Held back for data, frames stay due: what comes late is a stall.
      if !machine.wantsToPlay { ledger.paused() }
    case .seekDeck(let id, let target, let mode, let seek, let preview):
      decks[id]?.seek(to: target, mode, seek: seek, preview: preview)
    case .dropDeck(let id): drop(id)
    case .abandonDeck(let id):
      log.warning("\(id) doesn't answer and is given up")
      ledger.deckAbandoned()
      decks.removeValue(forKey: id)?.drop()
    case .startTimer(let timer, let due):
      timers[timer] = loop?.after(max(.zero, due - now)) { [weak self] in self?.assumeIsolated { $0.fire(timer) } }
    case .cancelTimer(let timer): timers[timer] = nil
    case .tell(let notice): take(notice)
    }
  }

  private func fire(_ timer: PlaybackTimer) {
    timers[timer] = nil
    feed(.timerFired(timer))
  }

  private func build(_ id: DeckID, item: Int, from position: Duration) {
    guard let output, machine.queue.indices.contains(item) else { return feed(.deckGone(id)) }
    let media = machine.queue[item]
    let recipe = DeckRecipe(
      id: id, item: media, from: position,
      pictureDuration: media.pictureDuration ?? machine.policy.pictureDuration)
    deckItems[id] = item
    do {
      let deck = try output.makeDeck(recipe) { [weak mailbox] event in mailbox?.post(.deck(id, event)) }
      decks[id] = deck
      deck.prepare()
    } catch {
      feed(.deckFailed(id, error))
    }
  }

  private func drop(_ id: DeckID) {
    guard let deck = decks.removeValue(forKey: id) else { return feed(.deckGone(id)) }
    leaving[id] = loop?.after(RuntimeTiming.deckTeardown) { [weak self] in self?.assumeIsolated { $0.giveUp(id) } }
    deck.drop()
  }

  private func giveUp(_ id: DeckID) {
    guard leaving.removeValue(forKey: id) != nil else { return }
    log.warning("\(id) doesn't come down and is given up")
    ledger.deckAbandoned()
    deckIsGone(id)
  }

  private func deckIsGone(_ id: DeckID) {
    ledger.deckGone(id)
    deckItems[id] = nil
    feed(.deckGone(id))
    endIfQuiet()
  }

  // MARK: What decks tell

  func receive(_ event: DeckEvent, from id: DeckID) {
    if case .gone = event {
      guard leaving.removeValue(forKey: id) != nil else { return }
      return deckIsGone(id)
    }
    guard decks[id] != nil, let item = deckItems[id] else { return }
    switch event {
    case .ready(let readiness):
      ledger.duration(readiness.duration, item: item)
      feed(.deckReady(id, readiness))
    case .failed(let error): feed(.deckFailed(id, error))
    case .streamEnded(let kind, let end, let buffers, let lastDuration):
      if kind == .video { ledger.videoEnded(deck: id, frames: buffers, lastFrameDuration: lastDuration) }
      feed(.streamEnded(id, kind, at: end))
    case .durationChanged(let duration):
      ledger.duration(duration, item: item)
      feed(.durationChanged(id, duration))
    case .buffering(let percent): feed(.bufferingChanged(id, percent: percent))
    case .mediaSize(let size, let interval):
      ledger.mediaSize(size, item: item)
      if let interval { ledger.frameInterval(interval, deck: id, item: item) }
    case .seekFinished(let seek, let readiness): feed(.seekFinished(id, seek: seek, readiness))
    case .framesSkipped(let count): ledger.framesSkippedByDecoder(count)
    case .clockLost: log.warning("\(id) lost its clock; the output keeps its own")
    case .gone: break
    }
  }

  // MARK: What the machine tells

  private func take(_ notice: PlaybackNotice) {
    switch notice {
    case .itemPreparing(let item, let id): log.debug("preparing item \(item + 1) in \(id): \(machine.queue[item].uri)")
    case .itemStarted(let item, let id, _, let isAutomatic):
      log.info("item \(item + 1): \(machine.queue[item].uri)")
      deckItems[id] = item
      card = nil
      ledger.itemStarted(item, deck: id, isAutomatic: isAutomatic)
    case .itemEnded(let item, _): ledger.itemEnded(item)
    case .itemFailed(let item, let error):
      log(error)
      ledger.itemFailed(item, error)
    case .waitingChanged(let reason): ledger.waiting(reason)
    case .seekStarted(let number, let target, let mode): ledger.seekStarted(number, to: target, mode, at: now)
    case .seekEnded(let number, let superseded): ledger.seekEnded(number, superseded: superseded)
    case .roundFailed(let retryAt): roundFailed(retryAt: retryAt)
    case .finished: playlistFinished()
    case .bug(let text): log.critical("this should not happen: \(text)")
    }
  }

  private func roundFailed(retryAt: Instant?) {
    guard let retryAt else { return }
    let seconds = Int((retryAt - now).inSeconds.rounded())
    let error = PlaybackErrors.nothingPlayable(retryIn: seconds)
    log(error)
    ledger.outputFailed(error)
    card = ErrorCard(
      number: error.number, headline: "Nothing can be played",
      body:
        "None of the \(machine.queue.count) items of the playlist could be played. The next try is in \(seconds) s.",
      footer: HostName.text)
  }

  /// The playlist has come to its end: a snapshot that is still due shows the last frame, then the run ends.
  private func playlistFinished() {
    guard ending == nil else { return }
    let exitCode = ledger.framesRendered > 0 || playedSound ? KioskExit.done : KioskExit.nothingPlayed
    if case .waiting = snapshot {
      takeSnapshot()
      return afterSnapshot(exitCode: exitCode)
    }
    if case .taking = snapshot { return afterSnapshot(exitCode: exitCode) }
    end(exitCode: exitCode)
  }

  /// Items without picture count as played when they came to their end without an error.
  private var playedSound: Bool {
    ledger.report(version: "", output: nil, screen: nil, exitCode: 0, at: now).items.contains { $0.status == "played" }
  }
}
