/// Which kind of file begins like this. Pictures: `PictureFormat`.
public enum MediaSignature {
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
