internal import Displays
internal import InteractionCore
internal import Logging
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Fingers and keys: from devices to gestures, from gestures to what they do.

/// What the kiosk keeps about input.
struct KioskInput {
  private(set) var settings: InteractionSettings
  var recognizer: GestureRecognizer
  var scrub: ScrubMachine
  /// Where a drag leads, until the bar is drawn there.
  var nextSeek: ScrubAction?
  var lock: InputLock
  var attract: AttractMachine
  var volume: VolumeControl
  var detour = ClipDetour()
  /// What the engine has told of items and is to be acted on when it has settled: its queue may be edited then.
  var notices: [PlaybackNotice] = []
  /// The attract loop, while visitors have their own list.
  var loopQueue: [MediaItem]?
  /// Under KMS; a compositor's input comes with its display.
  var devices: LibinputSource?
  /// How many of its problems and ignored devices have been told.
  var told = (problems: 0, ignored: 0)
  /// When time means something to the recogniser, and when to the attract loop.
  var gestureTimer: EventSource?
  var idleTimer: EventSource?
  var pointer = KioskPointer()
  /// Whether what plays has sound; of the item before while the next one is being opened.
  var hasSound = true
  /// Whether the card of an item without a picture is on the screen.
  var isCardShown = false
  var isStatusShown = false
  var statusTimer: EventSource?
  var message: String?
  var messageTimer: EventSource?
  /// The bar that the targets are those of, without what moves nothing.
  var measured: (bar: TransportBar, screen: PixelSize)?
  /// As it was when the overlay was looked at last, whether it shows or not.
  var bar: TransportBar?
  var targets = OverlayTargets.none

  /// How long a word about what cannot be stays: the time to read it twice.
  static let messageStay = Duration.seconds(3)

  init(_ settings: InteractionSettings, screen: PixelSize, sound: SoundSettings) {
    self.settings = settings
    recognizer = GestureRecognizer(settings: settings.recognition, screen: screen)
    scrub = ScrubMachine(settings: settings.scrubbing)
    lock = InputLock(mode: settings.actions.lock)
    attract = AttractMachine(settings: settings.attract)
    volume = VolumeControl(volume: sound.volume, isMuted: sound.isMuted)
  }

  /// To be called when no finger is heeded: see `GestureRecognizer.cancel`.
  mutating func apply(_ new: InteractionSettings) {
    settings = new
    recognizer.settings = new.recognition
    scrub.settings = new.scrubbing
    lock.mode = new.actions.lock
    attract.settings = new.attract
  }
}

extension InteractionSettings {
  /// A tap needn't wait for a second one that would do nothing.
  fileprivate var recognition: GestureSettings {
    var gestures = gestures
    gestures.hasDoubleTap = actions.hasDoubleTap
    return gestures
  }
}

extension Kiosk {
  // MARK: Devices

  /// Listens to what belongs to a screen that has just been opened.
  func listen(to display: any Display) {
    input.recognizer.screen = display.target.size
    if let source = display as? any InputSource {
      source.onInput = { [weak self] events in self?.assumeIsolated { $0.receive(events) } }
    } else if display.kind == .kms {
      let mapping = TouchMapping(view: display.target.size, rotation: options.rotation)
      if let devices = input.devices { devices.mapping = mapping } else { openDevices(mapping) }
    }
  }

  private func openDevices(_ mapping: TouchMapping) {
    guard let loop else { return }
    do throws(VitrineError) {
      let devices = try LibinputSource(on: loop, settings: input.settings.devices, mapping: mapping)
      input.devices = devices
      devices.onInput = { [weak self] events in self?.assumeIsolated { $0.receive(events) } }
      tellDevices()
    } catch {
      // The picture goes on without.
      log(error)
    }
  }

  /// The screen is gone, and with it whatever fingers were about to do.
  func letGoOfInput() {
    take(input.recognizer.cancel(at: now))
  }

  func closeDevices() {
    input.devices?.close()
    input.devices = nil
    input.told = (0, 0)
  }

  func closeInput() {
    closeDevices()
    input.gestureTimer = nil
    input.idleTimer = nil
    input.pointer = KioskPointer()
    input.messageTimer = nil
    input.statusTimer = nil
  }

  private func tellDevices() {
    guard let devices = input.devices else { return }
    for problem in devices.problems.dropFirst(input.told.problems) { log(problem) }
    for (device, reason) in devices.ignored.dropFirst(input.told.ignored) {
      log.info("input: \(device.path) '\(device.name)' isn't used: \(reason)")
    }
    input.told = (devices.problems.count, devices.ignored.count)
  }

  // MARK: Events

  func receive(_ events: [(event: InputEvent, time: Instant)]) {
    // Drawn once, when the newest of them is known: where drawing takes longer than fingers take to move, a picture for
    // each event would come later and later.
    holdsOverlay = true
    for (event, time) in events where ending == nil { receive(event, at: time) }
    holdsOverlay = false
    showPointer()
    refreshOverlay()
    // The bar first: what the decoder does next would compete with drawing it.
    if let seek = input.nextSeek {
      input.nextSeek = nil
      carryOut([seek])
    }
    armTimers()
  }

