internal import CGdkPixbuf
public import PlaybackCore

/// Encodes opaque pixels as JPEG. Any thread; don't call it on the loop: a picture of a screen takes tens of
/// milliseconds.
public enum JPEGWriter {
  /// At this quality text stays readable, and a frame of a film takes some hundred kilobytes.
  private static let quality = "85"

  /// - Parameter xrgb: 32 bits a pixel in native byte order, row by row.
  /// - Returns: nil where memory is short, or the number of pixels doesn't match the size.
  public static func bytes(_ xrgb: [UInt32], size: PixelSize) -> [UInt8]? {
    guard !size.isEmpty, xrgb.count == size.width * size.height,
      let picture = gdk_pixbuf_new(GDK_COLORSPACE_RGB, 0, 8, Int32(clamping: size.width), Int32(clamping: size.height))
    else { return nil }
    defer { g_object_unref(UnsafeMutableRawPointer(picture)) }
    guard let pixels = gdk_pixbuf_get_pixels(picture) else { return nil }
    let stride = Int(gdk_pixbuf_get_rowstride(picture))
    for row in 0..<size.height {
      for column in 0..<size.width {
        let pixel = xrgb[row * size.width + column]
        let place = pixels + row * stride + column * 3
        place[0] = UInt8(truncatingIfNeeded: pixel >> 16)
        place[1] = UInt8(truncatingIfNeeded: pixel >> 8)
        place[2] = UInt8(truncatingIfNeeded: pixel)
      }
    }
    return saved(picture)
  }

  private static func saved(_ picture: OpaquePointer) -> [UInt8]? {
    var buffer: UnsafeMutablePointer<gchar>?
    var count: gsize = 0
    let isDone = "quality".withCString { key in
      quality.withCString { value in
        var keys = [UnsafeMutablePointer(mutating: key), nil]
        var values = [UnsafeMutablePointer(mutating: value), nil]
        return gdk_pixbuf_save_to_bufferv(picture, &buffer, &count, "jpeg", &keys, &values, nil) != 0
      }
    }
    defer { g_free(buffer) }
    guard isDone, let buffer else { return nil }
    return Array(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
  }
}
