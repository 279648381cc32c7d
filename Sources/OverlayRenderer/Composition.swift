import CPangoCairo
public import InteractionCore
public import PlaybackCore

/// Composes background, video and overlay into one picture, as the screen would show them. Has no state; any thread.
/// Takes milliseconds to tens of milliseconds, so don't call it on the loop for large screens.
public enum Composition {
  /// - Throws: 7304 when the screen's or the frame's size is impossible, or memory is short.
  public static func render(
    screen: PixelSize, background: RGBColor = .black, frame: VideoFrame? = nil, overlay: OverlayImage? = nil
  ) throws(VitrineError) -> Picture {
    guard let frame else {
      return try render(screen: screen, background: background, frame: nil, bytes: nil, overlay: overlay)
    }
    // Typed errors don't pass through `withUnsafeBytes`, hence the Result.
    let result = frame.pixels.withUnsafeBytes { bytes in
      Result { () throws(VitrineError) in
        try render(screen: screen, background: background, frame: frame.layout, bytes: bytes, overlay: overlay)
      }
    }
    return try result.get()
  }

  /// Renders a frame in memory that the caller owns, such as a mapped buffer, without copying it.
  ///
  /// - Parameter bytes: BGRx, at least `frame.byteCount` bytes, 4-byte aligned; read during the call only.
  /// - Throws: 7304 when the screen's or the frame's size is impossible, or memory is short.
  public static func render(
    screen: PixelSize, background: RGBColor, frame: VideoFrameLayout, bytes: UnsafeRawBufferPointer,
    overlay: OverlayImage?
  ) throws(VitrineError) -> Picture {
    try render(screen: screen, background: background, frame: Optional(frame), bytes: bytes, overlay: overlay)
  }

  private static func render(
    screen: PixelSize, background: RGBColor, frame: VideoFrameLayout?, bytes: UnsafeRawBufferPointer?,
    overlay: OverlayImage?
  ) throws(VitrineError) -> Picture {
    guard !screen.isEmpty, max(screen.width, screen.height) <= longestCairoSide else {
      throw failure("a picture of \(screen.width)x\(screen.height) pixels can't be made")
    }
    if let frame {
      guard let needed = frame.byteCount, let bytes, bytes.count >= needed, let base = bytes.baseAddress,
        Int(bitPattern: base) % 4 == 0
      else {
        throw failure(
          "the video frame of \(frame.size.width)x\(frame.size.height) pixels doesn't fit its memory",
          detail: "stride \(frame.stride), \(bytes?.count ?? 0) bytes")
      }
    }
    let count = screen.width * screen.height
    let fill = 0xFF00_0000 | UInt32(background.red) << 16 | UInt32(background.green) << 8 | UInt32(background.blue)
    var isDrawn = false
    let pixels = [UInt32](unsafeUninitializedCapacity: count) { buffer, initialized in
      buffer.initialize(repeating: fill)
      initialized = count
      guard let base = buffer.baseAddress,
        let target = ImageSurface(
          CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(base), size: screen, stride: 4 * screen.width),
        let canvas = Canvas(on: target)
      else { return }
      var isComplete = true
      if let frame, let base = bytes?.baseAddress { isComplete = draw(frame, at: base, on: canvas) }
      if let overlay { isComplete = draw(overlay, on: canvas) && isComplete }
      isDrawn = isComplete && canvas.isIntact
    }
    guard isDrawn else { throw failure("the picture could not be drawn", detail: "Cairo: surface or context failed") }
    return Picture(checked: screen, pixels: pixels)
  }

  private static func draw(_ frame: VideoFrameLayout, at base: UnsafeRawPointer, on canvas: borrowing Canvas) -> Bool {
    let place = frame.destination
    guard !place.size.isEmpty else { return true }
    // Cairo only reads from a source, though it takes a mutable pointer.
    guard
      let source = ImageSurface(
        CAIRO_FORMAT_RGB24, pixels: UnsafeMutableRawPointer(mutating: base), size: frame.size, stride: frame.stride)
    else { return false }
    canvas.paint(source, size: frame.size, into: place)
    return true
  }

  private static func draw(_ overlay: OverlayImage, on canvas: borrowing Canvas) -> Bool {
    let frame = overlay.frame
    guard !frame.size.isEmpty, overlay.pixels.count >= frame.width * frame.height else { return false }
    return overlay.pixels.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let source = ImageSurface(
          CAIRO_FORMAT_ARGB32, pixels: UnsafeMutableRawPointer(mutating: base), size: frame.size,
          stride: 4 * frame.width)
      else { return false }
      canvas.paint(source, x: frame.x, y: frame.y)
      return true
    }
  }

  private static func failure(_ message: String, detail: String = "") -> VitrineError {
    VitrineError(
      7304, subject: "snapshot", message: message, remedy: "check the screen's size and the free memory",
      detail: detail)
  }
}
