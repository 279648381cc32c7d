import CPangoCairo
import InteractionCore
import PlaybackCore

/// The bar's position and duration, at both ends of the track or together in one line.
struct BarTimes {
  let position: TextLayout
  let duration: TextLayout
  /// The room for a time: at least that of the shortest common form, so that the track doesn't move when a time becomes
  /// known.
  let positionWidth: Double
  let durationWidth: Double
  private let separator: TextLayout
  private let bar: TransportBar
  private let metrics: OverlayMetrics
  private let theme: Theme

  /// - Parameter size: of the type, in pixels.
  init(_ bar: TransportBar, size: Double, metrics: OverlayMetrics, theme: Theme, text: TextContext) {
    self.bar = bar
    self.metrics = metrics
    self.theme = theme
    let style = TextStyle(size: size, weight: PANGO_WEIGHT_MEDIUM, hasTabularFigures: true)
    func time(_ time: Duration?) -> String {
      switch theme.times {
      case .full: Self.trimmed(TimeText.text(time))
      case .short: Self.trimmed(TimeText.short(time, beside: bar.duration))
      }
    }
    // The position will become as long as the duration is.
    let room = max(text.line(time(.zero), style).width, text.line(time(bar.duration), style).width)
    position = text.line(time(bar.position), style)
    positionWidth = max(position.width, room)
    duration = text.line(bar.isLive ? text.string(VisitorText(.live)) : time(bar.duration), style)
    let dot =
      bar.isLive ? metrics.pixels((2 * OverlayMetrics.dotRadius + OverlayMetrics.dotGap) * metrics.typeScale) : 0
    durationWidth = bar.isLive ? duration.width + dot : max(duration.width, room)
    separator = text.line(bar.isLive ? "\u{2003}" : " / ", style)
  }

  /// The width of both times in one line.
  var lineWidth: Double { positionWidth + separator.width + (bar.isLive ? durationWidth : duration.width) }

  func drawPosition(on canvas: borrowing Canvas, x: Double, y: Double) {
    position.draw(on: canvas, x: x, centreY: y, bar.isDragged ? theme.accent : .white)
  }

  func drawDuration(on canvas: borrowing Canvas, right: Double, y: Double) {
    guard bar.isLive else {
      return duration.draw(
        on: canvas, x: right - duration.width, centreY: y, .white, opacity: metrics.secondaryOpacity)
    }
    let radius = metrics.pixels(OverlayMetrics.dotRadius * metrics.typeScale)
    canvas.fillCircle(x: right - durationWidth + radius, y: y, radius: radius, theme.accent)
    duration.draw(on: canvas, x: right - duration.width, centreY: y, .white)
  }

  func drawLine(on canvas: borrowing Canvas, right: Double, y: Double) {
    drawDuration(on: canvas, right: right, y: y)
    let x = right - (bar.isLive ? durationWidth : duration.width) - separator.width
    separator.draw(on: canvas, x: x, centreY: y, .white, opacity: metrics.secondaryOpacity)
    drawPosition(on: canvas, x: x - position.width, y: y)
  }

  /// ` -- ` without its blanks: the row has its own gaps.
  private static func trimmed(_ text: String) -> String { String(text.filter { $0 != " " }) }
}
