public import PlaybackCore

/// What a picture may cost. A megabyte of PNG can be 60,000 x 60,000 pixels, 14 GB; a board has one or two.
public enum PictureLimits {
  /// Pixels in memory at once: all that the cameras of phones give in their usual modes (50 million), in 200 MB with
  /// alpha; six times a 4K screen. Larger JPEGs are shown too where the decoder makes them smaller on its way.
  public static let pixels = 50_000_000
  /// Of JPEG XL: its decoder may hold 12 to 32 bytes a pixel beside the picture itself.
  public static let pixelsOfJXL = pixels / 2
  /// Bytes of a file, which is read before it is decoded: what as many pixels take without any compression.
  public static let bytes = 3 * pixels
  /// A side, whatever the other one is: the limit of JPEG, of video formats, and of what is drawn with.
  public static let side = 32_767

  /// Whether a picture may be decoded at that size.
  public static func allow(_ size: PixelSize) -> Bool {
    guard size.width <= side, size.height <= side else { return false }
    return size.width * size.height <= pixels
  }
}
