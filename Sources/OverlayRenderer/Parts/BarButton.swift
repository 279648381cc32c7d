import InteractionCore
import PlaybackCore

/// A button of the transport bar.
struct BarButton {
  private let button: OverlayButton
  private let bar: TransportBar
  private let metrics: OverlayMetrics

  init(_ button: OverlayButton, _ bar: TransportBar, _ metrics: OverlayMetrics) {
    self.button = button
    self.bar = bar
    self.metrics = metrics
  }

  /// - Parameter box: what a finger meets; the glyph is in its middle.
  func draw(on canvas: borrowing Canvas, _ box: Box) {
    switch button {
    case .playPause: drawPlayPause(on: canvas, box)
    case .next: drawSkip(on: canvas, box, isTurned: false)
    case .previous: drawSkip(on: canvas, box, isTurned: true)
    case .mute: drawSpeaker(on: canvas, box)
    }
  }

  /// Of glyphs beside play, in pixels.
  private func pixels(_ units: Double) -> Double { metrics.pixels(units * metrics.touchScale) }

  private func drawPlayPause(on canvas: borrowing Canvas, _ box: Box) {
    canvas.fillCircle(x: box.centreX, y: box.centreY, radius: box.width / 2, .white, opacity: metrics.buttonOpacity)
    let scale = metrics.playScale
    let corner = metrics.pixels(OverlayMetrics.glyphCorner * scale)
    if bar.isPlaying {
      let width = metrics.crisp(OverlayMetrics.pauseBarWidth * scale)
      let height = metrics.crisp(OverlayMetrics.pauseBarHeight * scale)
      let gap = metrics.crisp(OverlayMetrics.pauseBarGap * scale)
      let left = (box.centreX - width - gap / 2).rounded()
      let top = (box.centreY - height / 2).rounded()
      for x in [left, left + width + gap] {
        canvas.fillRounded(Box(x: x, y: top, width: width, height: height), corner: corner, .white)
      }
    } else {
      let left =
        box.centreX - metrics.pixels((OverlayMetrics.playWidth / 2 - OverlayMetrics.playShift) * scale) + corner
      let right = left + metrics.pixels(OverlayMetrics.playWidth * scale) - 2 * corner
      let half = metrics.pixels(OverlayMetrics.playHeight * scale) / 2 - corner
      canvas.fillPolygon(
        [(left, box.centreY - half), (right, box.centreY), (left, box.centreY + half)], corner: corner, .white)
    }
  }

  /// A triangle against a bar: next, and turned over previous.
  private func drawSkip(on canvas: borrowing Canvas, _ box: Box, isTurned: Bool) {
    let corner = pixels(OverlayMetrics.glyphCorner)
    let (width, height) = (pixels(OverlayMetrics.skipWidth), pixels(OverlayMetrics.skipHeight))
    let bar = metrics.crisp(OverlayMetrics.skipBarWidth * metrics.touchScale)
    let left = box.centreX - (width + bar) / 2
    let half = height / 2 - corner
    canvas.turnedOver(isTurned, around: box.centreX) {
      canvas.fillPolygon(
        [
          (left + corner, box.centreY - half), (left + width - corner, box.centreY),
          (left + corner, box.centreY + half),
        ], corner: corner, .white)
      canvas.fillRounded(
        Box(x: (left + width).rounded(), y: box.centreY - height / 2, width: bar, height: height), corner: corner,
        .white)
    }
  }

  /// A loudspeaker with two waves, or struck out.
  private func drawSpeaker(on canvas: borrowing Canvas, _ box: Box) {
    let height = pixels(OverlayMetrics.speakerHeight)
    let corner = pixels(OverlayMetrics.glyphCorner) / 2
    let stroke = max(1, pixels(OverlayMetrics.speakerStroke))
    // The magnet is a square of a third of the height, the cone opens to the whole of it.
    let third = height / 3
    let left = box.centreX - height * 0.58
    let (y, mouth) = (box.centreY, left + third * 1.5)
    canvas.fillPolygon(
      [
        (left, y - third / 2), (left + third / 2, y - third / 2), (mouth, y - height / 2 + corner),
        (mouth, y + height / 2 - corner), (left + third / 2, y + third / 2), (left, y + third / 2),
      ], corner: corner, .white)
    let waves = mouth + third * 0.35
    if bar.isMuted {
      let (half, middle) = (third * 0.52, waves + third * 0.75)
      canvas.strokeLine((middle - half, y - half), (middle + half, y + half), width: stroke, .white)
      canvas.strokeLine((middle - half, y + half), (middle + half, y - half), width: stroke, .white)
    } else {
      for radius in [third * 0.7, third * 1.4] {
        canvas.strokeWave(x: waves - third * 0.3, y: y, radius: radius, half: 0.85, width: stroke, .white)
      }
    }
  }
}
