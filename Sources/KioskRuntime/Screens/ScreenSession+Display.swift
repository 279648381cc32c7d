internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import VitrinePlayback

// The display: what happens to it is told to its machine, and what that says is done.

extension ScreenSession {
  func tellScreen(_ event: ScreenMachine.Event) {
    let effects = output.machine.handle(event, in: surroundings)
    engine.isUnseen = output.machine.isOff
    for effect in effects { carryOut(effect) }
  }

  private var surroundings: ScreenMachine.Surroundings {
    var surroundings = ScreenMachine.Surroundings()
    surroundings.sinkIsGoing = engine.isDetaching
    surroundings.waits = options.waitsForScreen
    surroundings.goesOnUnplugged = options.goesOnUnplugged
    surroundings.canRollBack = owner?.screenAsksForRollBack() == true
    surroundings.tellsScreens = options.output == .fixed(.kms) && output.cards.tellsChanges
    surroundings.asksForOther = output.openedBy.map { !options.hasSameOutput(as: $0) }
    return surroundings
  }

  private func carryOut(_ effect: ScreenMachine.Effect) {
    switch effect {
    case .open: openDisplay()
    case .connect: connect()
    case .connectAnew:
      detach()
      if let display = output.display { attach(to: display) }
    case .disconnect: detach()
    case .letGo(let showsLast): letGoOfDisplay(showsLast: showsLast)
    case .playUnseen: engine.attach(to: .memory(size: options.headlessSize), sound: SoundSettings(isEnabled: false))
    case .setPower(let isOn, let tellsFailure):
      guard let display = output.display else { return }
      let isDone = calling("the screen is switched \(isOn ? "on" : "off")") { display.setPower(isOn) }
      guard !isDone, tellsFailure else { return }
      log.warning("this output can't switch its screen; only playback is held")
    case .tellPower(let isOn):
      log.notice("the screen is switched \(isOn ? "on" : "off")")
      owner?.screen(name, tells: .presenceChanged)
    case .tellWaiting(let error):
      // A screen that is off, or in another session, is a usual state; a card that is missing or taken isn't.
      log.log(level: ScreenMachine.isUsualState(error) ? .notice : .warning, "waiting for a screen: \(error.line)")
      tellProblem(error)
    case .retry(let interval):
      startTimer(.display, after: interval) { [weak self] in self?.tellScreen(.retryIsDue) }
    case .stopRetrying: stopTimer(.display)
    case .tellOutputChange: tellOutputChange()
    case .forgetOutputChange(let wasWanted): forgetOutputChange(wasWanted: wasWanted)
    case .rollBack(let error):
      // Which plays by the settings before, and opens their screen.
      owner?.screen(name, tells: .settingsFailed(error))
      tellScreen(.rolledBack(error))
    case .fail(let error):
      tell(error)
      tellProblem(error)
      owner?.screen(name, tells: .failed(error))
    }
  }

  /// Calls the screen's driver, which may not come back.
  func calling<R, E: Error>(_ what: String, isFirst: Bool = false, _ body: () throws(E) -> R) throws(E) -> R {
    guard let driver = output.cards.driver else { return try body() }
    return try driver.during(what, of: key, isFirst: isFirst, body)
  }

  // MARK: Opening

  private func openDisplay() {
    guard !hasEnded, output.display == nil else { return }
    do throws(VitrineError) {
      let opened = try calling("the screen is opened", isFirst: !frames.hasShownFrame) { () throws(VitrineError) in
        try output.cards.open(options, for: self, refresh: output.refresh.matched)
      }
      log.notice("output: \(opened.display.summary) (\(opened.reason))")
      for note in opened.notes { log.notice("\(note)") }
      forgetOutputChange(wasWanted: false)
      output.refresh.screenOpened()
      output.openedBy = options
      use(opened.display)
      tellScreen(.opened)
    } catch {
      tellScreen(.openingFailed(error))
    }
  }

  private func use(_ display: any Display) {
    output.display = display
    output.noteDisplay(display)
    // One of the same pixels may be of another size.
    interaction.forgetMeasuredBar()
    display.onEvent = { [weak self] event in self?.displayTold(event) }
    listen(to: display)
  }

