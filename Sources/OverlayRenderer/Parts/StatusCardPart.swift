import CPangoCairo
import InteractionCore
import PlaybackCore

/// The status card: two columns, and the board's health in one word at the top right.
struct StatusCardPart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let health: StatusCard.Health
  private let content: Content

  private struct Content {
    var width: Double
    var height: Double
    var lines: [(text: TextLayout, x: Double, y: Double, opacity: Double)]
    var word: (text: TextLayout, x: Double, y: Double)
  }

  init(_ card: StatusCard, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.metrics = metrics
    self.theme = theme
    health = card.health
    bounds = Box(x: 0, y: 0, width: metrics.width, height: metrics.height)
    // A card that is too tall for its screen gets smaller type, like the error card.
    let room = metrics.height - 2 * metrics.pixels(OverlayMetrics.cardMargin)
    var scale = metrics.typeScale
    var content = Self.layOut(card, scale: scale, metrics: metrics, text: text)
    for _ in 0..<OverlayMetrics.cardTries where content.height > room {
      scale *= OverlayMetrics.cardShrink
      content = Self.layOut(card, scale: scale, metrics: metrics, text: text)
    }
    self.content = content
  }

  func draw(on canvas: borrowing Canvas) {
    let card = CardGround.draw(on: canvas, width: content.width, height: content.height, metrics: metrics)
    for line in content.lines {
      line.text.draw(on: canvas, x: card.x + line.x, y: card.y + line.y, .white, opacity: line.opacity)
    }
    content.word.text.draw(on: canvas, x: card.x + content.word.x, y: card.y + content.word.y, colour)
  }

  private var colour: RGBColor {
    switch health {
    case .healthy: OverlayMetrics.healthy
    case .attention: theme.accent
    case .trouble: OverlayMetrics.trouble
    }
  }

  private static func layOut(
    _ card: StatusCard, scale: Double, metrics: OverlayMetrics, text: TextContext
  ) -> Content {
    func pixels(_ units: Double) -> Double { metrics.pixels(units * scale) }
    let margin = 2 * metrics.pixels(OverlayMetrics.cardMargin)
    let width = min(metrics.pixels(OverlayMetrics.cardWidth * metrics.typeScale), metrics.width - margin).rounded()
    let padding = pixels(OverlayMetrics.cardPadding)
    let inner = max(1, width - 2 * padding)

    let word = text.line(
      text.string(card.health.text), TextStyle(size: pixels(OverlayMetrics.statusType), weight: PANGO_WEIGHT_SEMIBOLD))
    let title = text.line(
      card.title, TextStyle(size: pixels(OverlayMetrics.headlineType), weight: PANGO_WEIGHT_SEMIBOLD),
      width: max(1, inner - word.width - pixels(OverlayMetrics.numberGap)))
    var lines: [(text: TextLayout, x: Double, y: Double, opacity: Double)] = [(title, padding, padding, 1)]
    var wordPlace = (word, padding + inner - word.width, padding + title.baseline - word.baseline)

    let labels = card.rows.map {
      text.line(text.string(VisitorText($0.label)), TextStyle(size: pixels(OverlayMetrics.statusType)))
    }
    let column = max(
      pixels(OverlayMetrics.statusColumn),
      (labels.map(\.width).max() ?? 0) + pixels(OverlayMetrics.numberGap))
    var y = padding + title.height + pixels(OverlayMetrics.statusTitleGap)
    for (row, label) in zip(card.rows, labels) {
      let value = text.paragraph(
        // A name alone begins where the language does, as the other rows do.
        text.string(.list([row.value])),
        TextStyle(size: pixels(OverlayMetrics.statusType), weight: PANGO_WEIGHT_MEDIUM, hasTabularFigures: true),
        width: max(1, inner - column))
      lines.append((label, padding, y, metrics.footerOpacity))
      lines.append((value, padding + column, y, 1))
      y += max(pixels(OverlayMetrics.statusPitch), value.height + pixels(OverlayMetrics.statusRowGap))
    }
    if text.isRightToLeft {
      // A paragraph fills its column, and begins at the right of it by itself.
      lines = lines.map { ($0.text, width - $0.x - $0.text.columnWidth, $0.y, $0.opacity) }
      wordPlace.1 = padding
    }
    let last = card.rows.isEmpty ? 0 : pixels(OverlayMetrics.statusRowGap)
    return Content(width: width, height: (y - last + padding).rounded(), lines: lines, word: wordPlace)
  }
}
