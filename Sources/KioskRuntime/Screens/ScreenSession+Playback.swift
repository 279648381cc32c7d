internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Passes the engine's notices on to the log, the cards and the kiosk.

extension ScreenSession: PlayerEngineOwner {
  func engine(_ engine: PlayerEngine, tells notice: EngineNotice) {
    switch notice {
    case .playback(let notice):
      content.notices.append(notice)
      recordPlay(notice)
      followCues(notice)
      playbackTold(notice)
    case .output(let event):
      recordPlay(event)
      outputTold(event)
    case .deck(let deck, let event): deckTold(event, of: deck)
    case .subtitlesChanged(let subtitles):
      content.subtitles = subtitles
      overlayChanged()
    case .decoderAvoided(let decoder): owner?.screen(name, tells: .decoderIsSilent(decoder))
    case .deckGivenUp(let deck):
      log.warning("\(deck) doesn't answer and is given up")
      steps?.gaveUp(deck)
      owner?.screen(name, tells: .pipelinesHang(isOutput: false))
    case .outputStuck(let step, let error): outputIsStuck(step, error)
    case .outputRecovered(let step): log.notice("the output shows frames again; done last: \(step.rawValue)")
    case .settled(let isOnlyFrame): if !isOnlyFrame || followsFrames { settle() }
    }
  }

  private func deckTold(_ event: DeckEvent, of deck: DeckID) {
    switch event {
    case .framePath(let path):
      // Logged once per item: on a board with a hardware decoder, the processor shouldn't copy frames.
      if path.isCopied { log.notice("\(deck): \(path.text)") } else { log.debug("\(deck): \(path.text)") }
    case .warning(let problem):
      log.warning("\(problem.line)")
      if problem.number == MediaErrors.partUndecodedNumber { reportProblem(problem) }
    case .ready(let readiness): chooseRefresh(for: deck, readiness)
    // The bar has a button for captions where there are any.
    case .tracks: overlayChanged()
    default: break
    }
  }

  private func outputIsStuck(_ step: OutputHealth.Step, _ error: VitrineError) {
    guard !hasEnded else { return }
    logProblem(error)
    reportProblem(error)
    switch step {
    case .passOver: break
    case .rebuild: handleScreenEvent(.stuck(reopens: false))
    case .reopen: handleScreenEvent(.stuck(reopens: true))
    case .replace: owner?.screen(name, tells: .pipelinesHang(isOutput: true))
    }
  }

  private func settle() {
    recordPlaySettled()
    owner?.screen(name, tells: .settled)
    let notices = content.notices
    content.notices = []
    turn {
      // The interaction machine needs only these: the engine settles with each frame.
      if !notices.isEmpty || interaction.scrubTarget != nil { feedInteraction(.playbackSettled(notices)) }
      for case .itemStarted(let item, _, _, _) in notices {
        if let entry = machine.queue.entry(item) { feedInteraction(.itemStarted(item, atEnd: entry.item.atEnd)) }
      }
      overlay.isStale = true
    }
  }

  /// Whether a frame alone is to be followed. Most frames need nothing: no part of the overlay changes with them.
  private var followsFrames: Bool {
    interaction.followsFrames || options.settings.playback.dip != nil || overlay.isStale || !content.notices.isEmpty
  }

  private func playbackTold(_ notice: PlaybackNotice) {
    if notice.isRemedy { frames.remedies += 1 }
    switch notice {
    case .itemPreparing(let item, let id):
      log.debug("preparing \(name(of: item)) in \(id)")
      output.refresh.itemPreparing()
      reportOutputChange()
    case .itemStarted(let item, _, let start, _): itemStarted(item, at: start)
    case .outputMayChange: changeOutput()
    case .itemFailed(let item, let error):
      logProblem(error)
      if let entry = machine.queue.entry(item) { owner?.screen(name, tells: .itemFailed(entry.item, error)) }
    case .itemPassed(let item):
      log.notice("\(name(of: item)) isn't ready in time: items whose files are on this board play first")
    case .reconnecting(let item, _, let attempt, let due, let error):
      let wait = Int((due - now).inSeconds.rounded())
      owner?.screen(name, tells: .reconnecting(error))
      if !frames.hasShownFrame { waitForFirst(item, error, wait) }
      log.warning("\(error.line); reopened \(wait > 0 ? "in \(wait) s" : "now") (try \(attempt))")
    case .versionChanged(_, let deck, let error?): deckTold(.warning(error), of: deck)
    case .roundFailed(let retryAt): roundFailed(retryAt: retryAt)
    case .queueEnded: queueEnded()
    case .seekStarted(let number, let target, let mode):
      log.debug("seek \(number) to \(target.inSeconds) s: \(mode.rawValue)")
    case .seekEnded(let number, let end): log.debug("seek \(number) ended: \(end.rawValue)")
    case .unexpected(let fact, let deck):
      guard let heldBack = unexpectedLines.admitLine(fact, at: now) else { break }
      logProblem(PlaybackErrors.unexpected(fact, deck, heldBack: heldBack))
    case .finished, .itemEnded, .versionChanged, .seekDropped, .stoppedAtEnd, .waitingChanged: break
    }
  }

