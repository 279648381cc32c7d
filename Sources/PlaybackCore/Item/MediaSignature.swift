/// Which kind of file begins like this.
public enum MediaSignature {
  /// Kinds of pictures that are known by their first 32 bytes.
  public static func isPicture(_ start: [UInt8]) -> Bool {
    start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])  // PNG
      || start.starts(with: [0xFF, 0xD8, 0xFF])  // JPEG
      || start.starts(with: "GIF87a".utf8) || start.starts(with: "GIF89a".utf8)
      || (start.starts(with: "RIFF".utf8) && start.dropFirst(8).starts(with: "WEBP".utf8))
      || isBitmap(start)
  }

  /// "BM" alone begins many a text; the reserved bytes and the size of the second header tell a bitmap.
  private static func isBitmap(_ start: [UInt8]) -> Bool {
    guard start.starts(with: "BM".utf8), start.count >= 18 else { return false }
    let headerSizes: Set<UInt8> = [12, 16, 40, 52, 56, 64, 108, 124]
    return start[6..<10].allSatisfy { $0 == 0 } && headerSizes.contains(start[14])
      && start[15..<18].allSatisfy { $0 == 0 }
  }

  /// MP4 and Matroska, which get called .jpg by people who mean well, and other video and sound that says at its start what
  /// it is.
  public static func isFilm(_ start: [UInt8]) -> Bool {
    isMP4(start) || start.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
      || ["ID3", "OggS", "fLaC", "FLV"].contains { start.starts(with: $0.utf8) }
      || (start.starts(with: "RIFF".utf8) && ["AVI ", "WAVE"].contains { start.dropFirst(8).starts(with: $0.utf8) })
      || isTransportStream(start)
  }

  /// Pictures may have the same boxes.
  private static func isMP4(_ start: [UInt8]) -> Bool {
    let pictures = ["heic", "heix", "mif1", "msf1", "avif", "avis"]
    return start.dropFirst(4).starts(with: "ftyp".utf8)
      && !pictures.contains { start.dropFirst(8).starts(with: $0.utf8) }
  }

  /// Packets of 188 bytes, each with its mark.
  private static func isTransportStream(_ start: [UInt8]) -> Bool {
    start.count > 376 && [0, 188, 376].allSatisfy { start[$0] == 0x47 }
  }
}