  private func connect() {
    guard !hasEnded, let display = output.display else { return }
    display.wake()
    attach(to: display)
    // What was above the picture of the last screen belongs above this one's.
    if !interaction.model.isEmpty { showOverlay(on: display) }
  }

  private func attach(to display: any Display) {
    frames.remedies += 1
    engine.attach(
      to: display.target, sound: options.sound, hdr: options.hdr, prepareColour: display.prepareColour)
  }

  private func detach() { engine.detach { [weak self] in self?.sinkIsGone() } }

  private func sinkIsGone() {
    tellScreen(.sinkGone)
    guard let then = sinksAreDown, !engine.isDetaching else { return }
    sinksAreDown = nil
    then()
  }

  // MARK: Gone

  private func displayTold(_ event: DisplayEvent) {
    switch event {
    case .note(let text): log.notice("\(text)")
    case .lost(let error): displayFailed(error)
    case .unplugged(let error): displayFailed(error, isUnplugged: true)
    case .changed:
      guard let display = output.display, !hasEnded else { return }
      log.info("the screen has changed: \(display.summary)")
      output.noteDisplay(display)
      listen(to: display)
      tellScreen(.changed)
    }
  }

  func displayFailed(_ error: VitrineError, isUnplugged: Bool = false) {
    guard !hasEnded, output.display != nil else { return }
    // The screen is gone, and with it whatever fingers were about to do.
    tellInteraction(.inputLetGo)
    tellScreen(.lost(error, isUnplugged: isUnplugged))
  }

  /// A sink holds objects of the display's connection: the display goes when the sink has.
  private func letGoOfDisplay(showsLast: Bool) {
    guard let display = output.display else { return }
    output.display = nil
    overlay.onScreen = nil
    let (driver, key) = (output.cards.driver, key)
    engine.detach(showsLast: showsLast) { [weak self, engine] in
      ScreenOutput.close(display, after: engine) { DriverWatch.watch(driver, "the screen is let go", key, $0) }
      self?.sinkIsGone()
    }
  }

  // MARK: The refresh rate that follows the films

  /// A deck is about to begin, or waits for the end of the one that plays.
  func chooseRefresh(for id: DeckID, _ readiness: DeckReadiness) {
    guard let deck = machine.deck(id) else { return }
    let isPicture = deck.media.kind == .picture
    let wish = RefreshWish(hasVideo: readiness.hasVideo, isPicture: isPicture, interval: readiness.pictureInterval)
    let range = deck.media.playedRange(duration: readiness.duration)
    let length =
      isPicture
      ? deck.media.pictureDuration ?? machine.policy.pictureDuration : range.map { $0.upperBound - $0.lowerBound }
    output.refresh.itemReady(
      deck.item, RefreshItem(wish: wish, duration: readiness.isLive ? nil : length),
      isCurrent: id == machine.current?.id, in: machine.queue, on: output.display?.refresh)
    tellOutputChange()
  }

  /// One item has ended, and the next is ready.
  func changeOutput() { if output.machine.isOutdated { tellScreen(.itemEnded) } else { changeRefresh() } }

  /// The last picture stays on its plane. What waits for the change begins when it is done.
  private func changeRefresh() {
    defer { tellOutputChange() }
    guard let display = output.display, let wanted = output.refresh.wanted, let before = display.refresh?.current else {
      return
    }
    let hertz = { (rate: Int) in DisplayMode.hertz(rate) }
    if let problem = calling("another refresh rate", { display.setRefresh(wanted) }) {
      log.warning("the screen stays at \(hertz(before)) Hz, it can't go over to \(hertz(wanted)): \(problem)")
      output.refresh.rateChanged(isDone: false)
    } else {
      log.notice("the screen goes over from \(hertz(before)) to \(hertz(wanted)) Hz")
      output.refresh.rateChanged(isDone: true)
      output.noteDisplay(display)
    }
  }

  /// Says whether anything of the output is to change between two items.
  func tellOutputChange() {
    engine.feed(.outputChangeWanted(output.machine.isOutdated || output.refresh.wanted != nil))
  }

  /// The output is opened anew: whatever was to change of the one before is void.
  private func forgetOutputChange(wasWanted: Bool) {
    guard wasWanted || output.refresh.wanted != nil else { return }
    output.refresh.itemPreparing()
    tellOutputChange()
  }
}
