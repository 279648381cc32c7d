import CPangoCairo
import InteractionCore
import PlaybackCore

/// The ring in the middle of the screen while the player waits for data.
struct BufferingRingPart: OverlayPart {
  let bounds: Box
  private let percent: Int
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextLayout

  /// - Parameter percent: clamped to 0...100.
  init(_ percent: Int, metrics: OverlayMetrics, theme: Theme, text context: TextContext) {
    self.percent = min(max(percent, 0), 100)
    self.metrics = metrics
    self.theme = theme
    let radius = metrics.pixels(OverlayMetrics.discRadius * metrics.typeScale)
    bounds = Box(x: metrics.width / 2 - radius, y: metrics.height / 2 - radius, width: 2 * radius, height: 2 * radius)
    text = context.line(
      context.string(VisitorText(.percent, ["percent": .number(self.percent)])),
      TextStyle(
        size: metrics.pixels(OverlayMetrics.ringType * metrics.typeScale), weight: PANGO_WEIGHT_SEMIBOLD,
        hasTabularFigures: true))
  }

  func draw(on canvas: borrowing Canvas) {
    let (x, y) = (bounds.centreX, bounds.centreY)
    canvas.fillCircle(
      x: x, y: y, radius: bounds.width / 2, metrics.ground, opacity: metrics.discOpacity)
    Ring.draw(
      on: canvas, x: x, y: y, scale: metrics.typeScale, share: Double(percent) / 100, metrics: metrics, theme: theme)
    text.draw(on: canvas, x: x - text.width / 2, centreY: y, .white)
  }
}
