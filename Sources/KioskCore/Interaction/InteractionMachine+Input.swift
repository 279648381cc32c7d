internal import InteractionCore
internal import PlaybackCore

// Touches, keys and mice: turns the devices' events into actions.

extension InteractionMachine {
  mutating func handleInput(_ event: InputEvent, at time: Instant, _ scene: Scene, _ now: Instant) {
    switch event {
    case .deviceAdded: applyGestures(recognizer.handle(event, at: time), scene, now)
    case .deviceRemoved(let device):
      applyGestures(recognizer.handle(event, at: time), scene, now)
      for binding in lineButtons.removed(device, settings.actions.lines) { press(binding, scene, now) }
    case .key(let change):
      if let line = settings.actions.lines[change.key] {
        for binding in lineButtons.handle(change, line, at: time) { press(binding, scene, now) }
      } else if change.kind == .down {
        press(settings.actions.action(forKey: change.key), key: change.key, scene, now)
      }
    case .touch: handleTouch(event, at: time, scene, now)
    case .pointerMoved(let place, _): handlePointer(place, now)
    }
  }

  private mutating func handleTouch(_ event: InputEvent, at time: Instant, _ scene: Scene, _ now: Instant) {
    guard lock.hearsTouch else { return }
    // A touch that answers "Still there?" has no other effect.
    let answers = model.countdown != nil
    // The panel may be open over the loop, by a key: a touch of it starts no list.
    let aim: Binding.Aim = choices.panel.isShown ? .player : .anything
    if !lock.isLocked, meetVisitor(now, aim: aim) || answers {
      // The touch that starts the visitors' list isn't a touch of its controls. A gesture that began before ends.
      applyGestures(recognizer.cancel(at: time), scene, now)
      _ = recognizer.handle(event, at: time)
      return applyGestures(recognizer.cancel(at: time), scene, now)
    }
    // A hidden bar can't be touched.
    recognizer.targets = model.bar == nil ? .none : bar.targets
    applyGestures(recognizer.handle(event, at: time), scene, now)
    showPressed(event, now)
  }

  /// Carries out the binding of a key or a button that was pressed, or let go.
  ///
  /// - Parameter key: its name; nil for a button on a GPIO line.
  mutating func press(_ action: Binding, key: String? = nil, _ scene: Scene, _ now: Instant) {
    guard action != .nothing, lock.mode != .all else { return }
    if !lock.isLocked {
      if choose(byKey: key, action, scene, now) {
        // The panel may be open over the loop: a key of it starts no list.
        _ = meetVisitor(now, aim: .player)
        return
      }
      let choosesTile = tiles.isShown
      if meetVisitor(now, aim: action.aim) || choosesTile && chooseTile(byKey: key, action, now) { return }
    }
    perform(action, isKey: true, now)
  }

  private mutating func handlePointer(_ place: ScreenPoint, _ now: Instant) {
    guard lock.hearsTouch else { return }
    rest.pointer = place
    passing.pointerMovedAt = now
    // The pointer may be on its way to a button.
    if !lock.isLocked { presenter.touched(at: now) }
  }

  /// Shows the bar and tells the attract machine that a visitor is there.
  ///
  /// - Parameter aim: the purpose of a key.
  /// - Returns: whether the touch has no other effect.
  private mutating func meetVisitor(_ now: Instant, aim: Binding.Aim = .anything) -> Bool {
    presenter.touched(at: now)
    let (actions, isSpent) = attract.touched(at: now, aim: aim, isAtClip: detour.isAway)
    applyAttract(actions, now)
    return isSpent
  }

  // MARK: Gestures

  mutating func applyGestures(_ actions: [GestureAction], _ scene: Scene, _ now: Instant) {
    for action in actions {
      if choices.panel.isShown, !lock.isLocked {
        carryOut(choices.panel.handle(action, at: now), scene)
        continue
      }
      if tiles.isShown, !isStatusShown, !lock.isLocked, chooseTile(by: action, now) { continue }
      switch action {
      case .recognised(let gesture):
        emit(.tellGesture("gesture: \(gesture)"))
        // The first gesture takes the status card away, and does nothing else.
        if isStatusShown {
          showStatus(false, now)
          continue
        }
        perform(settings.actions.action(for: gesture), isKey: false, now)
      case .dragBegan(let drag), .dragMoved(let drag), .dragEnded(let drag, _):
        var action = action
        if lock.isLocked {
          // A drag that began before the lock has to end, without an effect: otherwise it would hold playback for good.
          guard case .dragEnded = action else { continue }
          action = .dragEnded(drag, .cancelled)
        }
        if case .dragBegan = action { emit(.tellGesture("drag: \(drag.kind.rawValue) begins")) }
        if case .dragEnded(_, let end) = action {
          emit(.tellGesture("drag: \(drag.kind.rawValue) ends, \(end.rawValue)"))
        }
        switch settings.actions.action(for: drag.kind) {
        case .scrub:
          applyScrub(scrub.handle(action, media: scene.media, targets: bar.targets, at: now), now)
        case .dragVolume: dragVolume(action, scene, now)
        default: break
        }
      }
    }
  }

  /// Seeks to the newest place of a drag after the bar has been drawn there, because the decoder's work would compete
  /// with the drawing. Any other action, such as the end of the drag, replaces that seek and is carried out at once.
  /// (Usual sliders, the comparison, seek before anything is drawn.)
  mutating func applyScrub(_ actions: [ScrubAction], _ now: Instant) {
    if drawsBeforeSeeking, actions.count == 1, case .seek(let target, let tolerance) = actions[0] {
      rest.scrub = .scrub(to: target, tolerance)
      return
    }
    if !actions.isEmpty { rest.scrub = nil }
    for action in actions {
      switch action {
      case .hold: emit(.hold)
      case .letGo: emit(.letGo)
      case .seek(let target, let tolerance): emit(.scrub(to: target, tolerance))
      case .refuse: say(VisitorText(.cannotMove), now)
      }
    }
  }

  private mutating func dragVolume(_ action: GestureAction, _ scene: Scene, _ now: Instant) {
    guard scene.isSoundEnabled else {
      if case .dragBegan = action { say(VisitorText(.noSound), now) }
      return
    }
    guard let screen = scene.screen, volume.handle(action, screen: screen) else { return }
    emitSoundSettings()
    say(volume.text, now)
  }

  // MARK: Actions

  private mutating func perform(_ binding: Binding, isKey: Bool, _ now: Instant) {
    guard binding != .nothing, lock.admits(binding, isKey: isKey) else { return }
    switch binding {
    // A picture that is held has nothing to pause, and what follows it is what the visitor wants.
    case .command(.playPause) where detour.isHeldAtEnd, .command(.play) where detour.isHeldAtEnd,
      .command(.next) where detour.isHeldAtEnd:
      release(now)
    // Not commands: how glass and keys are heard is no business of other doors.
    case .lock, .unlock: say(VisitorText(lock.isLocked ? .locked : .unlocked), now)
    case .command(let command): emit(.perform(command))
    // The drag itself carries these out.
    case .nothing, .scrub, .dragVolume: break
    }
  }
}
