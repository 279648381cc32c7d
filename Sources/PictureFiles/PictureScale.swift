public import PlaybackCore

/// In which size a picture is decoded, where it needn't be its own.
public enum PictureScale {
  /// What the decoder makes of it: an eighth, a quarter or half of the size, as long as that is enough.
  ///
  /// - Parameters:
  ///   - header: of the picture; only a JPEG is made smaller.
  ///   - wanted: what the screen needs of it, upright.
  /// - Returns: as stored, not turned; nil for a picture without a size of its own.
  public static func decodedSize(of header: PictureHeader, wanted: PixelSize) -> PixelSize? {
    guard let size = header.size, header.format == .jpeg else { return header.size }
    let stored = header.orientation.swapsSides ? PixelSize(width: wanted.height, height: wanted.width) : wanted
    for divisor in [8, 4, 2] {
      // The decoder rounds up.
      let smaller = PixelSize(
        width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
      if smaller.width >= stored.width, smaller.height >= stored.height { return smaller }
    }
    return size
  }

  /// The size in memory while it is decoded: a progressive JPEG is held whole, whatever comes out of it.
  public static func heldSize(of header: PictureHeader, wanted: PixelSize) -> PixelSize? {
    header.decodesInStrips ? decodedSize(of: header, wanted: wanted) : header.size
  }

  /// A vector picture as large as it is wanted, but no larger than may be.
  public static func vectorSize(_ wanted: PixelSize) -> PixelSize {
    let width = Double(max(1, wanted.width))
    let height = Double(max(1, wanted.height))
    var factor = min(1, Double(PictureLimits.side) / max(width, height))
    factor = min(factor, (Double(PictureLimits.pixels) / (width * height)).squareRoot())
    return PixelSize(width: max(1, Int(width * factor)), height: max(1, Int(height * factor)))
  }
}
