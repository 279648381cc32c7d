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
    guard ending == nil, let display, let loop, let engine else { return }
    let presentation = presenter.present(overlayFacts(engine.machine), at: now)
    if presentation.isChanged {
      let image = renderer.render(presentation.model, screen: display.target.size)
      overlayOnScreen = image
      display.showOverlay(image)
    }
    overlayTimer = presentation.nextRefresh.map { due in
      loop.after(max(.milliseconds(1), due - now)) { [weak self] in self?.assumeIsolated { $0.refreshOverlay() } }
    }
  }

  var now: Instant { Instant.monotonicNow }

  private func overlayFacts(_ machine: PlaybackMachine) -> OverlayFacts {
    var bar = TransportBar(title: "", isPlaying: machine.wantsToPlay)
    var buffering: Int?
    if let deck = machine.current {
      let item = deck.media
      bar.title = item.title
      bar.position = position(of: deck, item)
      bar.duration = deck.readiness.duration
      bar.isLive = deck.readiness.isLive
      if item.isRemote, machine.waitingReason == .buffering || machine.waitingReason == .preparing {
        buffering = deck.phase == .preparing ? 0 : deck.bufferingPercent
      }
    }
    return OverlayFacts(bar: bar, bufferingPercent: buffering, message: message, card: card)
  }

  /// Of the frame shown; a picture has only one, so that its time is the clock's.
  private func position(of deck: PlaybackDeck, _ item: MediaItem) -> Duration? {
    switch deck.phase {
    case .preparing: nil
    case .playing(let base) where item.kind == .picture:
      min(max(.zero, now - base - deck.readiness.firstRunningTime), deck.readiness.duration ?? .zero)
    case .ready, .playing, .held: deck.position
    }
  }

  // MARK: Snapshot

  func takeSnapshot() {
    guard let request = options.snapshot, let engine, let display, let mailbox else { return }
    if case .taking = snapshot { return }
    snapshot = .taking
    let screen = display.target.size
    let overlay = overlayOnScreen
    let path = request.path
    engine.captureFrame { frame in
      mailbox.post(.snapshotTaken(SnapshotFile.write(frame, overlay: overlay, screen: screen, to: path)))
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
