import CPangoCairo
import InteractionCore
import PlaybackCore

/// The question whether somebody is still there: a ring that empties with the seconds in it, and beside it the question
/// and how to answer it. In the middle of the screen, or near its top while a film plays below.
struct CountdownPart: OverlayPart {
  let bounds: Box
  private let metrics: OverlayMetrics
  private let theme: Theme
  private let share: Double
  private let content: Content

  private struct Content {
    /// The size relative to the design.
    var scale: Double
    var seconds: TextLayout
    var question: TextLayout
    var answer: TextLayout
    /// Width of the texts' column, in pixels.
    var column: Double
    /// Whether no text had to be cut.
    var isWhole: Bool
  }

  init(_ card: CountdownCard, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.metrics = metrics
    self.theme = theme
    share = min(max(card.share, 0), 1)
    // For people at an arm's length: the question and the ring are larger than their times.
    var scale = metrics.typeScale
    var content = Self.layOut(card, scale, metrics: metrics, text: text)
    // Small type is still better than a text that is cut.
    for _ in 0..<OverlayMetrics.cardTries where !content.isWhole {
      scale *= OverlayMetrics.cardShrink
      content = Self.layOut(card, scale, metrics: metrics, text: text)
    }
    self.content = content
    func pixels(_ units: Double) -> Double { metrics.pixels(units * content.scale) }
    let padding = pixels(OverlayMetrics.countdownPadding)
    let texts = content.question.height + pixels(OverlayMetrics.countdownLineGap) + content.answer.height
    let width = (2 * padding + pixels(Self.ring + OverlayMetrics.countdownGap) + content.column).rounded(.up)
    let height = (2 * padding + max(pixels(Self.ring), texts)).rounded(.up)
    let y = card.isAside ? metrics.top + metrics.pixels(OverlayMetrics.sideMargin) : (metrics.height - height) / 2
    bounds = Box(x: ((metrics.width - width) / 2).rounded(), y: y.rounded(), width: width, height: height)
  }

  /// The ring's width, in u.
  private static let ring = 2 * OverlayMetrics.ringRadius + OverlayMetrics.ringStroke

  private static func layOut(
    _ card: CountdownCard, _ scale: Double, metrics: OverlayMetrics, text context: TextContext
  ) -> Content {
    func pixels(_ units: Double) -> Double { metrics.pixels(units * scale) }
    let large = TextStyle(
      size: pixels(OverlayMetrics.headlineType), weight: PANGO_WEIGHT_SEMIBOLD, hasTabularFigures: true)
    let small = TextStyle(size: pixels(OverlayMetrics.bodyType))
    let beside = 2 * OverlayMetrics.countdownPadding + ring + OverlayMetrics.countdownGap
    let room = max(1, metrics.width - 2 * metrics.pixels(OverlayMetrics.cardMargin) - pixels(beside))
    let (question, answer) = (context.string(VisitorText(.stillThere)), context.string(VisitorText(.touchToStay)))
    let questionWidth = context.line(question, large).width
    let answerWidth = min(context.line(answer, small).width, pixels(OverlayMetrics.countdownColumn))
    let column = min(room, max(questionWidth, answerWidth)).rounded(.up)
    // Paragraphs begin at the side from which the language is written.
    let lines = context.paragraph(answer, small, width: column, mostLines: OverlayMetrics.messageLines)
    return Content(
      scale: scale, seconds: context.line("\(card.seconds)", large),
      question: context.paragraph(question, large, width: column, mostLines: 1), answer: lines, column: column,
      isWhole: questionWidth <= column && !lines.isEllipsized)
  }

  func draw(on canvas: borrowing Canvas) {
    func pixels(_ units: Double) -> Double { metrics.pixels(units * content.scale) }
    canvas.fillRounded(
      bounds, corner: pixels(OverlayMetrics.cardCorner), metrics.ground, opacity: metrics.cardOpacity)
    let padding = pixels(OverlayMetrics.countdownPadding)
    let ring = pixels(Self.ring)
    let isMirrored = theme.isRightToLeft
    let x = isMirrored ? bounds.right - padding - ring / 2 : bounds.x + padding + ring / 2
    Ring.draw(on: canvas, x: x, y: bounds.centreY, scale: content.scale, share: share, metrics: metrics, theme: theme)
    let seconds = content.seconds
    seconds.draw(on: canvas, x: x - seconds.width / 2 - seconds.left, centreY: bounds.centreY, .white)
    let gap = pixels(OverlayMetrics.countdownLineGap)
    let left = isMirrored ? bounds.x + padding : bounds.right - padding - content.column
    var y = bounds.centreY - (content.question.height + gap + content.answer.height) / 2
    for (text, opacity) in [(content.question, 1), (content.answer, metrics.secondaryOpacity)] {
      text.draw(on: canvas, x: left, y: y.rounded(), .white, opacity: opacity)
      y += text.height + gap
    }
  }
}
