internal import CGdkPixbuf
public import PictureFiles
public import PlaybackCore

/// Decoded pixels: red, green, blue and, where `isFourBytes`, alpha, 8 bits each, not premultiplied.
///
/// `@unchecked Sendable` holds because the pixels don't change after the bitmap was made, and the reference count is
/// atomic.
public final class Bitmap: @unchecked Sendable {
  let pointer: OpaquePointer
  public let size: PixelSize
  /// Bytes from one row to the next.
  public let stride: Int
  public let isFourBytes: Bool

  /// Takes ownership of a reference.
  init(adopting pointer: OpaquePointer) {
    self.pointer = pointer
    size = PixelSize(width: Int(gdk_pixbuf_get_width(pointer)), height: Int(gdk_pixbuf_get_height(pointer)))
    stride = Int(gdk_pixbuf_get_rowstride(pointer))
    isFourBytes = gdk_pixbuf_get_n_channels(pointer) == 4
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(pointer)) }

  /// Makes a bitmap from a copy of pixels: red, green, blue, alpha, row by row.
  ///
  /// - Parameter rgba: four bytes for each pixel of `size`.
  public convenience init?(rgba: [UInt8], size: PixelSize) {
    guard rgba.count == size.width * size.height * 4, !size.isEmpty,
      let made = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 1, 8, Int32(clamping: size.width), Int32(clamping: size.height)),
      let pixels = gdk_pixbuf_get_pixels(made)
    else { return nil }
    let stride = Int(gdk_pixbuf_get_rowstride(made))
    rgba.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      for row in 0..<size.height {
        UnsafeMutableRawPointer(pixels + row * stride)
          .copyMemory(from: start + row * size.width * 4, byteCount: size.width * 4)
      }
    }
    self.init(adopting: made)
  }

  /// Makes a bitmap for a decoder to fill in before it is passed on: four bytes a pixel, no padding. Nil where memory
  /// is short.
  static func empty(_ size: PixelSize) -> (bitmap: Bitmap, pixels: UnsafeMutableBufferPointer<UInt8>)? {
    guard !size.isEmpty,
      let made = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 1, 8, Int32(clamping: size.width), Int32(clamping: size.height))
    else { return nil }
    let bitmap = Bitmap(adopting: made)
    guard bitmap.size == size, bitmap.stride == 4 * size.width, let pixels = gdk_pixbuf_get_pixels(made) else {
      return nil
    }
    return (bitmap, UnsafeMutableBufferPointer(start: pixels, count: bitmap.stride * size.height))
  }

  /// Wraps the pixels that another process has filled in, without a copy. They may still change while that process has
  /// the memory, into any other picture.
  convenience init?(_ memory: SharedPixels, size: PixelSize, isFourBytes: Bool) {
    let stride = PictureAnswer.stride(size, isFourBytes: isFourBytes)
    guard !size.isEmpty, memory.bytes.count >= stride * size.height, let start = memory.bytes.baseAddress,
      let made = gdk_pixbuf_new_from_data(
        start.assumingMemoryBound(to: UInt8.self), GDK_COLORSPACE_RGB, isFourBytes ? 1 : 0, 8,
        Int32(clamping: size.width), Int32(clamping: size.height), Int32(clamping: stride),
        { _, owner in if let owner { Unmanaged<SharedPixels>.fromOpaque(owner).release() } },
        Unmanaged.passRetained(memory).toOpaque())
    else { return nil }
    self.init(adopting: made)
  }

  /// Calls `body` with all rows; the last one may be shorter than `stride`.
  public func withPixels<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
    let count = Int(gdk_pixbuf_get_byte_length(pointer))
    return try body(UnsafeRawBufferPointer(start: gdk_pixbuf_read_pixels(pointer), count: count))
  }

  /// A copy of the pixels with four bytes each and no padding.
  public func rgba() -> [UInt8] {
    let channels = isFourBytes ? 4 : 3
    return [UInt8](unsafeUninitializedCapacity: size.width * size.height * 4) { target, count in
      withPixels { source in
        for row in 0..<size.height {
          for column in 0..<size.width {
            let from = row * stride + column * channels
            let to = (row * size.width + column) * 4
            for part in 0..<3 { target[to + part] = source[from + part] }
            target[to + 3] = isFourBytes ? source[from + 3] : 255
          }
        }
      }
      count = size.width * size.height * 4
    }
  }

  /// A copy of another size; each pixel is the mean of those that it stands for.
  ///
  /// - Returns: nil where memory is short.
  public func scaled(to size: PixelSize) -> Bitmap? {
    gdk_pixbuf_scale_simple(pointer, Int32(clamping: size.width), Int32(clamping: size.height), GDK_INTERP_BILINEAR)
      .map(Bitmap.init(adopting:))
  }

  /// The bitmap turned upright.
  ///
  /// - Returns: nil where memory is short.
  public func turned(_ orientation: EXIFOrientation) -> Bitmap? {
    let made: OpaquePointer? =
      switch orientation {
      case .upright: g_object_ref(UnsafeMutableRawPointer(pointer)).map(OpaquePointer.init)
      case .mirrored: gdk_pixbuf_flip(pointer, 1)
      case .upsideDown: gdk_pixbuf_rotate_simple(pointer, GDK_PIXBUF_ROTATE_UPSIDEDOWN)
      case .flipped: gdk_pixbuf_flip(pointer, 0)
      case .transposed: Self.flipped(gdk_pixbuf_rotate_simple(pointer, GDK_PIXBUF_ROTATE_CLOCKWISE))
      case .clockwise: gdk_pixbuf_rotate_simple(pointer, GDK_PIXBUF_ROTATE_CLOCKWISE)
      case .transversed: Self.flipped(gdk_pixbuf_rotate_simple(pointer, GDK_PIXBUF_ROTATE_COUNTERCLOCKWISE))
      case .counterclockwise: gdk_pixbuf_rotate_simple(pointer, GDK_PIXBUF_ROTATE_COUNTERCLOCKWISE)
      }
    return made.map(Bitmap.init(adopting:))
  }

  /// Mirrors left to right; takes ownership of a reference.
  private static func flipped(_ pixbuf: OpaquePointer?) -> OpaquePointer? {
    guard let pixbuf else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }
    return gdk_pixbuf_flip(pixbuf, 1)
  }

  /// An opaque copy, drawn over a background of one colour.
  ///
  /// - Parameter colour: 0xRRGGBB.
  /// - Returns: nil where memory is short.
  public func flattened(over colour: UInt32) -> Bitmap? {
    let (width, height) = (gdk_pixbuf_get_width(pointer), gdk_pixbuf_get_height(pointer))
    guard isFourBytes else { return gdk_pixbuf_copy(pointer).map(Bitmap.init(adopting:)) }
    // Drawn over a chessboard whose fields have the same colour. The fourth byte stays, without a meaning.
    return gdk_pixbuf_composite_color_simple(pointer, width, height, GDK_INTERP_NEAREST, 255, 16, colour, colour)
      .map(Bitmap.init(adopting:))
  }
}
