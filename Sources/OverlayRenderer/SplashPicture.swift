import CPangoCairo
public import PlaybackCore

/// The picture that a screen shows until the first frame.
public struct SplashPicture: Hashable, Sendable {
  public let size: PixelSize
  /// Premultiplied ARGB, row by row.
  private let pixels: [UInt32]

  /// - Parameter pixels: premultiplied ARGB, row by row.
  /// - Returns: nil where the number of pixels doesn't match the size.
  public init?(size: PixelSize, pixels: [UInt32]) {
    guard !size.isEmpty, pixels.count == size.width * size.height else { return nil }
    self.size = size
    self.pixels = pixels
  }

  /// Draws the picture as large as fits on a screen, centred on a background: XRGB pixels, row by row. Nil where Cairo
  /// fails.
  ///
  /// - Parameter background: 0xRRGGBB.
  public func pixels(screen: PixelSize, background: UInt32) -> [UInt32]? {
    guard !screen.isEmpty else { return nil }
    let place = PictureFit.contain(PresentationSize(pixels: size), in: screen)
    let count = screen.width * screen.height
    var isDrawn = false
    let drawn = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: 0xFF00_0000 | background & 0xFF_FFFF)
      initialized = count
      guard let base = buffer.baseAddress,
        let target = ImageSurface(
          CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base), size: screen, stride: 4 * screen.width),
        let canvas = Canvas(on: target)
      else { return }
      pixels.withUnsafeBytes { bytes in
        // Cairo only reads from a source, though it takes a mutable pointer.
        guard let base = bytes.baseAddress,
          let source = ImageSurface(
            CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(mutating: base), size: size, stride: 4 * size.width)
        else { return }
        canvas.paint(source, size: size, into: place)
        isDrawn = canvas.isIntact
      }
    }
    return isDrawn ? drawn : nil
  }
}
