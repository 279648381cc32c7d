import CPangoCairo
public import InteractionCore
public import PlaybackCore

/// The mouse pointer, a white arrow with a dark edge, so that it is visible over any film. Its tip marks the place.
public struct PointerPicture: Sendable {
  /// The size that every screen's hardware accepts for a pointer.
  static let side = 64
  private let pixels: [UInt32]

  /// - Parameter screen: the arrow's height is about a twentieth of the screen's, as far as it fits into the square.
  /// - Returns: nil where Cairo fails.
  public init?(screen: PixelSize) {
    // The outline below is 19 units high, and its edge takes one more on each side.
    let scale = min(max(Double(screen.height) / 20 / Self.height, 1), Double(Self.side) / (Self.height + 2))
    var isDrawn = false
    pixels = [UInt32](unsafeUninitializedCapacity: Self.side * Self.side) { buffer, count in
      buffer.initialize(repeating: 0)
      count = Self.side * Self.side
      guard let base = buffer.baseAddress,
        let surface = ImageSurface(
          CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base),
          size: PixelSize(width: Self.side, height: Self.side), stride: 4 * Self.side),
        let canvas = Canvas(on: surface)
      else { return }
      cairo_scale(canvas.pointer, scale, scale)
      cairo_translate(canvas.pointer, 0.5, 0.5)
      for (x, y) in Self.outline { cairo_line_to(canvas.pointer, x, y) }
      cairo_close_path(canvas.pointer)
      canvas.setColor(.white)
      cairo_fill_preserve(canvas.pointer)
      canvas.setColor(.black, opacity: 0.8)
      cairo_set_line_width(canvas.pointer, 1)
      cairo_set_line_join(canvas.pointer, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke(canvas.pointer)
      isDrawn = canvas.isIntact
    }
    guard isDrawn else { return nil }
  }

  /// The pointer with its tip at a place of the screen. It may reach beyond the screen's edge, where it is cut off.
  public func image(at place: ScreenPoint) -> OverlayImage {
    OverlayImage(
      frame: PixelRect(
        x: Int(place.x.rounded(.down)), y: Int(place.y.rounded(.down)), width: Self.side, height: Self.side),
      pixels: pixels)
  }

  private static let height = 19.0
  private static let outline = [
    (0.0, 0.0), (0.0, 16.2), (3.7, 12.7), (6.4, 18.8), (9.1, 17.6), (6.5, 11.7), (11.6, 11.4),
  ]
}
