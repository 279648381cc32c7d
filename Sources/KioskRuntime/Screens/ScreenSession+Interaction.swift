internal import ConfigurationFiles
internal import ControlProtocol
internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import TelemetryCore
internal import VitrinePlayback

// Touches and keys: tells the interaction machine the devices' events, and carries out its actions.

extension ScreenSession {
  // MARK: Devices

  /// Listens to the input devices of a display that has just been opened.
  func listen(to display: any Display) {
    let heard: ([(event: InputEvent, time: Instant)]) -> Void = { [weak self] in self?.handleInput($0) }
    if let source = display as? any InputSource {
      source.onInput = heard
    } else if display.kind == .kms {
      let mapping = TouchMapping(view: display.target.size, rotation: options.settings.display.rotation)
      do throws(VitrineError) {
        try inputs.listen(as: key, mapping, interaction.settings.devices, heard: heard)
      } catch {
        // Playback goes on without input.
        logProblem(error)
      }
    }
    inputs.listen(as: key, to: interaction.settings.devices.lines, heard: heard)
  }

  /// Handles a batch of events from one device, in their order.
  func handleInput(_ events: [(event: InputEvent, time: Instant)]) {
    turn {
      for (event, time) in events where !hasEnded { handleInput(event, at: time) }
      let rest = interaction.endBatch()
      if let place = rest.pointer { showPointer(at: place) }
      // Draws the bar before it seeks: the decoder's work would compete with the drawing.
      if overlay.isStale { drawOverlay() }
      if let scrub = rest.scrub { carryOut(scrub) }
    }
  }

  private func handleInput(_ event: InputEvent, at time: Instant) {
    switch event {
    case .deviceAdded(let device): log.info("input: \(device.path) '\(device.name)'")
    case .deviceRemoved: log.info("input: a device was unplugged")
    case .touch: measureBar()
    case .key, .pointerMoved: break
    }
    feedInteraction(.heard(event, at: time))
  }

  /// Measures the touch targets of the bar if they aren't known: when it is drawn, and at the latest when a finger comes.
  func measureBar() {
    guard let display = output.display, let bar = interaction.barToMeasure(on: display.target.size) else { return }
    let screen = display.target.size
    let targets = overlay.renderer.targets(of: bar, screen: screen, density: options.density(of: display))
    interaction.barMeasured(bar, on: screen, targets)
  }

  // MARK: The machine

  func feedInteraction(_ event: InteractionMachine.Event) {
    turn {
      var scene = InteractionMachine.Scene(
        media: machine.presentation(at: now).current.map { ScrubMedia($0) }, isPlaying: machine.wantsToPlay,
        isSoundEnabled: options.settings.audio.isEnabled,
        screen: output.display?.target.size)
      if let deck = machine.current { scene.tracks = deck.media.tracks(with: engine.tracks(of: deck.id)) }
      let wasVisited = interaction.isVisited
      let actions = interaction.handle(event, in: scene, at: now)
      if interaction.isVisited != wasVisited { visitChanged() }
      for action in actions { carryOut(action) }
      overlay.isStale = true
      armInteractionTimer()
    }
  }

  /// A visit has begun or ended.
  private func visitChanged() {
    owner?.screen(name, tells: .event(interaction.isVisited ? .visitStarted : .visitEnded))
    guard interaction.isVisited else { return }
    engine.ledger.count(.visits)
    plays?.visit = PlayedVisit(number: engine.ledger.counters[.visits])
  }

  /// Starts the timer for the machine's next deadline. A timer that would fire too early stays: mice move up to a
  /// thousand times a second, and each move puts off the moment when the pointer disappears.
  private func armInteractionTimer() {
    let due = hasEnded ? nil : interaction.deadline
    if let armed = overlay.interactionDue, let due, armed <= due, armed > now { return }
    overlay.interactionDue = due
    startTimer(.interaction, at: due) { [weak self] in
      self?.overlay.interactionDue = nil
      self?.feedInteraction(.timePassed)
    }
  }

