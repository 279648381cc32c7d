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

  /// Of the processor's time, from the file to the first frame. What people show takes some tens of milliseconds, on small boards half a
  /// second; 50 million pixels of PNG take 2 s there.
  public static let time: Duration = .seconds(3)
  /// A picture that moves may have so much more time than its frames are shown for: on a board that is too slow for it, it moves slowly.
  public static let slowness = 4
  /// By the clock, whatever it waits for: no longer than a server may let us wait.
  public static let longestWait: Duration = .seconds(30)

  /// How much of the processor's time a picture may have used.
  ///
  /// - Parameters:
  ///   - shown: how long the frames before this one are shown, together.
  ///   - processors: of this machine. Decoders of films' formats and of JPEG XL use all of them at once.
  ///   - first: for the first frame; tests have less patience.
  public static func time(
    of format: PictureFormat, shown: Duration, processors: Int, first: Duration = time
  ) -> Duration {
    let isParallel: Bool =
      switch format {
      case .heic, .avif, .jxl: true
      case .png, .jpeg, .gif, .webp, .bmp, .tiff, .svg, .tga: false
      }
    let shown = min(shown, .seconds(24 * 3600))
    return first * (isParallel ? max(1, min(processors, 64)) : 1) + max(.zero, shown) * slowness
  }

  /// Whether a picture may be decoded at that size.
  public static func allow(_ size: PixelSize) -> Bool {
    guard size.width <= side, size.height <= side else { return false }
    return size.width * size.height <= pixels
  }
}
