import CPangoCairo
import InteractionCore
import PlaybackCore

/// The badge for a missing network: a pill with a struck-out ring, in the corner that messages leave free, or below a
/// message that is as wide as the screen.
struct OfflineBadgePart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextLayout

  init(besideMessage message: Box?, metrics: OverlayMetrics, theme: Theme, text context: TextContext) {
    self.metrics = metrics
    self.theme = theme
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let scale = metrics.typeScale
    text = context.line(
      context.string(VisitorText(.offline)), TextStyle(size: metrics.pixels(OverlayMetrics.badgeType * scale)))
    let furniture = metrics.pixels(
      (2 * OverlayMetrics.messagePadding + 2 * OverlayMetrics.offlineRadius + OverlayMetrics.dotGap) * scale)
    let height = metrics.crisp(OverlayMetrics.messageHeight * scale)
    let width = (text.width + furniture).rounded(.up)
    let pill = Box(
      x: (metrics.width - margin).rounded() - width, y: (metrics.top + margin).rounded(), width: width, height: height)
    var place = theme.isRightToLeft ? pill.mirrored(in: metrics.width) : pill
    if let message, message.x < place.right, place.x < message.right { place.y = message.bottom + margin / 3 }
    bounds = place
  }

  func draw(on canvas: borrowing Canvas) {
    let scale = metrics.typeScale
    canvas.fillRounded(
      bounds, corner: metrics.pixels(OverlayMetrics.messageCorner * scale), metrics.ground,
      opacity: metrics.messageOpacity)
    let radius = metrics.pixels(OverlayMetrics.offlineRadius * scale)
    let inset = metrics.pixels(OverlayMetrics.messagePadding * scale) + radius
    let x = theme.isRightToLeft ? bounds.right - inset : bounds.x + inset
    let stroke = max(1, metrics.pixels(OverlayMetrics.speakerStroke * scale))
    canvas.strokeArc(x: x, y: bounds.centreY, radius: radius - stroke / 2, width: stroke, share: 1, theme.accent)
    let reach = radius * 0.62
    canvas.strokeLine(
      (x - reach, bounds.centreY + reach), (x + reach, bounds.centreY - reach), width: stroke, theme.accent)
    let gap = radius + metrics.pixels(OverlayMetrics.dotGap * scale)
    text.draw(
      on: canvas, x: theme.isRightToLeft ? x - gap - text.width : x + gap, centreY: bounds.centreY, .white)
  }
}
