internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

// The screen: what happens to it is told to its machine, and what that says is done.

extension Kiosk {
  func feed(_ event: ScreenMachine.Event) {
    for effect in screen.receive(event, in: surroundings) { carryOut(effect) }
  }

  private var surroundings: ScreenMachine.Surroundings {
    var surroundings = ScreenMachine.Surroundings()
    surroundings.sinkIsGoing = engine?.isDetaching == true
    surroundings.waits = options.waitsForScreen
    surroundings.goesOnUnplugged = options.goesOnUnplugged
    surroundings.canRollBack = session?.canRollBack == true
    surroundings.tellsScreens = options.output == .fixed(.kms) && cards?.screens.tellsChanges == true
    surroundings.asksForOther = optionsOfScreen.map { !options.hasSameOutput(as: $0) }
    return surroundings
  }

  private func carryOut(_ effect: ScreenMachine.Effect) {
    switch effect {
    case .open: openScreen()
    case .connect: connect()
    case .connectAnew:
      detach()
      if let display { attach(to: display) }
    case .disconnect: detach()
    case .letGo(let showsLast): letGoOfScreen(showsLast: showsLast)
    case .playUnseen:
      engine?.attach(to: .memory(size: options.headlessSize), sound: SoundSettings(isEnabled: false))
    case .setPower(let isOn, let tellsFailure):
      guard let display, !display.setPower(isOn), tellsFailure else { return }
      log.warning("this output can't switch its screen; only playback is held")
    case .tellPower(let isOn):
      log.notice("the screen is switched \(isOn ? "on" : "off")")
      session?.screenChanged()
    case .tellWaiting(let error):
      log.notice("waiting for a screen: \(error.line)")
      engine?.ledger.outputFailed(error)
    case .retry(let interval):
      screenRetry = loop?.after(interval) { [weak self] in self?.assumeIsolated { $0.feed(.retryIsDue) } }
    case .stopRetrying: screenRetry = nil
    case .tellOutputChange: tellOutputChange()
    case .forgetOutputChange(let wasWanted): forgetOutputChange(wasWanted: wasWanted)
    case .rollBack(let error):
      // Which plays by the settings before, and opens their screen.
      session?.screenFailed(error)
      feed(.rolledBack(error))
    case .fail(let error):
      log(error)
      engine?.ledger.outputFailed(error)
      end(exitCode: Self.exitCode(for: error))
    }
  }

  // MARK: Opening

  private func openScreen() {
    guard let loop, ending == nil, display == nil else { return }
    do {
      let opened = try Screen.open(options, refresh: refresh.matched, on: loop, cards: cards(on: loop))
      log.notice("output: \(opened.display.summary) (\(opened.reason))")
      for note in opened.notes { log.notice("\(note)") }
      forgetOutputChange(wasWanted: false)
      refresh.screenOpened()
      optionsOfScreen = options
      use(opened.display)
      feed(.opened)
    } catch {
      feed(.openingFailed(error))
    }
  }

  /// Made once: it holds what is to be kept between one screen and the next.
  private func cards(on loop: EventLoop) -> Screen.Cards {
    if let cards { return cards }
    var cards = Screen.Cards(screens: KMSScreens(on: loop))
    cards.screens.onChange = { [weak self] in self?.assumeIsolated { $0.feed(.screensChanged) } }
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

  private func use(_ display: any Display) {
    self.display = display
    lastScreen = (display.kind, display.summary)
    display.onEvent = { [weak self] event in self?.assumeIsolated { $0.receive(event) } }
    listen(to: display)
  }

  private func connect() {
    guard ending == nil, let display else { return }
    display.wake()
    attach(to: display)
    // What was above the picture of the last screen belongs above this one's.
    if overlayModel != .nothing { showOverlay(on: display) }
  }

  private func attach(to display: any Display) {
    engine?.attach(
      to: display.target, sound: options.sound, hdr: options.hdr, prepareColour: display.prepareColour)
  }

  private func detach() {
    engine?.detach { [weak self] in self?.assumeIsolated { $0.feed(.sinkGone) } }
  }

  // MARK: Gone

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
      feed(.changed)
    }
  }

  func outputFailed(_ error: VitrineError, isUnplugged: Bool = false) {
    guard ending == nil, display != nil else { return }
    letGoOfInput()
    feed(.lost(error, isUnplugged: isUnplugged))
  }

  /// A sink holds objects of the display's connection: the display goes when the sink has.
  private func letGoOfScreen(showsLast: Bool) {
    guard let display else { return }
    self.display = nil
    overlayOnScreen = nil
    let done = { [weak self, engine] in
      Screen.close(display, after: engine)
      self?.assumeIsolated { $0.feed(.sinkGone) }
    }
    if let engine { engine.detach(showsLast: showsLast) { done() } } else { done() }
  }

  static func exitCode(for error: VitrineError) -> Int32 {
    switch error.number {
    case 5003: KioskExit.noPermission
    default: KioskExit.noOutput
    }
  }
}