  private func receive(_ event: InputEvent, at time: Instant) {
    switch event {
    case .deviceAdded(let device):
      log.info("input: \(device.path) '\(device.name)'")
      tellDevices()
      take(input.recognizer.handle(event, at: time))
    case .deviceRemoved:
      log.info("input: a device has gone")
      take(input.recognizer.handle(event, at: time))
    case .key(let change): take(change)
    case .touch: takeTouch(event, at: time)
    case .pointerMoved(let place): pointerMoved(to: place)
    }
  }

  private func takeTouch(_ event: InputEvent, at time: Instant) {
    guard input.lock.hearsTouch else { return }
    if !input.lock.isLocked, noteVisitor() {
      // The touch that brings the visitors' list isn't a touch of what that shows.
      _ = input.recognizer.handle(event, at: time)
      return take(input.recognizer.cancel(at: time))
    }
    refreshTargets()
    take(input.recognizer.handle(event, at: time))
  }

  private func take(_ change: KeyChange) {
    let action = input.settings.actions.action(forKey: change.key)
    guard change.kind == .down, action != .nothing, input.lock.mode != .all else { return }
    if !input.lock.isLocked, noteVisitor() { return }
    perform(action, isKey: true)
  }

  /// Somebody is there: the bar shows.
  ///
  /// - Returns: whether that was all that the touch did.
  private func noteVisitor() -> Bool {
    presenter.touched(at: now)
    let (actions, isSpent) = input.attract.touched(at: now)
    for action in actions { perform(action) }
    return isSpent
  }

  /// The recogniser's and the attract loop's next moments, if time alone changes something.
  private func armTimers() {
    input.gestureTimer = timer(at: input.recognizer.deadline) { kiosk in
      kiosk.take(kiosk.input.recognizer.timePassed(at: kiosk.now))
      kiosk.armTimers()
    }
    input.idleTimer = timer(at: input.attract.deadline) { kiosk in
      let isPlaying = kiosk.engine?.machine.wantsToPlay ?? false
      let actions = kiosk.input.attract.timePassed(
        at: kiosk.now, isHeld: kiosk.input.recognizer.isTouched, isPlaying: isPlaying)
      for action in actions { kiosk.perform(action) }
      kiosk.armTimers()
    }
  }

  private func timer(at due: Instant?, _ fire: @escaping @Sendable (isolated Kiosk) -> Void) -> EventSource? {
    due.flatMap { due in
      loop?.after(max(.milliseconds(1), due - now)) { [weak self] in self?.assumeIsolated { fire($0) } }
    }
  }

  // MARK: Gestures

  private func take(_ actions: [GestureAction]) {
    for action in actions {
      switch action {
      case .recognised(let gesture):
        log.debug("gesture: \(gesture)")
        // Whatever is done next takes the card away, and nothing else.
        if input.isStatusShown {
          setStatusCard(isShown: false)
          continue
        }
        perform(input.settings.actions.action(for: gesture), isKey: false)
      case .dragBegan(let drag), .dragMoved(let drag), .dragEnded(let drag, _):
        guard !input.lock.isLocked else { continue }
        if case .dragBegan = action { log.debug("drag: \(drag.kind.rawValue) begins") }
        if case .dragEnded(_, let end) = action { log.debug("drag: \(drag.kind.rawValue) ends, \(end.rawValue)") }
        switch input.settings.actions.action(for: drag.kind) {
        case .scrub: scrub(action)
        case .dragVolume: dragVolume(action)
        default: break
        }
      }
    }
    if !actions.isEmpty { refreshOverlay() }
  }

  private func scrub(_ action: GestureAction) {
    carryOut(input.scrub.handle(action, media: scrubMedia, targets: input.targets, at: now))
  }

  /// To be called when another item may be on the screen.
  func checkScrubbedItem() {
    guard input.scrub.target != nil else { return }
    carryOut(input.scrub.mediaIs(scrubMedia))
  }

  private func carryOut(_ actions: [ScrubAction]) {
    // A finger that moves on: the newest place is sought when the bar is drawn there. All else, such as the end of a drag,
    // takes the place of that at once. (Handlers of sliders, with which that is compared, seek before anything is drawn.)
    if holdsOverlay, engine?.machine.policy.seeksBlock != true, actions.count == 1, case .seek = actions[0] {
      input.nextSeek = actions[0]
      return
    }
    if !actions.isEmpty { input.nextSeek = nil }
    for action in actions {
      switch action {
      case .hold: engine?.feed(.suppressed(.scrubbing))
      case .letGo: engine?.feed(.unsuppressed(.scrubbing))
      case .seek(let target, let tolerance): engine?.feed(.seekRequested(to: target, tolerance))
      case .refuse: show(message: "This can't be moved")
      }
    }
  }

  private var scrubMedia: ScrubMedia? {
    guard let machine = engine?.machine, let deck = machine.current else { return nil }
    return ScrubMedia(
      item: deck.item, range: deck.playedRange, position: machine.shownPosition,
      frameInterval: deck.readiness.frameInterval, isRemote: deck.media.isRemote,
      isSeekable: deck.canSeek)
  }

