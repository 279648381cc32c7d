internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// What stands above the video, and pictures of the two together.

extension Kiosk {
  /// Shows what the presenter wants shown now. Cheap when nothing has changed.
  func refreshOverlay() {
    guard ending == nil, !holdsOverlay, let display, let loop, let engine else { return }
    let facts = overlayFacts(engine.machine)
    let presentation = presenter.present(facts, at: now)
    if presentation.isChanged {
      overlayModel = presentation.model
      let begin = now
      showOverlay(on: display)
      presenter.drew(in: now - begin)
    }
    input.bar = facts.bar
    overlayTimer = presentation.nextRefresh.map { due in
      loop.after(max(.milliseconds(1), due - now)) { [weak self] in self?.assumeIsolated { $0.refreshOverlay() } }
    }
  }

  /// Draws the model for this screen and shows it there.
  func showOverlay(on display: any Display) {
    let image = renderer.render(overlayModel, screen: display.target.size)
    overlayOnScreen = image
    display.showOverlay(image)
    if display.target.drawsOverlay {
      let target = display.target
      engine?.drawOverlay(
        image.flatMap { OverlayPixels(frame: $0.frame, pixels: $0.pixels)?.turned(target.rotation, view: target.size) })
    }
  }

  /// What stands on the screen while an item plays that has no picture, in the look of the overlay.
  var cardPainter: CardPainter {
    let theme = Theme(options.look)
    return { card, cover, screen in
      SoundCardPicture.render(card, cover: cover, screen: screen, theme: theme)?.pixels
    }
  }

  var now: Instant { Instant.monotonicNow }

  func overlayFacts(_ machine: PlaybackMachine) -> OverlayFacts {
    var bar = TransportBar(title: "", isPlaying: machine.wantsToPlay)
    var buffering: Int?
    if let deck = machine.current {
      let item = deck.media
      bar.title = item.title
      // Until something of what follows is on the screen, what was there before is.
      if !deck.isPreparing, deck.hasShownFrames { input.isCardShown = deck.readiness.hasCard == true }
      if input.isCardShown {
        let metadata = engine?.metadata(of: deck.id) ?? MediaMetadata()
        bar.title = SoundCard(item, metadata, isStation: deck.readiness.isEndless == true).title
        bar.hidesTitle = true
      }
      // The finger's place, or where a seek leads, until frames come from there.
      let shown = input.scrub.target ?? machine.seekTarget ?? machine.position(of: deck, at: now)
      bar.position = shown.map { max(.zero, $0 - item.start) }
      bar.isDragged = input.scrub.target != nil
      // A picture moves on by itself, though one can't go to another place in it.
      bar.isSeekable = deck.isPreparing || deck.readiness.isSeekable || item.kind == .picture
      bar.duration = deck.playedRange.map { $0.upperBound - $0.lowerBound }
      bar.isLive = deck.readiness.isLive
      // What follows may be silent; until that is known the bar stays as it is.
      if !deck.isPreparing { input.hasSound = deck.readiness.hasSound }
      bar.buttons = options.look.buttons.filter { isUseful($0, machine) }
      bar.isMuted = input.volume.isMuted
      bar.chapters = deck.readiness.chapters?.map { $0 - item.start } ?? []
      if item.isRemote, let position = bar.position {
        bar.bufferedUntil = engine?.ranges(of: deck.id)?.loaded.range(containing: position)?.upperBound
      }
      if item.isRemote, [.buffering, .preparing, .reconnecting].contains(machine.waitingReason) {
        buffering = deck.isPreparing ? 0 : deck.buffering.percent
      }
    }
    var facts = OverlayFacts(
      bar: bar, bufferingPercent: buffering, message: input.message ?? message, card: card, subtitles: subtitles,
      status: input.isStatusShown ? statusCard(machine) : nil)
    facts.keepsBar = input.isCardShown && machine.current != nil
    facts.isOffline = machine.waitingReason == .reconnecting
    if let dip = options.dip {
      let veil = dip.veil(over: machine, at: now)
      facts.veil = OverlayVeil(opacity: veil.opacity, colour: options.background)
      facts.veilChangesAt = veil.changesAt
    }
    return facts
  }

  /// Whether a button would do anything now.
  private func isUseful(_ button: OverlayButton, _ machine: PlaybackMachine) -> Bool {
    switch button {
    case .playPause: true
    case .previous, .next: machine.queue.count > 1
    case .mute: options.sound.isEnabled && input.hasSound
    }
  }

  // MARK: Snapshot

  func takeSnapshot() {
    guard let request = options.snapshot, let engine, let display, let mailbox else { return }
    if case .taking = snapshot { return }
    snapshot = .taking
    let screen = display.target.size
    let isInFrame = display.target.drawsOverlay
    let overlay = overlayOnScreen
    let path = request.path
    let back = display.target.rotation.inverse
    engine.captureFrame { captured in
      if case .unreadable(let problem) = captured { return mailbox.post(.snapshotTaken(problem)) }
      let frame = captured.frame?.turned(back)
      let above = isInFrame && frame != nil ? nil : overlay
      mailbox.post(.snapshotTaken(SnapshotFile.write(frame, overlay: above, screen: screen, to: path)))
    }
  }

  func snapshotTaken(_ problem: VitrineError?) {
    if let problem {
      log.error("\(problem.line)")
      engine?.ledger.outputFailed(problem)
      hasSnapshotFailed = true
    } else if let path = options.snapshot?.path {
      log.notice("snapshot: \(path)")
    }
    snapshot = .done
    if let exitCode = exitAfterSnapshot { end(exitCode: exitCode) }
  }

  /// Ends the run when the snapshot that is being taken is there.
  func afterSnapshot(exitCode: Int32) {
    exitAfterSnapshot = exitCode
    stopTimer = loop?.after(RuntimeTiming.snapshotLimit) { [weak self] in
      self?.assumeIsolated { $0.end(exitCode: exitCode) }
    }
  }
}
