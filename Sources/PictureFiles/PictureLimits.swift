public import PlaybackCore

/// Limits for the cost of a picture. A megabyte of PNG can be 60,000 x 60,000 pixels, 14 GB; a board has one or two.
public enum PictureLimits {
  /// Pixels in memory at once: the most that phone cameras make in their usual modes (50 million), which is 200 MB with
  /// alpha, and six times a 4K screen. Larger JPEGs are shown too where the decoder scales them down.
  public static let pixels = 50_000_000
  /// Pixels of a JPEG XL: its decoder may hold 12 to 32 bytes a pixel besides the picture itself.
  public static let pixelsOfJXL = pixels / 2
  /// Bytes of a file, which is read as a whole before it is decoded: as many as that number of pixels takes without
  /// compression.
  public static let bytes = 3 * pixels
  /// The longest side, whatever the other one is: the limit of JPEG, of video formats, and of the drawing library.
  public static let side = 32_767

  /// Processor time from the file to the first frame. Usual pictures take some tens of milliseconds, half a second on
  /// small boards; 50 million pixels of PNG take 2 s there.
  public static let time: Duration = .seconds(3)
  /// An animation may use this many times the time that its frames are shown: on a board that is too slow for it, it
  /// plays slowly.
  public static let slowness = 4
  /// Elapsed time, whatever the decoder waits for: no longer than the player waits for a server.
  public static let longestWait: Duration = .seconds(30)

  /// The processor time that a picture may have used.
  ///
  /// - Parameters:
  ///   - shown: how long the frames before this one are shown, together.
  ///   - processors: number of processors. Decoders of video formats and of JPEG XL use all of them at once.
  ///   - first: the limit for the first frame; tests set a shorter one.
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
