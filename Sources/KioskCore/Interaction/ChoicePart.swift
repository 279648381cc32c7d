internal import InteractionCore
internal import PlaybackCore

/// A visitor's choices of sound and captions, and the panel that lists them.
struct ChoicePart: Sendable {
  private(set) var made = VisitorChoices()
  var panel = ChoicePanel()

  /// Forgets what a visitor has chosen.
  ///
  /// - Returns: whether other tracks may be on now.
  mutating func forget() -> Bool {
    let hasWish = made.tracks != TrackWish()
    self = ChoicePart()
    return hasWish
  }

  /// Carries out a command for captions, language or audio description.
  ///
  /// - Returns: the words that tell the visitor what is on now; nil for other commands.
  mutating func change(by command: Command, of shown: [MediaTrack]) -> VisitorText? {
    made.tracks.change(by: command, of: shown)
  }

  /// Opens the panel or closes it.
  ///
  /// - Returns: whether there is nothing to choose.
  mutating func togglePanel(_ scene: InteractionScene, at now: Instant) -> Bool {
    guard !panel.isShown else {
      panel.close()
      return false
    }
    let list = ChoiceList(scene.tracks, made, hasSound: scene.isSoundEnabled, hasHighContrast: false)
    if !list.isEmpty { panel.open(at: now) }
    return list.isEmpty
  }

  /// The panel now; nil while it is closed. Closes it where something else covers it.
  mutating func wall(_ scene: OverlayScene, _ shown: ShownItem, isCovered: Bool, at now: Instant) -> ChoiceWall? {
    guard panel.isShown, let grid = scene.choices else { return nil }
    guard !isCovered, scene.card == nil, !scene.alerts.contains(where: \.isInstead) else {
      panel.close()
      return nil
    }
    let list = ChoiceList(
      shown.tracks, made, hasSound: scene.isSoundEnabled, hasHighContrast: scene.hasHighContrast)
    return panel.wall(list, grid, at: now)
  }

  /// - Returns: whether other tracks are wanted now.
  mutating func carryOut(_ effect: ChoicePanel.Effect, of tracks: [MediaTrack]) -> Bool {
    let before = made.tracks
    switch effect {
    case .moved: break
    case .closed: panel.close()
    case .chosen(let cell): made.choose(cell, of: tracks)
    }
    return made.tracks != before
  }
}
