import CPangoCairo
import InteractionCore
import PlaybackCore

/// Sentences above all else: an opaque band at the top, clear of the bar, or the whole screen. In the accent's colour, which
/// no other part has as its ground, with black or white letters, whichever can be read better.
///
/// The type is as large as the room allows. What doesn't fit in the smallest type either is cut with an ellipsis.
struct AlertPart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let ground: RGBColor
  private let letters: RGBColor
  private let content: Content

  /// One alert, laid out.
  private struct Entry {
    var text: TextLayout
    /// The words that it is a test.
    var label: TextLayout?
    var height: Double
  }

  private struct Content {
    var entries: [Entry]
    var height: Double
    /// Of the letters, in u.
    var type: Double
    var isWhole: Bool
  }

  /// Nil without alerts.
  init?(_ alerts: [ShownAlert], metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    guard !alerts.isEmpty else { return nil }
    self.metrics = metrics
    ground = metrics.hasHighContrast ? .white : theme.accent
    letters = Self.letters(on: ground)
    let coversAll = alerts.contains(where: \.isInstead)
    let margins = 2 * metrics.pixels(OverlayMetrics.alertMargin)
    let room = coversAll ? metrics.height : metrics.height * OverlayMetrics.tallestBand
    content = Self.fitted(
      alerts, from: coversAll ? OverlayMetrics.wholeAlertType : metrics.alertType, height: max(1, room - margins),
      metrics: metrics, text: text)
    let height = coversAll ? metrics.height : (content.height + margins).rounded(.up)
    bounds = Box(x: 0, y: 0, width: metrics.width, height: min(height, metrics.height))
  }

  /// Of black and white the one that can be read better: one of them always has 4.58 to 1.
  static func letters(on ground: RGBColor) -> RGBColor {
    RGBColor.black.contrast(with: ground) >= RGBColor.white.contrast(with: ground) ? .black : .white
  }

  /// Whether all of the text is shown.
  var isComplete: Bool { content.isWhole }
  /// Size of the letters, in pixels.
  var type: Double { metrics.pixels(content.type) }

  private static func fitted(
    _ alerts: [ShownAlert], from largest: Double, height: Double, metrics: OverlayMetrics, text: TextContext
  ) -> Content {
    var type = largest
    while true {
      let content = layOut(alerts, type, mostLines: nil, metrics: metrics, text: text)
      if content.isWhole, content.height <= height { return content }
      guard type > OverlayMetrics.smallestAlertType else { break }
      type = max(type * OverlayMetrics.cardShrink, OverlayMetrics.smallestAlertType)
    }
    // Each gets the same number of lines, as many as fit; a word that is longer than a line is broken.
    let line = text.line("8", TextStyle(size: metrics.pixels(type))).height
    for lines in stride(from: max(1, Int(height / max(1, line))), through: 1, by: -1) {
      let content = layOut(alerts, type, mostLines: lines, metrics: metrics, text: text)
      if content.height <= height { return content }
    }
    return layOut(alerts, type, mostLines: 1, metrics: metrics, text: text)
  }

  private static func layOut(
    _ alerts: [ShownAlert], _ type: Double, mostLines: Int?, metrics: OverlayMetrics, text: TextContext
  ) -> Content {
    let style = TextStyle(size: metrics.pixels(type), weight: PANGO_WEIGHT_SEMIBOLD)
    let labelStyle = TextStyle(size: labelSize(type, metrics), weight: PANGO_WEIGHT_SEMIBOLD)
    let width = max(1, metrics.width - 2 * metrics.pixels(OverlayMetrics.sideMargin))
    var isWhole = true
    let entries = alerts.map { alert in
      // Pango counts the lines of each paragraph.
      let oneParagraph = alert.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let words = text.paragraph(oneParagraph, style, width: width, alignment: .center, mostLines: mostLines)
      if words.isEllipsized || mostLines == nil && breaks(alert.text, style, width, text) { isWhole = false }
      let label = alert.isTest ? text.line(text.string(VisitorText(.alertTest)), labelStyle, width: width) : nil
      let above = label.map { $0.height + 2 * labelSize(type, metrics) * labelPadding + gap(type, metrics) / 2 } ?? 0
      return Entry(text: words, label: label, height: above + words.height)
    }
    let gaps = Double(entries.count - 1) * 2 * gap(type, metrics)
    return Content(
      entries: entries, height: entries.map(\.height).reduce(0, +) + gaps, type: type, isWhole: isWhole)
  }

  /// Whether a word would have to be broken. Always false for scripts without blanks between words.
  private static func breaks(_ alert: String, _ style: TextStyle, _ width: Double, _ text: TextContext) -> Bool {
    let words = alert.split(whereSeparator: \.isWhitespace)
    return words.count > 1 && words.contains { text.line(String($0), style).width > width }
  }

  /// Above and below the label's letters, in ems of it.
  private static let labelPadding = 0.3
  private static func labelSize(_ type: Double, _ metrics: OverlayMetrics) -> Double {
    metrics.pixels(max(type * OverlayMetrics.alertLabelShare, OverlayMetrics.smallestAlertType))
  }
  /// Half of the distance between two alerts.
  private static func gap(_ type: Double, _ metrics: OverlayMetrics) -> Double {
    metrics.pixels(type * OverlayMetrics.alertGapShare)
  }

  func draw(on canvas: borrowing Canvas) {
    canvas.fill(bounds, ground)
    // Parts the band from a bright film.
    let edge = metrics.crisp(OverlayMetrics.alertEdge)
    if bounds.height < metrics.height {
      canvas.fill(Box(x: 0, y: bounds.bottom - edge, width: bounds.width, height: edge), letters)
    }
    let (margin, gap) = (metrics.pixels(OverlayMetrics.sideMargin), Self.gap(content.type, metrics))
    // The newest is on the screen, whatever has no room below it.
    var y = max(0, (bounds.height - content.height) / 2).rounded()
    for (index, entry) in content.entries.enumerated() {
      if index > 0 {
        let line = metrics.crisp(OverlayMetrics.alertLine)
        canvas.fill(
          Box(x: margin, y: (y + gap).rounded(), width: bounds.width - 2 * margin, height: line), letters,
          opacity: OverlayMetrics.alertLineOpacity)
        y += 2 * gap
      }
      var top = y
      if let label = entry.label {
        let padding = Self.labelSize(content.type, metrics) * Self.labelPadding
        let pill = Box(
          x: (bounds.centreX - label.width / 2 - 3 * padding).rounded(), y: top.rounded(),
          width: (label.width + 6 * padding).rounded(), height: (label.height + 2 * padding).rounded())
        canvas.fillRounded(pill, corner: pill.height / 4, letters)
        label.draw(on: canvas, x: bounds.centreX - label.width / 2 - label.left, y: top + padding, ground)
        top += pill.height + gap / 2
      }
      entry.text.draw(on: canvas, x: margin, y: top, letters)
      y += entry.height
    }
  }
}
