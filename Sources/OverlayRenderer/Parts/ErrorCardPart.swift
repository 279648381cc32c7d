import CPangoCairo
import InteractionCore
import PlaybackCore

/// The card that shows an error and what happens next, over a dimmed film.
struct ErrorCardPart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let content: Content

  init(_ card: ErrorCard, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.metrics = metrics
    self.theme = theme
    bounds = Box(x: 0, y: 0, width: metrics.width, height: metrics.height)
    content = Self.fitted(card, metrics: metrics, text: text)
  }

  func draw(on canvas: borrowing Canvas) {
    let card = CardGround.draw(on: canvas, width: content.width, height: content.height, metrics: metrics)
    for line in content.lines {
      line.text.draw(
        on: canvas, x: card.x + line.x, y: card.y + line.y, line.isAccent ? theme.accent : .white,
        opacity: line.opacity)
    }
  }

  /// The card's texts and their places in it, in pixels.
  struct Content {
    struct Line {
      var text: TextLayout
      var x: Double
      var y: Double
      var opacity: Double
      var isAccent = false
    }
    var width: Double
    var height: Double
    var lines: [Line]
  }

  /// Lays out the card without truncating its text. A card that is too tall for the screen is made wider, then its type
  /// smaller: at first down to the smallest of the design, and only for texts of thousands of letters below that. Small
  /// screens have larger type.
  static func fitted(_ card: ErrorCard, metrics: OverlayMetrics, text: TextContext) -> Content {
    let margin = 2 * metrics.pixels(OverlayMetrics.cardMargin)
    let widest = min(metrics.pixels(OverlayMetrics.widestCard * metrics.typeScale), metrics.width - margin)
    var scale = metrics.typeScale
    let usual = min(metrics.pixels(OverlayMetrics.cardWidth * scale), widest)
    var content = layOut(card, width: usual, scale: scale, metrics: metrics, text: text)
    for _ in 0..<OverlayMetrics.cardTries where content.height > metrics.height - margin {
      content = layOut(card, width: widest, scale: scale, metrics: metrics, text: text)
      scale *= OverlayMetrics.cardShrink
    }
    return content
  }

  private static func layOut(
    _ card: ErrorCard, width: Double, scale: Double, metrics: OverlayMetrics, text: TextContext
  ) -> Content {
    let bodyScale = OverlayMetrics.smallestType / OverlayMetrics.bodyType
    // Small type keeps its size while the body is larger, then shrinks with it.
    let smallScale = min(1, scale / bodyScale)
    func size(_ units: Double) -> Double {
      metrics.pixels(max(units * scale, min(units, OverlayMetrics.smallestType * smallScale)))
    }
    let padding = metrics.pixels(OverlayMetrics.cardPadding * scale)
    let inner = max(1, width.rounded() - 2 * padding)
    let number = text.line(
      "\(card.number)",
      TextStyle(size: size(OverlayMetrics.numberType), weight: PANGO_WEIGHT_SEMIBOLD, hasTabularFigures: true))
    let headline = text.paragraph(
      text.string(card.headline), TextStyle(size: size(OverlayMetrics.headlineType), weight: PANGO_WEIGHT_SEMIBOLD),
      width: inner)
    let body = text.paragraph(
      text.string(card.body),
      TextStyle(size: size(OverlayMetrics.bodyType), lineSpacing: OverlayMetrics.bodyLineSpacing),
      width: inner)
    let footer = text.paragraph(
      text.string(card.footer), TextStyle(size: size(OverlayMetrics.footerType)), width: inner)

    let numberX = text.isRightToLeft ? padding + inner - number.width : padding
    var lines: [Content.Line] = []
    var y = padding
    lines.append(.init(text: number, x: numberX, y: y, opacity: 1, isAccent: true))
    y += number.height
    for (text, gap, opacity) in [
      (headline, OverlayMetrics.numberGap, 1),
      (body, OverlayMetrics.headlineGap, metrics.secondaryOpacity),
      (footer, OverlayMetrics.footerGap, metrics.footerOpacity),
    ] {
      y += metrics.pixels(gap * scale)
      lines.append(.init(text: text, x: padding, y: y, opacity: opacity))
      y += text.height
    }
    return Content(width: width.rounded(), height: (y + padding).rounded(), lines: lines)
  }
}
