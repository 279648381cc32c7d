internal import InteractionCore
internal import PlaybackCore

// The panel of choices: a visitor chooses sound, captions and their look.
extension InteractionMachine {
  /// Whether the panel of choices is shown.
  public var showsChoices: Bool { choices.panel.isShown }

  mutating func toggleChoices(_ scene: Scene, _ now: Instant) {
    // A drag that has begun would end in another place than it began.
    applyGestures(recognizer.cancel(at: now), scene, now)
    if tiles.isShown || choices.togglePanel(scene, at: now) { say(VisitorText(.noChoices), now) }
    // The panel takes the place of the bar, and of the status card.
    if choices.panel.isShown { passing.statusUntil = nil }
    recognizer.settings = recognition
  }

  mutating func carryOut(_ effect: ChoicePanel.Effect, _ scene: Scene) {
    if choices.carryOut(effect, of: scene.tracks) { emit(.setTracks(choices.made.tracks)) }
    recognizer.settings = recognition
  }

  /// - Parameter key: its name; nil for a button on a GPIO line.
  /// - Returns: whether the key was meant for the panel; else it has its usual action.
  mutating func choose(byKey key: String?, _ binding: Binding, _ scene: Scene, _ now: Instant) -> Bool {
    guard choices.panel.isShown, let effect = choices.panel.press(key, binding, at: now) else { return false }
    carryOut(effect, scene)
    return true
  }
}
