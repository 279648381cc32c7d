// This file doesn't use it. But it is the target's first file, and the compiler finds GLib's types for all files of a
// target through the library that its first file imports first.
internal import CGStreamer
internal import MainLoop
internal import PictureDecoder
internal import PictureFiles
internal import PlaybackCore

/// Decodes a cover's file, scaled down to the size at which it is shown. Runs on a deck's worker: it blocks.
enum CoverDecoder {
  /// The most pixels of a cover: shops sell them at up to 3000x3000. Decoding so many takes 48 MB for a moment.
  static let mostPixels = 12_000_000
  /// The formats that tags hold in practice; files of any other format are ignored.
  private static let formats: Set<PictureFormat> = [.jpeg, .png]
  /// A cover decodes in some tens of milliseconds, like a still picture; one that takes longer than this is left out.
  private static let limit: Duration = .seconds(3)

  /// - Returns: nil for what isn't a JPEG or PNG of a sensible size, and for damaged files.
  static func decode(_ file: [UInt8], for screen: PixelSize) -> CoverPixels? {
    guard let header = try? PictureHeader.read(file), formats.contains(header.format), let stored = header.size,
      isSensible(stored)
    else { return nil }
    // It is never shown larger than half of the screen's short side (`SoundCardPicture`), and never made larger here.
    let side = max(1, min(screen.width, screen.height) / 2)
    let end = Instant.monotonicNow + limit
    let request = PictureRequest(
      size: { isSensible($0) ? scaled($0, to: side) : nil }, isCancelled: { Instant.monotonicNow > end })
    guard let frames = try? PictureDecoding.open(file, header, background: 0, request),
      let shown = try? frames.frame(0, after: .zero)
    else {
      return nil
    }
    let bytes = shown.rgba()
    let pixels = stride(from: 0, to: bytes.count, by: 4).map { place -> UInt32 in
      let (red, green, blue) = (UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2]))
      return 0xFF00_0000 | red << 16 | green << 8 | blue
    }
    return CoverPixels(size: shown.size, pixels: pixels)
  }

  private static func isSensible(_ size: PixelSize) -> Bool {
    !size.isEmpty && PictureLimits.allow(size) && size.width * size.height <= mostPixels
  }

  private static func scaled(_ size: PixelSize, to side: Int) -> PixelSize {
    let share = min(1, Double(side) / Double(max(size.width, size.height)))
    return PixelSize(
      width: max(1, Int((Double(size.width) * share).rounded())),
      height: max(1, Int((Double(size.height) * share).rounded())))
  }
}
