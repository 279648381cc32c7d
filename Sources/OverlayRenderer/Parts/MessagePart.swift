import PlaybackCore

/// A short message in a pill at the top left, or at the top right when it reads from right to left.
struct MessagePart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let isMirrored: Bool
  private let text: TextLayout

  init(_ message: String, metrics: OverlayMetrics, theme: Theme, text context: TextContext) {
    self.metrics = metrics
    self.theme = theme
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let furniture = metrics.pixels(
      2 * OverlayMetrics.messagePadding + 2 * OverlayMetrics.dotRadius + OverlayMetrics.dotGap)
    let style = TextStyle(size: metrics.pixels(OverlayMetrics.messageType))
    let room = max(0, metrics.width - 2 * margin - furniture)
    // A layout with a width fills all of it, so only a message that is too long gets one.
    let natural = context.line(message, style)
    text = natural.width <= room ? natural : context.line(message, style, width: room)
    isMirrored = natural.isRightToLeft
    let pill = Box(
      x: margin.rounded(), y: margin.rounded(), width: (min(natural.width, room) + furniture).rounded(.up),
      height: metrics.crisp(OverlayMetrics.messageHeight))
    bounds = isMirrored ? pill.mirrored(in: metrics.width) : pill
  }

  func draw(on canvas: borrowing Canvas) {
    canvas.fillRounded(
      bounds, corner: metrics.pixels(OverlayMetrics.messageCorner), metrics.ground,
      opacity: metrics.messageOpacity)
    let padding = metrics.pixels(OverlayMetrics.messagePadding)
    let radius = metrics.pixels(OverlayMetrics.dotRadius)
    let dot = isMirrored ? bounds.right - padding - radius : bounds.x + padding + radius
    canvas.fillCircle(x: dot, y: bounds.centreY, radius: radius, theme.accent)
    let textX = isMirrored ? bounds.x + padding : dot + radius + metrics.pixels(OverlayMetrics.dotGap)
    text.draw(on: canvas, x: textX, centreY: bounds.centreY, .white)
  }
}
