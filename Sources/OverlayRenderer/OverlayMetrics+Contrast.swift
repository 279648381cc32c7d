import PlaybackCore

// The values of the high-contrast preset: backgrounds are solid black, faint colours are white or nearly so, lines are
// thicker. Sizes and places stay, so that touch targets don't move.
extension OverlayMetrics {
  var ground: RGBColor { hasHighContrast ? .black : Self.ground }
  var secondaryOpacity: Double { hasHighContrast ? 1 : Self.secondaryOpacity }
  var footerOpacity: Double { hasHighContrast ? 1 : Self.footerOpacity }
  var buttonOpacity: Double { hasHighContrast ? 0.32 : Self.buttonOpacity }
  var trackHeight: Double { hasHighContrast ? 0.6 : Self.trackHeight }
  var draggedTrackHeight: Double { hasHighContrast ? 0.9 : Self.draggedTrackHeight }
  /// Unchanged: the three steps of the track can still be told apart: on black, 44 %, 83 % and the accent.
  var trackRestOpacity: Double { Self.trackRestOpacity }
  var trackBufferedOpacity: Double { hasHighContrast ? 0.7 : Self.trackBufferedOpacity }
  var bubbleOpacity: Double { hasHighContrast ? 1 : Self.bubbleOpacity }
  var messageOpacity: Double { hasHighContrast ? 1 : Self.messageOpacity }
  var ringRestOpacity: Double { hasHighContrast ? 0.4 : Self.ringRestOpacity }
  var discOpacity: Double { hasHighContrast ? 1 : Self.discOpacity }
  var cardOpacity: Double { hasHighContrast ? 1 : Self.cardOpacity }
  var cardDim: Double { hasHighContrast ? 0.7 : Self.cardDim }
  var subtitleOutline: Double { hasHighContrast ? 0.24 : Self.subtitleOutline }
  var subtitleOutlineOpacity: Double { hasHighContrast ? 1 : Self.subtitleOutlineOpacity }

  /// Opacity of the scrim at a height above the bottom edge. With high contrast it is a solid band behind title and
  /// row, with a short gradient so that the film isn't cut off hard.
  func scrimOpacity(above bottom: Double) -> Double {
    guard hasHighContrast else { return Self.scrimOpacity(above: bottom / barScale) }
    return min(max((scrimHeight - bottom) / Self.highContrastEdge, 0), 1)
  }

  /// Opacity of the scrim at a height above the lower edge of the bar, in pixels; below that edge it ends softly.
  func scrimOpacity(pixelsAbove pixels: Double) -> Double {
    guard pixels < 0 else { return scrimOpacity(above: pixels / unit) }
    let rest = max(0, 1 + pixels / self.pixels(Self.scrimFade))
    return scrimOpacity(above: 0) * rest * rest * (3 - 2 * rest)
  }

  private static var highContrastEdge: Double { 2 }
}
