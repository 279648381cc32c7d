import InteractionCore
import PlaybackCore

/// A short message in a pill at the top left, or at the top right where the language is written from there. Its type
/// can be read from three metres; a text that doesn't fit in one line gets a few more, and then smaller type.
struct MessagePart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let text: TextLayout
  /// The pill's size relative to one with a line of badge type.
  private let scale: Double
  private var isMirrored: Bool { theme.isRightToLeft }

  init(_ text: VisitorText, metrics: OverlayMetrics, theme: Theme, text context: TextContext) {
    self.metrics = metrics
    self.theme = theme
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let message = context.string(text)
    let words = message.split(separator: " ").map(String.init)
    var type = metrics.messageType
    // Slightly smaller type on one line is easier to read than two lines.
    let oneLine = [1, 0.9, 0.81].map { type * $0 }.first {
      Self.set(message, $0, metrics: metrics, text: context).text.lineCount == 1
    }
    type = oneLine ?? type
    var (text, scale) = Self.set(message, type, metrics: metrics, text: context)
    while type > OverlayMetrics.smallestType,
      text.isEllipsized || (text.lineCount > 1 && Self.breaks(words, type, metrics: metrics, text: context))
    {
      type = max(type * OverlayMetrics.cardShrink, OverlayMetrics.smallestType)
      (text, scale) = Self.set(message, type, metrics: metrics, text: context)
    }
    (self.text, self.scale) = (text, scale)
    let line = text.height / Double(max(1, text.lineCount))
    let height = metrics.crisp(OverlayMetrics.messageHeight * scale) + (text.height - line).rounded()
    let pill = Box(
      x: margin.rounded(), y: (metrics.top + margin).rounded(),
      width: (text.width + metrics.pixels(Self.furniture * scale)).rounded(.up), height: height)
    bounds = theme.isRightToLeft ? pill.mirrored(in: metrics.width) : pill
  }

  /// The width of the pill without the text, in u at a scale of 1.
  private static let furniture =
    2 * OverlayMetrics.messagePadding + 2 * OverlayMetrics.dotRadius + OverlayMetrics.dotGap

  private static func room(_ type: Double, _ metrics: OverlayMetrics) -> Double {
    let scale = type / OverlayMetrics.badgeType
    return metrics.width - metrics.pixels(2 * OverlayMetrics.sideMargin + furniture * scale)
  }

  private static func set(
    _ message: String, _ type: Double, metrics: OverlayMetrics, text context: TextContext
  ) -> (text: TextLayout, scale: Double) {
    let style = TextStyle(size: metrics.pixels(type))
    let room = room(type, metrics)
    let line = context.line(message, style)
    // A line that fits is as wide as its words; a paragraph would fill its column.
    if line.width <= room { return (line, type / OverlayMetrics.badgeType) }
    let paragraph = context.paragraph(message, style, width: room, mostLines: OverlayMetrics.messageLines)
    return (paragraph, type / OverlayMetrics.badgeType)
  }

  /// Checks whether a word would have to be broken. Always false for scripts without blanks between words.
  private static func breaks(
    _ words: [String], _ type: Double, metrics: OverlayMetrics, text context: TextContext
  ) -> Bool {
    let (style, room) = (TextStyle(size: metrics.pixels(type)), room(type, metrics))
    return words.count > 1 && words.contains { context.line($0, style).width > room }
  }

  func draw(on canvas: borrowing Canvas) {
    canvas.fillRounded(
      bounds, corner: metrics.pixels(OverlayMetrics.messageCorner * scale), metrics.ground,
      opacity: metrics.messageOpacity)
    let padding = metrics.pixels(OverlayMetrics.messagePadding * scale)
    let radius = metrics.pixels(OverlayMetrics.dotRadius * scale)
    let dot = isMirrored ? bounds.right - padding - radius : bounds.x + padding + radius
    // The dot stands beside the first line.
    let y = bounds.y + metrics.pixels(OverlayMetrics.messageHeight * scale) / 2
    canvas.fillCircle(x: dot, y: y, radius: radius, theme.accent)
    let gap = radius + metrics.pixels(OverlayMetrics.dotGap * scale)
    let textX = isMirrored ? dot - gap - text.left - text.width : dot + gap - text.left
    text.draw(on: canvas, x: textX, centreY: y, .white)
  }
}
