public import PlaybackCore

/// Chooses the size at which a picture is decoded, where it needn't be the stored one.
public enum PictureScale {
  /// The size at which the decoder works: an eighth, a quarter or half of the stored size, if that is large enough.
  ///
  /// - Parameters:
  ///   - header: the picture's header; only JPEGs are scaled down.
  ///   - wanted: the size that the screen needs, upright.
  ///   - Returns: the size as stored, not turned; nil for a picture without a size of its own.
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

  /// The size in memory during decoding: a progressive JPEG is held as a whole, whatever size is asked for.
  public static func heldSize(of header: PictureHeader, wanted: PixelSize) -> PixelSize? {
    header.decodesInStrips ? decodedSize(of: header, wanted: wanted) : header.size
  }

  /// The size for a vector picture: the wanted one, within the limits.
  public static func vectorSize(_ wanted: PixelSize) -> PixelSize {
    let width = Double(max(1, wanted.width))
    let height = Double(max(1, wanted.height))
    var factor = min(1, Double(PictureLimits.side) / max(width, height))
    factor = min(factor, (Double(PictureLimits.pixels) / (width * height)).squareRoot())
    return PixelSize(width: max(1, Int(width * factor)), height: max(1, Int(height * factor)))
  }
}
