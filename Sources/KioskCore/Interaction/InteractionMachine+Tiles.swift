internal import InteractionCore
internal import PlaybackCore

// Tiles: a visitor chooses a film of the list by its picture.
extension InteractionMachine {
  var recognition: GestureSettings {
    tiles.isShown || choices.panel.isShown ? settings.choosingRecognition : settings.recognition
  }

  /// - Parameter isNewVisit: whether the loop still plays; else it comes back behind the tiles.
  mutating func showTiles(isNewVisit: Bool) {
    guard !tiles.isShown else { return }
    tiles.show(isNewVisit: isNewVisit)
    choices.panel.close()
    presenter.hideBar()
    recognizer.settings = recognition
    if !isNewVisit { emit(.playLoopBehindTiles) }
  }

  mutating func hideTiles() {
    tiles.hide()
    recognizer.settings = recognition
  }

  /// Somebody asks for the tiles.
  mutating func callTiles(_ now: Instant) {
    applyAttract(attract.touched(at: now).actions, now)
    if !tiles.isShown { applyAttract(attract.listEnded(), now) }
  }

  private mutating func play(_ tile: Int) {
    hideTiles()
    emit(.startVisitorsList(number: tile + 1))
  }

  /// Shows which film or choice is below a finger.
  mutating func showPressed(_ event: InputEvent, _ now: Instant) {
    guard tiles.isShown || choices.panel.isShown, case .touch(let frame) = event else { return }
    for change in frame.changes {
      guard case .down(let point) = change.kind else { continue }
      if tiles.isShown { tiles.touched(point, at: now) } else { choices.panel.touched(point, at: now) }
    }
    guard !recognizer.isTouched else { return }
    tiles.letGo()
    choices.panel.letGo()
  }

  /// - Returns: whether the gesture was meant for the tiles; else it has its usual action.
  mutating func chooseTile(by action: GestureAction, _ now: Instant) -> Bool {
    switch action {
    case .recognised(.tap), .recognised(.swipe), .recognised(.doubleTap): break
    case .dragBegan(let drag), .dragMoved(let drag), .dragEnded(let drag, _):
      guard drag.kind != .vertical else { return false }
    case .recognised: return false
    }
    if let tile = tiles.handle(action, at: now) { play(tile) }
    return true
  }

  /// - Parameter key: its name; nil for a button on a GPIO line.
  /// - Returns: whether the key was meant for the tiles; else it has its usual action.
  mutating func chooseTile(byKey key: String?, _ binding: Binding, _ now: Instant) -> Bool {
    guard tiles.isShown, let effect = tiles.press(key, binding, at: now) else { return false }
    if case .chosen(let tile) = effect { play(tile) }
    return true
  }
}
