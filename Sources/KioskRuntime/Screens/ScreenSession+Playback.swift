internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// What the engine tells: for the log, the cards, the kiosk.

extension ScreenSession: PlayerEngineOwner {
  func engine(_ engine: PlayerEngine, tells notice: PlaybackNotice) {
    content.notices.append(notice)
    notePlay(notice)
    playbackTold(notice)
  }

  func engine(_ engine: PlayerEngine, output event: OutputEvent) {
    notePlay(event)
    outputTold(event)
  }

  func engine(_ engine: PlayerEngine, deck: DeckID, tells event: DeckEvent) {
    switch event {
    case .framePath(let path):
      // Once per item: a board whose hardware decodes is to show its frames without the processor.
      if path.isCopied { log.notice("\(deck): \(path.text)") } else { log.debug("\(deck): \(path.text)") }
    case .warning(let problem):
      log.warning("\(problem.line)")
      if problem.number == MediaErrors.partUndecodedNumber { tellProblem(problem) }
    case .ready(let readiness): chooseRefresh(for: deck, readiness)
    default: break
    }
  }

  func engine(_ engine: PlayerEngine, shows subtitles: [SubtitleCue]) {
    content.subtitles = subtitles
    overlayChanged()
  }

  func engine(_ engine: PlayerEngine, avoids decoder: String) {
    owner?.screen(name, tells: .decoderIsSilent(decoder))
  }

  func engine(_ engine: PlayerEngine, gaveUp deck: DeckID) {
    log.warning("\(deck) doesn't answer and is given up")
    steps?.gaveUp(deck)
    owner?.screen(name, tells: .pipelinesHang(isOutput: false))
  }

  func engine(_ engine: PlayerEngine, outputIsStuck step: OutputHealth.Step, _ error: VitrineError) {
    guard !hasEnded else { return }
    tell(error)
    tellProblem(error)
    switch step {
    case .passOver: break
    case .rebuild: tellScreen(.stuck(reopens: false))
    case .reopen: tellScreen(.stuck(reopens: true))
    case .replace: owner?.screen(name, tells: .pipelinesHang(isOutput: true))
    }
  }

  func engine(_ engine: PlayerEngine, outputRecoveredBy step: OutputHealth.Step) {
    log.notice("the output shows frames again; done last: \(step.rawValue)")
  }

  func engineDidSettle(_ engine: PlayerEngine) {
    notePlaySettled()
    owner?.screen(name, tells: .settled)
    let notices = content.notices
    content.notices = []
    turn {
      // Nothing else concerns it: this comes with each frame.
      if !notices.isEmpty || interaction.scrubTarget != nil { tellInteraction(.playbackSettled(notices)) }
      overlay.isStale = true
    }
  }

  /// Most of what a film tells: with nothing above it that changes with its frames, nothing is to be done.
  func engineShowedFrame(_ engine: PlayerEngine) {
    guard interaction.followsFrames || options.dip != nil || overlay.isStale || !content.notices.isEmpty else {
      return
    }
    engineDidSettle(engine)
  }

  private func playbackTold(_ notice: PlaybackNotice) {
    if notice.isRemedy { frames.remedies += 1 }
    switch notice {
    case .itemPreparing(let item, let id):
      log.debug("preparing \(name(of: item)) in \(id)")
      output.refresh.itemPreparing()
      tellOutputChange()
    case .itemStarted(let item, _, let start, _): itemStarted(item, at: start)
    case .outputMayChange: changeOutput()
    case .itemFailed(let item, let error):
      tell(error)
      if let entry = machine.queue.entry(item) { owner?.screen(name, tells: .itemFailed(entry.item, error)) }
    case .itemPassed(let item):
      log.notice("\(name(of: item)) isn't there in time: what is on this board is shown first")
    case .reconnecting(let item, _, let attempt, let due, let error):
      let wait = Int((due - now).inSeconds.rounded())
      owner?.screen(name, tells: .reconnecting(error))
      if !frames.hasShownFrame { waitForFirst(item, error, wait) }
      log.warning("\(error.line); opened again \(wait > 0 ? "in \(wait) s" : "now") (try \(attempt))")
    case .roundFailed(let retryAt): roundFailed(retryAt: retryAt)
    case .queueEnded: queueEnded()
    case .seekStarted(let number, let target, let mode):
      log.debug("seek \(number) to \(target.inSeconds) s: \(mode.rawValue)")
    case .seekEnded(let number, let end): log.debug("seek \(number) ended: \(end.rawValue)")
    case .unexpected(let fact, let deck):
      guard let heldBack = unexpectedLines.takeLine(fact, at: now) else { break }
      tell(PlaybackErrors.unexpected(fact, deck, heldBack: heldBack))
    case .finished, .itemEnded, .seekDropped, .stoppedAtEnd, .waitingChanged: break
    }
  }

