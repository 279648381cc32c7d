internal import FileSystem
internal import MediaPipeline
internal import OverlayRenderer
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

extension SplashPicture {
  /// In pixels, more than any screen has. A larger picture is refused before it fills the memory.
  private static let longestSide = 8192
  /// The time limit for decoding: the screen is dark meanwhile.
  private static let patience: Duration = .seconds(4)

  /// Reads a PNG file and decodes it like all pictures. Blocks for as long as that takes.
  ///
  /// - Parameter background: 0xRRGGBB, shown where the picture is transparent.
  /// - Throws: 5009.
  init(pngFile path: String, background: UInt32) throws(VitrineError) {
    func failure(_ message: String) -> VitrineError {
      VitrineError(
        5009, subject: path, message: "the splash picture can't be shown: \(message)",
        remedy: "name a PNG file of at most \(Self.longestSide) pixels a side")
    }
    let end = Instant.monotonicNow + Self.patience
    let bytes = SmallFile.bytes(path, limit: PictureLimits.bytes)
    let shown: Bitmap
    do throws(PictureProblem) {
      let header = try PictureHeader.read(bytes)
      guard header.format == .png else { throw .notAPicture }
      func isSensible(_ size: PixelSize) -> Bool { max(size.width, size.height) <= Self.longestSide }
      if let size = header.size, !isSensible(size) { throw .tooManyPixels(size) }
      let request = PictureRequest(
        size: { isSensible($0) ? $0 : nil }, isCancelled: { Instant.monotonicNow > end })
      shown = try PictureDecoding.open(bytes, header, background: background, request).frame(0, after: .zero)
    } catch {
      switch error {
      case .notAPicture: throw failure("it can't be read, or is no PNG")
      case .tooManyPixels(let size): throw failure("it has \(size.width)x\(size.height) pixels")
      case .cancelled: throw failure("it takes too long")
      default: throw failure(error.error(path).message)
      }
    }
    let rgba = shown.rgba()
    let pixels = stride(from: 0, to: rgba.count, by: 4).map { place -> UInt32 in
      let red = UInt32(rgba[place]), green = UInt32(rgba[place + 1]), blue = UInt32(rgba[place + 2])
      return 0xFF00_0000 | red << 16 | green << 8 | blue
    }
    guard let splash = SplashPicture(size: shown.size, pixels: pixels) else { throw failure("no memory") }
    self = splash
  }
}
