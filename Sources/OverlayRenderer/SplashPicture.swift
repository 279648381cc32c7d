import CPangoCairo
public import PlaybackCore

/// The picture that a screen shows until the first frame.
public struct SplashPicture: Hashable, Sendable {
  public let size: PixelSize
  /// Premultiplied ARGB, row by row.
  private let pixels: [UInt32]

  /// More than any screen has: larger ones are refused before they fill the memory.
  private static let longestSide = 8192

  /// Reads a PNG file. Blocks for as long as that takes.
  ///
  /// - Throws: 5009.
  public init(pngFile path: String) throws(VitrineError) {
    func failure(_ message: String) -> VitrineError {
      VitrineError(
        5009, subject: path, message: "the splash picture can't be shown: \(message)",
        remedy: "name a PNG file of at most \(Self.longestSide) pixels a side")
    }
    guard let surface = cairo_image_surface_create_from_png(path) else { throw failure("no memory") }
    defer { cairo_surface_destroy(surface) }
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw failure(cairo_status_to_string(status).map { String(cString: $0) } ?? "unreadable")
    }
    let format = cairo_image_surface_get_format(surface)
    let width = Int(cairo_image_surface_get_width(surface))
    let height = Int(cairo_image_surface_get_height(surface))
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard format == CAIRO_FORMAT_ARGB32 || format == CAIRO_FORMAT_RGB24 else {
      throw failure("it has more than 8 bits a channel")
    }
    guard (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height),
      let data = cairo_image_surface_get_data(surface)
    else { throw failure("it has \(width)x\(height) pixels") }
    let bytes = UnsafeRawPointer(data)
    let opaque: UInt32 = format == CAIRO_FORMAT_RGB24 ? 0xFF00_0000 : 0
    pixels = [UInt32](unsafeUninitializedCapacity: width * height) { target, count in
      for row in 0..<height {
        for column in 0..<width {
          target[row * width + column] =
            bytes.load(fromByteOffset: row * stride + column * 4, as: UInt32.self) | opaque
        }
      }
      count = width * height
    }
    size = PixelSize(width: width, height: height)
  }

  /// As large as fits on a screen, in its middle, on a background: XRGB pixels, row by row. Nil where Cairo refuses.
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