  private func itemStarted(_ item: ItemID, at start: Instant) {
    log.info("\(name(of: item))")
    output.refresh.itemStarted(item)
    tellOutputChange()
    if let entry = machine.queue.entry(item) { owner?.screen(name, tells: .itemStarted(entry.item)) }
    content.card = nil
    isOver = false
    // With the first frame: until then the item before is heard.
    startTimer(.sound, after: max(.zero, start - now)) { [weak self] in self?.changeSoundDevice() }
  }

  /// The visitors' list gives way to the loop; the loop's end is the end.
  private func queueEnded() {
    guard !hasEnded else { return }
    if interaction.returnsToLoopAtEnd { return tellInteraction(.queueEnded) }
    finishSnapshot { [weak self] in
      guard let self, !hasEnded else { return }
      isOver = true
      owner?.screen(name, tells: .playlistEnded)
    }
  }

  /// `item 3: file:///...`, by its place in the list.
  private func name(of item: ItemID) -> String {
    guard let index = machine.queue.index(of: item) else { return "an item that is gone" }
    return "item \(index + 1): \(Redaction.value(machine.queue.entries[index].item.uri))"
  }

  // MARK: Cards

  /// Nothing has been shown yet, and the only item can't be opened.
  private func waitForFirst(_ item: ItemID, _ error: VitrineError, _ wait: Int) {
    let title = machine.queue.entry(item)?.item.title ?? ""
    content.card = ErrorCard(
      number: error.number, headline: "Waiting for the network",
      body: "\(title.isEmpty ? error.subject : title): \(error.message). "
        + (wait > 0 ? "The next try is in \(wait) s." : "It is tried again."),
      footer: HostName.text)
  }

  private func roundFailed(retryAt: Instant?) {
    guard let retryAt else { return }
    let seconds = Int((retryAt - now).inSeconds.rounded())
    let error = PlaybackErrors.nothingPlayable(retryIn: seconds)
    tell(error)
    tellProblem(error)
    // The last picture stays while what can't be played may yet be rolled back.
    if owner?.screenAsksForRollBack() == true { return }
    content.card = ErrorCard(
      number: error.number, headline: "Nothing can be played",
      body: "None of the \(machine.queue.count) items of the playlist could be played. "
        + "The next try is in \(seconds) s.",
      footer: HostName.text)
  }

  // MARK: The output

  private func outputTold(_ event: OutputEvent) {
    switch event {
    // Touches come by the connection that the sink's own thread reads too, and a reader waits for the others.
    case .ready: if output.display?.kind == .wayland { ThreadPriority.answerAtOnce(threadsNamed: "GstWlDisplay") }
    case .failed(let error): displayFailed(error)
    case .frame(let frame): count(frame)
    case .planeRefused(let deck, let size):
      log.notice(
        "\(deck): the plane doesn't scale \(size.width)x\(size.height) to the screen; the processor does for this item")
    // Of an item without a picture it is what frames are of a film.
    case .heard(let sound): frames.note(sound.deck, at: sound.at)
    case .sound(.on(let device)): log.info("sound: \(device)")
    case .sound(.off(let error)):
      // The output tries again by itself.
      guard !hasEnded else { return }
      tell(error)
      tellProblem(error)
    case .sound(.absent): log.info("sound: none")
    case .closed, .clockLost: break
    }
  }

  private func count(_ frame: RenderedFrame) {
    guard frame.wasRendered else { return }
    frames.note(frame.deck, at: frame.at)
    // The last ones of a deck that has been replaced say nothing of the new one.
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
