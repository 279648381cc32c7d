/// How a picture has to be turned to stand upright; the values are those of EXIF.
public enum EXIFOrientation: Int, Hashable, Sendable, CaseIterable {
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  case flipped = 4
  case transposed = 5
  /// The picture has to be turned clockwise by 90 degrees.
  case clockwise = 6
  case transversed = 7
  case counterclockwise = 8

  /// Whether the turn swaps width and height.
  public var swapsSides: Bool { rawValue >= 5 }

  /// Reads an EXIF block, with or without its heading. Any other bytes mean upright.
  init(exif: Bytes) {
    let tiff = exif.starts(with: "Exif\0\0") ? exif.part(from: 6) : exif
    self = TIFFHeader(tiff)?.orientation ?? .upright
  }
}
