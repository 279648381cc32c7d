internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// The screen: opened, waited for, lost; and the frames that come out of it.

extension Kiosk {
  func openScreen() {
    guard let loop, ending == nil, display == nil else { return }
    screenRetry = nil
    // The old sink may still hold the card or the connection; its end comes back here.
    guard engine?.isDetaching != true else { return opensWhenDetached = true }
    do {
      let opened = try Screen.open(options, refresh: refresh.matched, on: loop, cards: cards(on: loop))
      log.notice("output: \(opened.display.summary) (\(opened.reason))")
      for note in opened.notes { log.notice("\(note)") }
      hasWaitedForScreen = false
      forgetOutputChange()
      refresh.screenOpened()
      optionsOfScreen = options
      use(opened.display)
    } catch {
      // A configuration on trial that asks for what isn't there would leave the screen dark: the session takes it back,
      // which opens the screen by the settings before it.
      if isFaultOfSettings(error), let session, session.canRollBack {
        session.screenFailed(error)
        guard display == nil, screenRetry == nil else { return }
      }
      screenFailed(error)
    }
  }

  /// Whether it is the settings in use that have no screen, and not the board. At the start nothing has been shown yet,
  /// and a screen that is switched off is a normal state: only what no screen could serve counts there.
  private func isFaultOfSettings(_ error: VitrineError) -> Bool {
    guard let optionsOfScreen else { return Screen.isWrongSetting(error) }
    return !options.hasSameOutput(as: optionsOfScreen)
  }

  /// Made once: it holds what is to be kept between one screen and the next.
  private func cards(on loop: EventLoop) -> Screen.Cards {
    if let cards { return cards }
    var cards = Screen.Cards(screens: KMSScreens(on: loop))
    cards.screens.onChange = { [weak self] in self?.assumeIsolated { $0.screensChanged() } }
    if let path = options.splashPath {
      do throws(VitrineError) {
        cards.splash = try SplashPicture(pngFile: path)
      } catch {
        // The background alone serves.
        log(error)
        engine?.ledger.outputFailed(error)
      }
    }
    self.cards = cards
    return cards
  }

  /// A screen has come, perhaps the one that is waited for.
  private func screensChanged() {
    guard hasWaitedForScreen, display == nil else { return }
    openScreen()
  }

  private func use(_ display: any Display) {
    self.display = display
    lastScreen = (display.kind, display.summary)
    display.onEvent = { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    listen(to: display)
    guard isPlayingUnseen else { return connect() }
    isPlayingUnseen = false
    engine?.detach { [weak self] in self?.assumeIsolated { $0.connect() } }
  }

  private func connect() {
    guard ending == nil, let display else { return }
    if isScreenOff {
      _ = display.setPower(false)
      return
    }
    display.wake()
    attach(to: display)
    // What was above the picture of the last screen belongs above this one's.
    if overlayModel != .nothing { showOverlay(on: display) }
  }

  // MARK: Power

  /// Switches the screen off, with playback held at its position, or on again.
  func setScreen(on: Bool) {
    guard ending == nil, isScreenOff == on else { return }
    isScreenOff = !on
    log.notice("the screen is switched \(on ? "on" : "off")")
    session?.screenChanged()
    // Without a display: known when there is one.
    guard display != nil else { return }
    guard on else {
      engine?.detach { [weak self] in self?.assumeIsolated { $0.switchOffOrBack() } }
      return
    }
    // The end of the old sink comes to the same place.
    if engine?.isDetaching == false { switchOffOrBack() }
  }

  private func switchOffOrBack() {
    guard ending == nil, let display else { return }
    if !display.setPower(!isScreenOff) { log.warning("this output can't switch its screen; only playback is held") }
    if !isScreenOff { connect() }
  }

  private func attach(to display: any Display) {
    engine?.attach(
      to: display.target, sound: options.sound, hdr: options.hdr, prepareColour: display.prepareColour)
  }

  private func receive(_ event: DisplayEvent) {
    switch event {
    case .note(let text): log.notice("\(text)")
    case .lost(let error): outputFailed(error)
    case .unplugged(let error): outputFailed(error, isUnplugged: true)
    case .changed:
      guard let display, ending == nil else { return }
      log.info("the screen has changed: \(display.summary)")
      lastScreen = (display.kind, display.summary)
      listen(to: display)
      engine?.detach()
      attach(to: display)
    }
  }

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

  // MARK: Failure

  /// The output tries again by itself.
  private func soundFailed(_ error: VitrineError) {
    guard ending == nil else { return }
    log(error)
    engine?.ledger.outputFailed(error)
  }

  private func outputFailed(_ error: VitrineError, isUnplugged: Bool = false) {
    guard ending == nil, let display else { return }
    letGoOfInput()
    self.display = nil
    overlayOnScreen = nil
    // Whatever is opened next is opened by the settings of then.
    forgetOutputChange()
    // A screen may be back, or another one there, before the old sink is down.
    opensWhenDetached = isUnplugged
    // A sink holds objects of the display's connection: the display goes when the sink has.
    let done = { [weak self, engine] in
      Screen.close(display, after: engine)
      self?.assumeIsolated { $0.outputIsGone() }
    }
    if let engine { engine.detach { done() } } else { done() }
    screenFailed(error, isUnplugged: isUnplugged)
  }

  private func outputIsGone() {
    guard ending == nil, opensWhenDetached else { return }
    opensWhenDetached = false
    openScreen()
  }

  private func screenFailed(_ error: VitrineError, isUnplugged: Bool = false) {
    // A seat comes back when somebody switches to it: that is waited for in any case.
    guard options.waitsForScreen || error.number == 5010 else {
      log(error)
      engine?.ledger.outputFailed(error)
      return end(exitCode: Self.exitCode(for: error))
    }
    if !hasWaitedForScreen {
      log.notice("waiting for a screen: \(error.line)")
      engine?.ledger.outputFailed(error)
      hasWaitedForScreen = true
      playsUnseen = isUnplugged && options.goesOnUnplugged
    } else if playsUnseen, !isPlayingUnseen, engine?.isDetaching == false {
      // No screen has come with the end of the old sink: playback goes on where nobody sees it.
      isPlayingUnseen = true
      engine?.attach(to: .memory(size: options.headlessSize), sound: SoundSettings(isEnabled: false))
    }
    retryScreen(after: error)
  }

  private func retryScreen(after error: VitrineError) {
    // The system tells when a screen comes, but not when another program lets go of a card.
    let isTold = error.number == 5004 && options.output == .fixed(.kms) && cards?.screens.tellsChanges == true
    let interval = isTold ? RuntimeTiming.toldScreenRetry : RuntimeTiming.screenRetry
    screenRetry = loop?.after(interval) { [weak self] in self?.assumeIsolated { $0.openScreen() } }
  }

  static func exitCode(for error: VitrineError) -> Int32 {
    switch error.number {
    case 5003: KioskExit.noPermission
    default: KioskExit.noOutput
    }
  }
}
