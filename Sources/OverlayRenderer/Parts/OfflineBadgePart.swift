import CPangoCairo
import PlaybackCore

/// Says in the corner that there is no network: a pill with a struck-out dot, at the top right, or at the top left where a
/// message that reads from right to left has that place.
struct OfflineBadgePart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextLayout

  init(besideMessage message: Box?, metrics: OverlayMetrics, theme: Theme, text context: TextContext) {
    self.metrics = metrics
    self.theme = theme
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    text = context.line(theme.offlineWord, TextStyle(size: metrics.pixels(OverlayMetrics.messageType)))
    let furniture = metrics.pixels(
      2 * OverlayMetrics.messagePadding + 2 * OverlayMetrics.offlineRadius + OverlayMetrics.dotGap)
    let height = metrics.crisp(OverlayMetrics.messageHeight)
    let width = (text.width + furniture).rounded(.up)
    var pill = Box(
      x: (metrics.width - margin).rounded() - width, y: margin.rounded(), width: width, height: height)
    if let message, message.right > pill.x {
      // A mirrored message leaves the left corner; one as wide as the screen leaves the row below.
      if message.x > margin + width { pill.x = margin.rounded() } else { pill.y += height + margin / 3 }
    }
    bounds = pill
  }

  func draw(on canvas: borrowing Canvas) {
    canvas.fillRounded(
      bounds, corner: metrics.pixels(OverlayMetrics.messageCorner), metrics.ground, opacity: metrics.messageOpacity)
    let radius = metrics.pixels(OverlayMetrics.offlineRadius)
    let x = bounds.x + metrics.pixels(OverlayMetrics.messagePadding) + radius
    let stroke = max(1, metrics.pixels(OverlayMetrics.speakerStroke))
    canvas.strokeArc(x: x, y: bounds.centreY, radius: radius - stroke / 2, width: stroke, share: 1, theme.accent)
    let reach = radius * 0.62
    canvas.strokeLine(
      (x - reach, bounds.centreY + reach), (x + reach, bounds.centreY - reach), width: stroke, theme.accent)
    text.draw(
      on: canvas, x: x + radius + metrics.pixels(OverlayMetrics.dotGap), centreY: bounds.centreY, .white)
  }
}
