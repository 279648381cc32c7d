internal import ConfigurationFiles
internal import Displays
internal import InteractionCore
internal import KioskCore
internal import Logging
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// Fingers and keys: what devices tell is told to the interaction machine, and what that says is done.

extension ScreenSession {
  // MARK: Devices

  /// Listens to what belongs to a screen that has just been opened.
  func listen(to display: any Display) {
    let heard: ([(event: InputEvent, time: Instant)]) -> Void = { [weak self] in self?.hear($0) }
    if let source = display as? any InputSource {
      source.onInput = heard
    } else if display.kind == .kms {
      let mapping = TouchMapping(view: display.target.size, rotation: options.rotation)
      do throws(VitrineError) {
        try inputs.listen(as: key, mapping, interaction.settings.devices, heard: heard)
      } catch {
        // The picture goes on without.
        tell(error)
      }
    }
  }

  /// A batch of events from one device, in the order in which they came.
  func hear(_ events: [(event: InputEvent, time: Instant)]) {
    turn {
      for (event, time) in events where !hasEnded { hear(event, at: time) }
      let rest = interaction.endBatch()
      if let place = rest.pointer { showPointer(at: place) }
      // The bar first: what the decoder does next would compete with drawing it.
      if overlay.isStale { drawOverlay() }
      if let scrub = rest.scrub { carryOut(scrub) }
    }
  }

  private func hear(_ event: InputEvent, at time: Instant) {
    switch event {
    case .deviceAdded(let device): log.info("input: \(device.path) '\(device.name)'")
    case .deviceRemoved: log.info("input: a device has gone")
    case .touch: measureBar()
    case .key, .pointerMoved: break
    }
    tellInteraction(.heard(event, at: time))
  }

  /// Where fingers meet the bar that shows, or would.
  private func measureBar() {
    guard let display = output.display else { return }
    let screen = display.target.size
    guard let bar = interaction.barToMeasure(on: screen) else { return }
    let targets = overlay.renderer.targets(of: bar, screen: screen, density: density(of: display))
    interaction.barMeasured(bar, on: screen, targets)
  }

  // MARK: The machine

  func tellInteraction(_ event: InteractionMachine.Event) {
    turn {
      let scene = InteractionMachine.Scene(
        media: machine.presentation(at: now).current.map { ScrubMedia($0) }, isPlaying: machine.wantsToPlay,
        isSoundEnabled: options.sound.isEnabled,
        screen: output.display?.target.size)
      let effects = interaction.handle(event, in: scene, at: now)
      for effect in effects { carryOut(effect) }
      overlay.isStale = true
      armInteractionTimer()
    }
  }

  /// When time alone changes something. A timer that would fire too early stays: mice move up to a thousand times a second, and
  /// each move puts off the moment when their arrow goes.
  private func armInteractionTimer() {
    let due = hasEnded ? nil : interaction.deadline
    if let armed = overlay.interactionDue, let due, armed <= due, armed > now { return }
    overlay.interactionDue = due
    startTimer(.interaction, at: due) { [weak self] in
      self?.overlay.interactionDue = nil
      self?.tellInteraction(.timePassed)
    }
  }

  private func carryOut(_ effect: InteractionMachine.Effect) {
    switch effect {
    case .perform(let command):
      if case .refused(let refusal) = perform(command) { tellInteraction(.refused(command, refusal)) }
    case .hold: engine.feed(.suppressed(.scrubbing))
    case .letGo: engine.feed(.unsuppressed(.scrubbing))
    case .scrub(let target, let tolerance): engine.feed(.seekRequested(to: target, tolerance))
    case .startVisitorsList(let number):
      log.info("a visitor is there: the list for visitors\(number.map { ", item \($0)" } ?? "")")
      // A clip that plays in between is no part of the loop.
      content.attractLoop = machine.queue.entries.filter { $0.id != interaction.clip }.map(\.item)
      replaceQueue(
        options.visitorsQueue, shuffle: options.shuffle(forVisitors: true), startingAt: number.map { $0 - 1 })
      if let number, machine.queue.select(index: number - 1) == nil {
        tellInteraction(.refused(.select(number: number), .noSuchItem))
      }
    case .returnToLoop:
      log.info("nobody is there: back to the loop")
      tellInteraction(.soundReplaced(options.sound))
      if let queue = content.attractLoop { replaceQueue(queue, shuffle: options.shuffle(forVisitors: false)) }
      content.attractLoop = nil
      engine.feed(.playRequested)
    case .followDetour(let action): carryOut(action)
    case .setSound(let volume, let isMuted):
      engine.setVolume(volume, over: options.sound.fade)
      engine.setMuted(isMuted, over: options.sound.fade)
    case .statusCardOpened: owner?.screen(name, tells: .statusCardOpened)
    case .hidePointer: output.display?.showPointer(nil)
    case .tellGesture(let text): log.debug("\(text)")
    }
  }

  /// Another list plays from now on.
  ///
  /// - Parameter shuffle: seed of its order; before the list, so that its first item is the first of that order.
  private func replaceQueue(_ items: [MediaItem], shuffle: UInt64?, startingAt index: Int? = nil) {
    var queue = machine.queue
    queue.shuffle = shuffle
    if queue != machine.queue { engine.feed(.queueEdited(queue)) }
    engine.feed(.queueReplaced(items, startingAt: index))
  }

  private func carryOut(_ action: ClipDetour.Action) {
    switch action {
    case .holdAtEnd: engine.feed(.endActionChanged(.pause))
    case .advanceAtEnd: engine.feed(.endActionChanged(.advance))
    case .select(let item): engine.feed(.itemSelected(item))
    case .seek(let target): engine.feed(.seekRequested(to: target, .exact))
    case .play: engine.feed(.playRequested)
    case .pause: engine.feed(.pauseRequested)
    case .remove(let item):
      var queue = machine.queue
      if queue.remove(item) { engine.feed(.queueEdited(queue)) }
    }
  }

  /// Puts a clip behind the item that plays, and goes to it.
  func insertClip(_ clip: String) -> KioskReply {
    guard let item = ItemResolver().resolve([clip]).items.first else {
      log.error("the clip can't be played: \(clip)")
      return .refused(.noSuchClip)
    }
    guard let current = machine.current else { return .refused(.nothingPlays) }
    var queue = machine.queue
    let place = ClipDetour.Place(
      item: current.item, position: machine.shownPosition ?? current.media.start, isPlaying: machine.wantsToPlay)
    guard let id = queue.insert(item, after: current.item) else { return .refused(.nothingPlays) }
    engine.feed(.queueEdited(queue))
    tellInteraction(.clipInserted(id, from: place))
    return .done
  }

  /// The mouse's arrow, at its newest place.
  private func showPointer(at place: ScreenPoint) {
    guard let display = output.display, let picture = overlay.pointer(on: display.target.size) else { return }
    display.showPointer(picture.image(at: place))
  }
}
