internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// The screen: opened, waited for, lost; and the frames that come out of it.

extension Kiosk {
  func openScreen() {
    guard let loop, ending == nil else { return }
    screenRetry = nil
    // The old sink may still hold the card or the connection.
    guard retiredOutputs.isEmpty else { return retryScreen() }
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
    openOutput(on: display)
  }

  private func openOutput(on display: any Display) {
    outputGeneration += 1
    let generation = outputGeneration
    let output = MediaOutput(target: display.target, wantsSound: options.hasSound) { [weak mailbox] event in
      mailbox?.post(.output(generation: generation, event))
    }
    self.output = output
    output.open()
  }

  private func receive(_ event: DisplayEvent) {
    switch event {
    case .lost(let error): outputFailed(error)
    case .changed:
      guard let display, ending == nil else { return }
      log.info("the screen has changed: \(display.summary)")
      lastScreen = (display.kind, display.summary)
      isOutputReady = false
      feed(.outputLost)
      retireOutput(with: nil)
      openOutput(on: display)
    }
  }

  func receive(_ event: OutputEvent) {
    switch event {
    case .ready(let sound):
      guard ending == nil else { return }
      log.info("sound: \(sound ?? "none")")
      isOutputReady = true
      feed(.outputReady)
    case .failed(let error):
      outputFailed(error)
    case .frame(let frame): take(frame)
    case .colour(let colour): display?.videoColourChanged(colour)
    case .soundFailed(let error): soundFailed(error)
    case .closed: if ending != nil { finish() }
    }
  }

  private func take(_ frame: RenderedFrame) {
    let isFirst = ledger.firstFrame == nil
    let isNewDeck = machine.current?.id == frame.deck && machine.current?.hasShownFrames == false
    ledger.record(frame)
    guard frame.wasRendered else { return }
    if isFirst, ledger.firstFrame != nil { firstFrameShown() }
    if isNewDeck { display?.videoDidStart() }
    feed(.frameShown(frame.deck, streamTime: frame.streamTime))
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
    ledger.outputFailed(error)
    soundRetry = loop?.after(MediaOutput.soundRetryInterval) { [weak self] in
      self?.assumeIsolated { kiosk in
        kiosk.soundRetry = nil
        kiosk.output?.reopenSound()
      }
    }
  }

  private func outputFailed(_ error: VitrineError) {
    guard ending == nil, display != nil else { return }
    isOutputReady = false
    feed(.outputLost)
    overlayOnScreen = nil
    retireOutput(with: display)
    display = nil
    screenFailed(error)
  }

  /// Takes the output down, and the display once the sink is gone: a sink holds objects of the display's connection.
  private func retireOutput(with display: (any Display)?) {
    guard let output, let loop else {
      display?.close()
      return
    }
    let generation = outputGeneration
    outputGeneration += 1  // from here on its events are stale, but for `closed`
    self.output = nil
    let deadline = loop.after(RuntimeTiming.outputTeardown) { [weak self] in
      self?.assumeIsolated { $0.outputRetired(generation) }
    }
    retiredOutputs[generation] = RetiredOutput(display: display, output: output, deadline: deadline)
    output.close()
  }

  func outputRetired(_ generation: UInt32) {
    guard let retired = retiredOutputs.removeValue(forKey: generation) else { return }
    retired.display?.close()
  }

  private func screenFailed(_ error: VitrineError) {
    guard options.waitsForScreen else {
      log(error)
      ledger.outputFailed(error)
      return end(exitCode: Self.exitCode(for: error))
    }
    if !hasWaitedForScreen {
      log.notice("waiting for a screen: \(error.line)")
      ledger.outputFailed(error)
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
