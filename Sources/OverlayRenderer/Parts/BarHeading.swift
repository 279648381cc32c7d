import CPangoCairo
import InteractionCore
import PlaybackCore

/// The upper line of the bar: the title on the side where the language begins, and on the other side the sign for a
/// paused film, and the times where there is no room for them below.
struct BarHeading {
  /// The middle of the line's capitals.
  let y: Double
  /// The right end of the times.
  private(set) var timesRight: Double
  /// The horizontal extents of what is drawn in the line.
  private(set) var spans: [Box] = []

  /// The least room for a title, in ems: some 15 letters.
  private static let leastTitle = 8.0

  private let metrics: OverlayMetrics
  private let title: TextLayout?
  private var titleX = 0.0
  private let sign: TextLayout?
  private let isMirrored: Bool
  private var signX = 0.0

  /// - Parameter timesWidth: nil where the times are drawn elsewhere.
  init(_ bar: TransportBar, timesWidth: Double?, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.metrics = metrics
    isMirrored = theme.isRightToLeft
    y = metrics.height - metrics.lower - metrics.pixels(metrics.titleCentre)
    let margin = metrics.pixels(OverlayMetrics.sideMargin)
    let gap = metrics.pixels(OverlayMetrics.headingGap)
    // Laid out from left to right; mirrored at the end for a language that begins at the right.
    var end = metrics.width - margin
    timesRight = end
    if let timesWidth {
      spans.append(Box(x: end - timesWidth, y: y, width: timesWidth, height: 0))
      end -= timesWidth + gap
    }
    if bar.isPlaying {
      sign = nil
    } else {
      let style = TextStyle(
        size: metrics.pixels(OverlayMetrics.pausedType * metrics.typeScale), weight: PANGO_WEIGHT_SEMIBOLD)
      let word = text.line(text.string(VisitorText(.paused)), style)
      let bars = Self.barsWidth(metrics)
      let whole = bars + metrics.pixels(OverlayMetrics.pausedGap * metrics.typeScale) + word.width
      // Where the line is short, the bars stand without the word, and leave the room to the title.
      let hasTitle = !bar.hidesTitle && !bar.title.isEmpty
      let needed = hasTitle ? gap + Self.leastTitle * metrics.pixels(metrics.titleType) : 0
      let hasWord = whole + needed <= end - margin
      let width = hasWord ? whole : bars
      sign = hasWord ? word : text.line("", style)
      signX = end - width
      spans.append(Box(x: signX, y: y, width: width, height: 0))
      end -= width + gap
    }
    if bar.hidesTitle || bar.title.isEmpty || end - margin < gap {
      title = nil
    } else {
      let style = TextStyle(size: metrics.pixels(metrics.titleType), weight: PANGO_WEIGHT_SEMIBOLD)
      let natural = text.line(bar.title, style)
      let width = min(natural.width, end - margin)
      title = natural.width <= end - margin ? natural : text.line(bar.title, style, width: width)
      titleX = margin
      spans.append(Box(x: margin, y: y, width: width, height: 0))
      if theme.isRightToLeft { titleX = metrics.width - margin - width }
    }
    guard theme.isRightToLeft else { return }
    if let timesWidth { timesRight = margin + timesWidth }
    if sign != nil { signX = metrics.width - (spans.first { $0.x == signX } ?? .none).right }
    spans = spans.map { $0.mirrored(in: metrics.width) }
  }

  func draw(on canvas: borrowing Canvas) {
    title?.draw(on: canvas, x: titleX, centreY: y, .white)
    guard let sign else { return }
    let scale = metrics.typeScale
    let height = metrics.crisp(OverlayMetrics.pausedType * OverlayMetrics.capitalHeight * scale)
    let width = metrics.crisp(OverlayMetrics.pausedBarWidth * scale)
    let step = width + metrics.crisp(OverlayMetrics.pausedBarGap * scale)
    // On the baseline of the word.
    let top = (y + height / 2).rounded() - height
    let gap = metrics.pixels(OverlayMetrics.pausedGap * scale)
    // The bars come before the word.
    let left = isMirrored ? signX + sign.width + (sign.width > 0 ? gap : 0) : signX.rounded()
    for x in [left, left + step] { canvas.fill(Box(x: x, y: top, width: width, height: height), .white) }
    sign.draw(on: canvas, x: isMirrored ? signX : signX + Self.barsWidth(metrics) + gap, centreY: y, .white)
  }

  /// The least width that the times leave to the sign for a paused film.
  static func roomForSign(of bar: TransportBar, _ metrics: OverlayMetrics) -> Double {
    bar.isPlaying ? 0 : barsWidth(metrics) + metrics.pixels(OverlayMetrics.headingGap)
  }

  private static func barsWidth(_ metrics: OverlayMetrics) -> Double {
    let scale = metrics.typeScale
    return 2 * metrics.crisp(OverlayMetrics.pausedBarWidth * scale)
      + metrics.crisp(OverlayMetrics.pausedBarGap * scale)
  }
}