  private func itemStarted(_ item: ItemID, at start: Instant) {
    log.info("\(name(of: item))")
    output.refresh.itemStarted(item)
    reportOutputChange()
    if let entry = machine.queue.entry(item) { owner?.screen(name, tells: .itemStarted(entry.item)) }
    content.card = nil
    isOver = false
    // With the first frame: until then the previous item is heard.
    startTimer(.sound, after: max(.zero, start - now)) { [weak self] in self?.changeSoundDevice() }
  }

  /// Ends the list: after the visitors' list comes the loop, after the loop the end of the playlist.
  private func queueEnded() {
    guard !hasEnded else { return }
    if interaction.returnsToLoopAtEnd { return feedInteraction(.queueEnded) }
    finishSnapshot { [weak self] in
      guard let self, !hasEnded else { return }
      isOver = true
      owner?.screen(name, tells: .playlistEnded)
    }
  }

  /// An item's name for the log, by its place in the list: `item 3: file:///...`.
  private func name(of item: ItemID) -> String {
    guard let index = machine.queue.index(of: item) else { return "an item that is no longer listed" }
    return "item \(index + 1): \(Redaction.value(machine.queue.entries[index].item.uri))"
  }

  // MARK: Cards

  /// Shows a card: nothing has been shown yet, and the only item can't be opened.
  private func waitForFirst(_ item: ItemID, _ error: VitrineError, _ wait: Int) {
    let title = machine.queue.entry(item)?.item.title ?? ""
    content.card = ErrorCard(
      number: error.number, headline: VisitorText(.waitingForNetwork),
      body: .sentences([
        VisitorText(
          .itemFailed, ["item": .name(title.isEmpty ? error.subject : title), "error": .text(.error(error))]),
        wait > 0 ? VisitorText(.nextTry, ["seconds": .number(wait)]) : VisitorText(.triedAgain),
      ]),
      footer: .names([HostName.text]))
  }

  private func roundFailed(retryAt: Instant?) {
    guard let retryAt else { return }
    let seconds = Int((retryAt - now).inSeconds.rounded())
    let error = PlaybackErrors.nothingPlayable(retryIn: seconds)
    logProblem(error)
    reportProblem(error)
    // The last picture stays while the configuration may still be rolled back.
    if owner?.screenAsksForRollBack() == true { return }
    content.card = ErrorCard(
      number: error.number, headline: VisitorText(.nothingPlayable),
      body: .sentences([
        VisitorText(.noItemPlayable, ["count": .number(machine.queue.count)]),
        VisitorText(.nextTry, ["seconds": .number(seconds)]),
      ]),
      footer: .names([HostName.text]))
  }

  // MARK: The output

  private func outputTold(_ event: OutputEvent) {
    switch event {
    // The sink's own thread reads the connection that also carries touches, and a reader waits for the others.
    case .ready: if output.display?.kind == .wayland { ThreadPriority.answerAtOnce(threadsNamed: "GstWlDisplay") }
    case .failed(let error): displayFailed(error)
    case .frame(let frame): count(frame)
    case .planeRefused(let deck, let size):
      log.notice(
        "\(deck): the plane doesn't scale \(size.width)x\(size.height) to the screen; the processor does for this item")
    // An item without a picture has these instead of frames.
    case .heard(let sound):
      frames.recordOutput(sound.deck, at: sound.at)
      followCues(sound.deck, sound.epoch, at: sound.streamTime, isSound: true)
    case .sound(.off(let error)) where !hasEnded, .headset(.off(let error)) where !hasEnded:
      // The output itself tries again.
      logProblem(error)
      reportProblem(error)
    case .sound(let news): log.info("sound: \(news.device)")
    case .headset(let news): log.info("headset: \(news.device)")
    case .closed, .clockLost: break
    }
  }

  private func count(_ frame: RenderedFrame) {
    guard frame.wasRendered else { return }
    frames.recordOutput(frame.deck, at: frame.at)
    followCues(frame.deck, frame.epoch, at: frame.streamTime, isSound: false)
    // The last frames of a replaced deck say nothing of the new one.
    if frame.deck == machine.current?.id { frames.stays = frame.stays }
    if !frames.hasShownFrame {
      frames.hasShownFrame = true
      log.debug("first frame shown")
      owner?.screen(name, tells: .firstFrame)
      startSnapshotTimer()
    }
    if frames.newestDeck != frame.deck {
      frames.newestDeck = frame.deck
      calling("the first frame") { output.display?.videoDidStart() }
    }
  }
}
