internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// The display: tells its machine the events, and carries out the actions.

extension ScreenSession {
  func handleScreenEvent(_ event: ScreenMachine.Event) {
    let actions = output.machine.handle(event, in: surroundings)
    engine.isUnseen = output.machine.isOff
    for action in actions { carryOut(action) }
    output.tellProjector()
  }

  private var surroundings: ScreenMachine.Surroundings {
    var surroundings = ScreenMachine.Surroundings()
    surroundings.sinkIsGoing = engine.isDetaching
    surroundings.waits = options.waitsForScreen
    surroundings.goesOnUnplugged = options.settings.display.unplugged == .play
    surroundings.canRollBack = owner?.screenAsksForRollBack() == true
    surroundings.tellsScreens = options.settings.display.output == .kms && output.cards.tellsChanges
    surroundings.asksForOther = output.openedBy.map { options.settings.changes(from: $0).contains(.newOutput) }
    return surroundings
  }

  private func carryOut(_ action: ScreenMachine.Action) {
    switch action {
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
      // A screen that is off, or belongs to another session, is usual; a missing or occupied card isn't.
      log.log(level: ScreenMachine.isUsualState(error) ? .notice : .warning, "waiting for a screen: \(error.line)")
      reportProblem(error)
    case .retry(let interval):
      startTimer(.display, after: interval) { [weak self] in self?.handleScreenEvent(.retryIsDue) }
    case .stopRetrying: stopTimer(.display)
    case .tellOutputChange: reportOutputChange()
    case .forgetOutputChange(let wasWanted): forgetOutputChange(wasWanted: wasWanted)
    case .rollBack(let error):
      // The owner puts the previous settings in place; the machine then opens their screen.
      owner?.screen(name, tells: .settingsFailed(error))
      handleScreenEvent(.rolledBack(error))
    case .fail(let error):
      logProblem(error)
      reportProblem(error)
      owner?.screen(name, tells: .failed(error))
    }
  }

  /// Calls the screen's driver under watch: it may not return.
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
      output.openedBy = options.settings
      use(opened.display)
      handleScreenEvent(.opened)
    } catch {
      handleScreenEvent(.openingFailed(error))
    }
  }

  private func use(_ display: any Display) {
    output.display = display
    output.recordDisplay(display)
    // A display of the same pixels may have another size in millimetres.
    interaction.forgetMeasuredBar()
    display.onEvent = { [weak self] event in self?.displayTold(event) }
    listen(to: display)
  }

  private func connect() {
    guard !hasEnded, let display = output.display else { return }
    display.wake()
    attach(to: display)
    // The overlay of the previous display belongs on this one.
    if !interaction.model.isEmpty { showOverlay(on: display) }
  }

  private func attach(to display: any Display) {
    frames.remedies += 1
    engine.attach(
      to: display.target, sound: options.settings.audio, hdr: options.settings.display.hdr,
      prepareColour: display.prepareColour)
  }

  private func detach() { engine.detach { [weak self] in self?.sinkIsGone() } }

  private func sinkIsGone() {
    handleScreenEvent(.sinkGone)
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
      output.recordDisplay(display)
      listen(to: display)
      handleScreenEvent(.changed)
    }
  }

  func displayFailed(_ error: VitrineError, isUnplugged: Bool = false) {
    guard !hasEnded, output.display != nil else { return }
    // The screen is gone: gestures that had begun are void.
    feedInteraction(.inputLetGo)
    handleScreenEvent(.lost(error, isUnplugged: isUnplugged))
  }

  /// Closes the display after the sink: the sink holds objects of the display's connection.
  private func letGoOfDisplay(showsLast: Bool) {
    guard let display = output.display else { return }
    output.display = nil
    overlay.onScreen = nil
    recordAlerts([])
    let (driver, key) = (output.cards.driver, key)
    engine.detach(showsLast: showsLast) { [weak self, engine] in
      ScreenOutput.close(display, after: engine) { DriverWatch.watch(driver, "the screen is released", key, $0) }
      self?.sinkIsGone()
    }
  }

  // MARK: The refresh rate that follows the films

  /// Chooses the refresh rate for a deck that is about to begin, or that waits for the end of the current one.
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
    reportOutputChange()
  }

  /// Opens a changed output or changes the refresh rate, between two items.
  func changeOutput() { if output.machine.isOutdated { handleScreenEvent(.itemEnded) } else { changeRefresh() } }

  /// Changes the refresh rate. The last picture stays on its plane; the next item begins after the change.
  private func changeRefresh() {
    defer { reportOutputChange() }
    guard let display = output.display, let wanted = output.refresh.wanted, let before = display.refresh?.current else {
      return
    }
    let hertz = { (rate: Int) in DisplayMode.hertz(rate) }
    if let problem = calling("its refresh rate is changed", { display.setRefresh(wanted) }) {
      log.warning("the screen stays at \(hertz(before)) Hz, it can't change to \(hertz(wanted)): \(problem)")
      output.refresh.rateChanged(isDone: false)
    } else {
      log.notice("the screen changes from \(hertz(before)) to \(hertz(wanted)) Hz")
      output.refresh.rateChanged(isDone: true)
      output.recordDisplay(display)
    }
  }

  /// Tells the engine whether the output is to change between two items.
  func reportOutputChange() {
    engine.feed(.outputChangeWanted(output.machine.isOutdated || output.refresh.wanted != nil))
  }

  /// Drops the changes that were wanted for the previous output: another one is being opened.
  private func forgetOutputChange(wasWanted: Bool) {
    guard wasWanted || output.refresh.wanted != nil else { return }
    output.refresh.itemPreparing()
    reportOutputChange()
  }
}