  private func carryOut(_ action: InteractionMachine.Action) {
    switch action {
    case .perform(let command):
      if case .refused(let refusal) = perform(command) { feedInteraction(.refused(command, refusal)) }
    case .hold: engine.feed(.suppressed(.scrubbing))
    case .letGo: engine.feed(.unsuppressed(.scrubbing))
    case .scrub(let target, let tolerance): engine.feed(.seekRequested(to: target, tolerance))
    case .startVisitorsList(let number):
      log.info("a visitor is there: the list for visitors\(number.map { ", item \($0)" } ?? "")")
      // A clip that interrupts the loop isn't part of it.
      content.attractLoop = machine.queue.entries.filter { $0.id != interaction.clip }.map(\.item)
      replaceQueue(
        options.visitorsQueue, shuffle: options.shuffle(forVisitors: true), startingAt: number.map { $0 - 1 })
      if let number, machine.queue.select(index: number - 1) == nil {
        feedInteraction(.refused(.select(number: number), .noSuchItem))
      }
    case .returnToLoop:
      log.info("the visitor has gone: back to the loop")
      feedInteraction(.soundReplaced(options.settings.audio))
      playLoop()
    case .playLoopBehindTiles: playLoop()
    case .followDetour(let action): if let event = action.event(for: machine.queue) { engine.feed(event) }
    case .setSound(let volume, let isMuted):
      engine.setVolume(volume, over: options.settings.audio.fade)
      engine.setMuted(isMuted, over: options.settings.audio.fade)
    case .setTracks(let wish):
      let isOtherLanguage = wish.language != engine.trackWish.language
      engine.trackWish = wish
      if isOtherLanguage { applyLook() }
      if interaction.isVisited { plays?.visit?.chose(wish) }
    case .statusCardOpened: owner?.screen(name, tells: .statusCardOpened)
    case .hidePointer: output.display?.showPointer(nil)
    case .tellGesture(let text): log.debug("\(text)")
    }
  }

  private func playLoop() {
    if let queue = content.attractLoop { replaceQueue(queue, shuffle: options.shuffle(forVisitors: false)) }
    content.attractLoop = nil
    engine.feed(.playRequested)
  }

  /// Replaces the list that plays.
  ///
  /// - Parameter shuffle: the seed of its order. It is set before the list, so that the first item is the first of that
  ///   order.
  private func replaceQueue(_ items: [MediaItem], shuffle: UInt64?, startingAt index: Int? = nil) {
    var queue = machine.queue
    queue.shuffle = shuffle
    if queue != machine.queue { engine.feed(.queueEdited(queue)) }
    engine.feed(.queueReplaced(items, startingAt: index))
  }

  /// Inserts a clip after the current item, and plays it.
  ///
  /// - Parameters:
  ///   - item: nil where the name leads to none.
  ///   - name: the address, or the command, that named it; for the log.
  ///   - start: the position in the item that it begins at.
  ///   - isHeld: whether its last picture stays at its end.
  func insertClip(
    _ item: MediaItem?, named name: String, at start: Duration = .zero, isHeld: Bool = false
  ) -> KioskReply {
    guard let item else {
      log.error("the clip can't be played: \(name)")
      return .refused(.noSuchClip)
    }
    guard let current = machine.current else { return .refused(.nothingPlays) }
    var queue = machine.queue
    let place = ClipDetour.Place(
      item: current.item, position: machine.shownPosition ?? current.media.start, isPlaying: machine.wantsToPlay)
    guard let id = queue.insert(item, after: current.item) else { return .refused(.nothingPlays) }
    engine.feed(.queueEdited(queue))
    feedInteraction(.clipInserted(id, from: place, at: start, isHeld: isHeld))
    return .done
  }

  /// Shows the mouse pointer at its newest place.
  private func showPointer(at place: ScreenPoint) {
    guard let display = output.display, let picture = overlay.pointer(on: display.target.size) else { return }
    display.showPointer(picture.image(at: place))
  }
}