  /// Where fingers meet the bar that shows, or would. Measured anew only when the bar's shape may have changed.
  /// Not before somebody touches the screen: it needs fonts, which take a while to load, and screens without visitors need none.
  private func refreshTargets() {
    guard let display, var bar = input.bar else { return }
    bar.position = bar.position.map { _ in .zero }
    bar.bufferedUntil = nil
    // Not inside of the ||: Swift 6.2 sees a race in that.
    let screen = display.target.size
    if input.measured?.bar != bar || input.measured?.screen != screen {
      input.measured = (bar, screen)
      input.targets = renderer.targets(of: bar, screen: screen)
    }
    input.recognizer.targets = overlayModel.bar == nil ? .none : input.targets
  }

  // MARK: Actions

  private func perform(_ action: InputAction, isKey: Bool) {
    guard action != .nothing, input.lock.admits(action, isKey: isKey), let engine else { return }
    let machine = engine.machine
    switch action {
    case .nothing, .scrub, .dragVolume: break
    case .playPause: engine.feed(machine.wantsToPlay ? .pauseRequested : .playRequested)
    case .play: engine.feed(.playRequested)
    case .pause: engine.feed(.pauseRequested)
    case .seek(let target): engine.feed(.seekRequested(to: (machine.current?.media.start ?? .zero) + target, .exact))
    case .skip(let way):
      if let position = machine.shownPosition { engine.feed(.seekRequested(to: position + way, .exact)) }
    case .next: engine.feed(.nextRequested)
    case .previous: engine.feed(.previousRequested)
    case .select(let number):
      if let item = machine.queue.select(index: number - 1) { engine.feed(.itemSelected(item)) }
    case .lock, .unlock: show(message: input.lock.isLocked ? "Locked" : "Unlocked")
    case .showControls: presenter.touched(at: now)
    case .playClip(let clip): play(clip: clip)
    case .statusCard: setStatusCard(isShown: !input.isStatusShown)
    case .volume(let percent): changeVolume { $0.change(by: percent) }
    case .mute: changeVolume { $0.toggleMute() }
    }
  }

  // MARK: Clips

  private func play(clip: String) {
    guard let engine, let item = ItemResolver().resolve([clip]).items.first else {
      log.error("the clip can't be played: \(clip)")
      return show(message: "This clip isn't there")
    }
    let machine = engine.machine
    guard let current = machine.current else { return }
    var queue = machine.queue
    let place = ClipDetour.Place(
      item: current.item, position: machine.shownPosition ?? current.media.start, isPlaying: machine.wantsToPlay)
    guard let id = queue.insert(item, after: current.item) else { return }
    engine.feed(.queueEdited(queue))
    carryOut(input.detour.start(id, from: place))
  }

  /// To be called when the engine has settled: a clip may be over or left, or an item that the visitor saw.
  func actOnNotices() {
    let notices = input.notices
    input.notices = []
    for notice in notices {
      switch notice {
      case .itemStarted(let item, _, _, _): carryOut(input.detour.started(item))
      case .stoppedAtEnd(let item), .itemFailed(let item, _): carryOut(input.detour.ended(item))
      case .itemEnded where !input.detour.isAway:
        for action in input.attract.itemEnded() { perform(action) }
      default: break
      }
    }
  }

  private func carryOut(_ actions: [ClipDetour.Action]) {
    guard let engine else { return }
    for action in actions {
      switch action {
      case .holdAtEnd: engine.feed(.endActionChanged(.pause))
      case .advanceAtEnd: engine.feed(.endActionChanged(.advance))
      case .select(let item): engine.feed(.itemSelected(item))
      case .seek(let target): engine.feed(.seekRequested(to: target, .exact))
      case .play: engine.feed(.playRequested)
      case .pause: engine.feed(.pauseRequested)
      case .remove(let item):
        var queue = engine.machine.queue
        if queue.remove(item) { engine.feed(.queueEdited(queue)) }
      }
    }
  }

  /// The queue is at its end.
  ///
  /// - Returns: whether it was the visitors' list, which gives way to the loop.
  func visitorsListEnded() -> Bool {
    let actions = input.attract.playbackStopped()
    for action in actions { perform(action) }
    return !actions.isEmpty
  }

  private func perform(_ action: AttractAction) {
    switch action {
    case .startInteractiveList:
      log.info("a visitor is there: the list for visitors")
      input.loopQueue = engine?.machine.queue.entries.map(\.item)
      engine?.feed(.queueReplaced(options.visitorsQueue))
    case .returnToLoop:
      log.info("nobody is there: back to the loop")
      presenter.hideBar()
      resetVolume()
      if let queue = input.loopQueue { engine?.feed(.queueReplaced(queue)) }
      input.loopQueue = nil
      engine?.feed(.playRequested)
      refreshOverlay()
    }
  }

  /// A few words at the top, for a while.
  func show(message: String) {
    input.message = message
    input.messageTimer = loop?.after(KioskInput.messageStay) { [weak self] in
      self?.assumeIsolated { kiosk in
        kiosk.input.message = nil
        kiosk.refreshOverlay()
      }
    }
    refreshOverlay()
  }
}
