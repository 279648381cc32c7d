internal import InteractionCore
internal import PlaybackCore

// Fingers, keys and mice: from what devices tell to what is asked for.

extension InteractionMachine {
  mutating func hear(_ event: InputEvent, at time: Instant, _ scene: Scene, _ now: Instant) {
    switch event {
    case .deviceAdded, .deviceRemoved: takeGestures(recognizer.handle(event, at: time), scene, now)
    case .key(let change): hearKey(change, now)
    case .touch: hearTouch(event, at: time, scene, now)
    case .pointerMoved(let place, _): hearPointer(place, now)
    }
  }

  private mutating func hearTouch(_ event: InputEvent, at time: Instant, _ scene: Scene, _ now: Instant) {
    guard lock.hearsTouch else { return }
    if !lock.isLocked, meetVisitor(now) {
      // The touch that brings the visitors' list isn't a touch of what that shows. What was begun before it ends.
      takeGestures(recognizer.cancel(at: time), scene, now)
      _ = recognizer.handle(event, at: time)
      return takeGestures(recognizer.cancel(at: time), scene, now)
    }
    // What doesn't show can't be touched.
    recognizer.targets = model.bar == nil ? .none : bar.targets
    takeGestures(recognizer.handle(event, at: time), scene, now)
  }

  private mutating func hearKey(_ change: KeyChange, _ now: Instant) {
    let action = settings.actions.action(forKey: change.key)
    guard change.kind == .down, action != .nothing, lock.mode != .all else { return }
    if !lock.isLocked, meetVisitor(now, aim: action.aim) { return }
    perform(action, isKey: true, now)
  }

  private mutating func hearPointer(_ place: ScreenPoint, _ now: Instant) {
    guard lock.hearsTouch else { return }
    rest.pointer = place
    pointerMovedAt = now
    // It may be on its way to a button.
    if !lock.isLocked { presenter.touched(at: now) }
  }

  /// Somebody is there: the bar shows.
  ///
  /// - Parameter aim: what a key is meant for.
  /// - Returns: whether that was all that the touch did.
  private mutating func meetVisitor(_ now: Instant, aim: Binding.Aim = .anything) -> Bool {
    presenter.touched(at: now)
    let (actions, isSpent) = attract.touched(at: now, aim: aim, isAtClip: detour.isAway)
    takeAttract(actions, now)
    return isSpent
  }

  // MARK: Gestures

  mutating func takeGestures(_ actions: [GestureAction], _ scene: Scene, _ now: Instant) {
    for action in actions {
      switch action {
      case .recognised(let gesture):
        effects.append(.tellGesture("gesture: \(gesture)"))
        // Whatever is done next takes the card away, and nothing else.
        if isStatusShown {
          showStatus(false, now)
          continue
        }
        perform(settings.actions.action(for: gesture), isKey: false, now)
      case .dragBegan(let drag), .dragMoved(let drag), .dragEnded(let drag, _):
        var action = action
        if lock.isLocked {
          // What was begun before somebody locked has to end, but leads nowhere: it would hold playback for good.
          guard case .dragEnded = action else { continue }
          action = .dragEnded(drag, .cancelled)
        }
        if case .dragBegan = action { effects.append(.tellGesture("drag: \(drag.kind.rawValue) begins")) }
        if case .dragEnded(_, let end) = action {
          effects.append(.tellGesture("drag: \(drag.kind.rawValue) ends, \(end.rawValue)"))
        }
        switch settings.actions.action(for: drag.kind) {
        case .scrub:
          takeScrub(scrub.handle(action, media: scene.media, targets: bar.targets, at: now), now)
        case .dragVolume: dragVolume(action, scene, now)
        default: break
        }
      }
    }
  }

  /// A finger that moves on: the newest place is sought when the bar is drawn there, because what the decoder does next would
  /// compete with drawing it. All else, such as the end of a drag, takes the place of that at once. (Handlers of sliders, with which
  /// that is compared, seek before anything is drawn.)
  mutating func takeScrub(_ actions: [ScrubAction], _ now: Instant) {
    if drawsBeforeSeeking, actions.count == 1, case .seek(let target, let tolerance) = actions[0] {
      rest.scrub = .scrub(to: target, tolerance)
      return
    }
    if !actions.isEmpty { rest.scrub = nil }
    for action in actions {
      switch action {
      case .hold: effects.append(.hold)
      case .letGo: effects.append(.letGo)
      case .seek(let target, let tolerance): effects.append(.scrub(to: target, tolerance))
      case .refuse: say("This can't be moved", now)
      }
    }
  }

  private mutating func dragVolume(_ action: GestureAction, _ scene: Scene, _ now: Instant) {
    guard scene.isSoundEnabled else {
      if case .dragBegan = action { say(KioskRefusal.noSound.text, now) }
      return
    }
    guard let screen = scene.screen, volume.handle(action, screen: screen) else { return }
    tellSound()
    say(volume.text, now)
  }

  // MARK: Actions

  private mutating func perform(_ binding: Binding, isKey: Bool, _ now: Instant) {
    guard binding != .nothing, lock.admits(binding, isKey: isKey) else { return }
    switch binding {
    // Not commands: how glass and keys are heard is no business of other doors.
    case .lock, .unlock: say(lock.isLocked ? "Locked" : "Unlocked", now)
    case .command(let command): effects.append(.perform(command))
    // Drags of their own kind are carried out by the drag.
    case .nothing, .scrub, .dragVolume: break
    }
  }
}
