internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// The screen: opened, waited for, lost; and the frames that come out of it.

extension Kiosk {
  func openScreen() {
    guard let loop, ending == nil else { return }
    screenRetry = nil
    // The old sink may still hold the card or the connection.
    guard engine?.isDetaching != true else { return retryScreen() }
    do {
      let opened = try Screen.open(options, on: loop)
      log.notice("output: \(opened.display.summary) (\(opened.reason))")
      for note in opened.notes { log.notice("\(note)") }
      hasWaitedForScreen = false
      use(opened.display)
    } catch {
      screenFailed(error)
    }
  }

  private func use(_ display: any Display) {
    self.display = display
    lastScreen = (display.kind, display.summary)
    display.onEvent = { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    engine?.attach(to: display.target, wantsSound: options.hasSound)
  }

  private func receive(_ event: DisplayEvent) {
    switch event {
    case .lost(let error): outputFailed(error)
    case .changed:
      guard let display, ending == nil else { return }
      log.info("the screen has changed: \(display.summary)")
      lastScreen = (display.kind, display.summary)
      engine?.detach()
      engine?.attach(to: display.target, wantsSound: options.hasSound)
    }
  }

  func receive(_ event: OutputEvent) {
    switch event {
    case .ready(let sound): log.info("sound: \(sound ?? "none")")
    case .failed(let error): outputFailed(error)
    case .frame(let frame): take(frame)
    case .colour(let colour): display?.videoColourChanged(colour)
    case .soundFailed(let error): soundFailed(error)
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
    if let limit = options.stopAfter { startStopTimer(limit) }
    if let snapshot = options.snapshot, case .none = self.snapshot, let loop {
      self.snapshot = .waiting(
        loop.after(snapshot.at) { [weak self] in self?.assumeIsolated { $0.takeSnapshot() } })
    }
  }

  // MARK: Failure

  private func soundFailed(_ error: VitrineError) {
    guard soundRetry == nil, ending == nil else { return }
    log(error)
    engine?.ledger.outputFailed(error)
    soundRetry = loop?.after(MediaOutput.soundRetryInterval) { [weak self] in
      self?.assumeIsolated { kiosk in
        kiosk.soundRetry = nil
        kiosk.engine?.reopenSound()
      }
    }
  }

  private func outputFailed(_ error: VitrineError) {
    guard ending == nil, let display else { return }
    self.display = nil
    overlayOnScreen = nil
    // A sink holds objects of the display's connection: the display goes when the sink has.
    if let engine { engine.detach { display.close() } } else { display.close() }
    screenFailed(error)
  }

  private func screenFailed(_ error: VitrineError) {
    guard options.waitsForScreen else {
      log(error)
      engine?.ledger.outputFailed(error)
      return end(exitCode: Self.exitCode(for: error))
    }
    if !hasWaitedForScreen {
      log.notice("waiting for a screen: \(error.line)")
      engine?.ledger.outputFailed(error)
      hasWaitedForScreen = true
    }
    retryScreen()
  }

  private func retryScreen() {
    screenRetry = loop?.after(RuntimeTiming.screenRetry) { [weak self] in self?.assumeIsolated { $0.openScreen() } }
  }

  static func exitCode(for error: VitrineError) -> Int32 {
    switch error.number {
    case 5003: KioskExit.noPermission
    default: KioskExit.noOutput
    }
  }
}
