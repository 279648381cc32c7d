internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// What the output tells: frames that were shown, sound, faults.

extension Kiosk {
  func receive(_ event: OutputEvent) {
    switch event {
    // Touches come by the connection that the sink's own thread reads too, and a reader waits for the others.
    case .ready: if display?.kind == .wayland { ThreadPriority.answerAtOnce(threadsNamed: "GstWlDisplay") }
    case .failed(let error): outputFailed(error)
    case .frame(let frame): take(frame)
    case .planeRefused(let deck, let size):
      log.notice(
        "\(deck): the plane doesn't scale \(size.width)x\(size.height) to the screen; the processor does for this item")
    // Of an item without a picture it is what frames are of a film.
    case .heard(let sound): if sound.deck == engine?.machine.current?.id { framesSinceLook += 1 }
    case .sound(.on(let device)): log.info("sound: \(device)")
    case .sound(.off(let error)): soundFailed(error)
    case .sound(.absent): log.info("sound: none")
    case .closed: break
    }
  }

  private func take(_ frame: RenderedFrame) {
    guard frame.wasRendered else { return }
    // The last ones of a deck that has been replaced say nothing of the new one.
    if frame.deck == engine?.machine.current?.id { framesSinceLook += 1 }
    if !hasShownFrame {
      hasShownFrame = true
      firstFrameShown()
    }
    if newestDeckShown != frame.deck {
      newestDeckShown = frame.deck
      display?.videoDidStart()
    }
  }

  private func firstFrameShown() {
    log.debug("first frame shown")
    if let limit = options.stopAfter { startStopTimer(limit) }
    if let snapshot = options.snapshot, case .none = self.snapshot, let loop {
      self.snapshot = .waiting(
        loop.after(snapshot.at) { [weak self] in self?.assumeIsolated { $0.takeSnapshot() } })
    }
  }

  /// The output tries again by itself.
  private func soundFailed(_ error: VitrineError) {
    guard ending == nil else { return }
    log(error)
    engine?.ledger.outputFailed(error)
  }
}
