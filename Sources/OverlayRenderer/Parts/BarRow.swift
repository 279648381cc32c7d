import InteractionCore
import PlaybackCore

/// The places of buttons, times and track in the lower line of the bar, from left to right.
///
/// Captions, language, audio description, sign language, choices and mute are at the right end. Where the track would be too short
/// to use, the times move up into the title's line; then buttons are left out: first mute, which a remote control has
/// too, then previous and next, which a swipe replaces, then language, which is among the choices, then these, audio
/// description, sign language, and captions. The way back to the tiles stays.
struct BarRow {
  private(set) var buttons: [OverlayButton: Box] = [:]
  /// The places of the times have no height; their y is the middle of the text.
  private(set) var position = Box.none
  private(set) var duration = Box.none
  private(set) var track = Box.none
  private(set) var timesAreAbove = false

  private static let endButtons: [OverlayButton] = [.captions, .language, .description, .signed, .choices, .mute]

  init(_ bar: TransportBar, _ times: BarTimes, _ metrics: OverlayMetrics) {
    let wanted = OverlayButton.allCases.filter(bar.buttons.contains)
    let withoutMute = wanted.filter { $0 != .mute }
    let tries: [(buttons: [OverlayButton], timesAreAbove: Bool)] = [
      (wanted, false), (wanted, true), (withoutMute, true),
      (withoutMute.filter { $0 != .previous && $0 != .next }, true),
      (withoutMute.filter { [.tiles, .playPause, .captions, .description, .signed, .choices].contains($0) }, true),
      (withoutMute.filter { [.tiles, .playPause, .captions, .description, .signed].contains($0) }, true),
      (withoutMute.filter { [.tiles, .playPause, .captions, .signed].contains($0) }, true),
      (withoutMute.filter { [.tiles, .playPause, .captions].contains($0) }, true),
      (withoutMute.filter { $0 == .tiles || $0 == .playPause }, true),
    ]
    for (buttons, timesAreAbove) in tries {
      self = BarRow(buttons, isDragged: bar.isDragged, timesAreAbove ? nil : times, metrics)
      if track.width >= metrics.pixels(OverlayMetrics.shortestTrack) { break }
    }
  }

  /// - Parameter times: nil where the times are drawn elsewhere.
  private init(_ buttons: [OverlayButton], isDragged: Bool, _ times: BarTimes?, _ metrics: OverlayMetrics) {
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let y = (metrics.height - metrics.lower - metrics.pixels(metrics.rowCentre)).rounded()
    let (radius, side) = (metrics.pixels(metrics.buttonRadius), metrics.pixels(metrics.sideButtonWidth))
    let glyph = metrics.pixels((OverlayMetrics.skipWidth + OverlayMetrics.skipBarWidth) * metrics.touchScale)
    let glyphMargin = (side - glyph) / 2
    let gap = metrics.pixels(OverlayMetrics.sideButtonGap)
    func box(_ button: OverlayButton, at x: Double) -> Box {
      button == .playPause
        ? Box(x: x, y: y - radius, width: 2 * radius, height: 2 * radius)
        : Box(x: x, y: y - side / 2, width: side, height: side)
    }
    // Buttons without a disc are aligned by their glyphs, as far as the touch targets fit on the screen.
    let overhang = min(glyphMargin, margin)
    let atEnd = buttons.filter(Self.endButtons.contains)
    var x = margin - (buttons.first.map { $0 != .playPause && !atEnd.contains($0) } ?? false ? overhang : 0)
    for button in buttons where !atEnd.contains(button) {
      let box = box(button, at: x)
      self.buttons[button] = box
      x = box.right + gap
    }
    if !self.buttons.isEmpty { x += metrics.pixels(OverlayMetrics.buttonGap - OverlayMetrics.sideButtonGap) }
    var end = metrics.width - margin
    if !atEnd.isEmpty { end += overhang }
    for button in atEnd.reversed() {
      let box = box(button, at: end - side)
      self.buttons[button] = box
      end = box.x - gap
    }
    let trackGap = metrics.pixels(OverlayMetrics.trackGap)
    timesAreAbove = times == nil
    if let times {
      position = Box(x: x, y: y, width: times.positionWidth, height: 0)
      duration = Box(x: end - times.durationWidth, y: y, width: times.durationWidth, height: 0)
      x = position.right + trackGap
      end = duration.x - trackGap
    } else if !atEnd.isEmpty {
      end -= trackGap - gap
    }
    let height = metrics.crisp(
      (isDragged ? metrics.draggedTrackHeight : metrics.trackHeight) * metrics.trackScale)
    let start = x.rounded()
    track = Box(x: start, y: (y - height / 2).rounded(), width: max(0, end.rounded() - start), height: height)
  }
}
