public import PlaybackCore

/// The drawn overlay: its pixels and their place on the screen. Only as large as what is drawn.
public struct OverlayImage: Sendable {
  /// The pixels' place on the screen, inside of it.
  public var frame: PixelRect
  /// Premultiplied ARGB, 32 bits a pixel in native byte order (DRM_FORMAT_ARGB8888 on little-endian machines),
  /// row by row without padding: `frame.width * frame.height` values.
  public var pixels: [UInt32]

  public init(frame: PixelRect, pixels: [UInt32]) {
    self.frame = frame
    self.pixels = pixels
  }
}
