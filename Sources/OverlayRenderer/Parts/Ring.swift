import CPangoCairo
import PlaybackCore

/// A ring of which a share is filled, from its top clockwise.
enum Ring {
  /// - Parameters:
  ///   - scale: its size relative to the design.
  ///   - share: 0...1.
  static func draw(
    on canvas: borrowing Canvas, x: Double, y: Double, scale: Double, share: Double, metrics: OverlayMetrics,
    theme: Theme
  ) {
    let radius = metrics.pixels(OverlayMetrics.ringRadius * scale)
    let stroke = metrics.pixels(OverlayMetrics.ringStroke * scale)
    canvas.strokeArc(x: x, y: y, radius: radius, width: stroke, share: 1, .white, opacity: metrics.ringRestOpacity)
    if share > 0 { canvas.strokeArc(x: x, y: y, radius: radius, width: stroke, share: share, theme.accent) }
  }
}
