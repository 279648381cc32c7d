/// What the first bytes of a cover say: read before anything is decoded, because a small file can hold a huge picture.
public struct CoverHeader: Hashable, Sendable {
  public enum Format: String, Hashable, Sendable {
    case jpeg
    case png
  }
  public var format: Format
  public var size: PixelSize

  /// More is no cover: shops sell them at 3000x3000 at most. Decoded, so many take 48 MB for a moment.
  public static let mostPixels = 12_000_000

  /// Nil for other kinds of file, for damaged ones, and for pictures that are empty or too large.
  public init?(_ file: [UInt8]) {
    if file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      format = .png
      guard file.count >= 24, file[12..<16].elementsEqual("IHDR".utf8) else { return nil }
      let (width, height) = (Self.number(file[16..<20]), Self.number(file[20..<24]))
      size = PixelSize(width: width, height: height)
    } else if file.starts(with: [0xFF, 0xD8]), let found = Self.sizeOfJPEG(file) {
      format = .jpeg
      size = found
    } else {
      return nil
    }
    guard size.width > 0, size.height > 0, size.width <= Self.mostPixels, size.height <= Self.mostPixels,
      size.width * size.height <= Self.mostPixels
    else { return nil }
  }

  /// The size is in the header of the frame, behind segments of any kind and length.
  private static func sizeOfJPEG(_ file: [UInt8]) -> PixelSize? {
    var place = 2
    while place + 4 <= file.count {
      guard file[place] == 0xFF else { return nil }
      let marker = file[place + 1]
      switch marker {
      case 0xFF: place += 1  // filling
      case 0x01, 0xD0...0xD7: place += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard place + 9 <= file.count else { return nil }
        return PixelSize(
          width: number(file[(place + 7)..<(place + 9)]), height: number(file[(place + 5)..<(place + 7)]))
      case 0xD9, 0xDA: return nil  // pixels, and no size before them
      default: place += 2 + number(file[(place + 2)..<(place + 4)])
      }
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
