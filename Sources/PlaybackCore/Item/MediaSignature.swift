/// Recognises films and sound by a file's first bytes. Pictures: `PictureFormat`.
public enum MediaSignature {
  /// Whether a file is MP4, Matroska (which some people name .jpg), or another film or sound format that its first
  /// bytes identify.
  public static func isFilm(_ start: [UInt8]) -> Bool {
    isMP4(start) || start.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
      || ["ID3", "OggS", "fLaC", "FLV"].contains { start.starts(with: $0.utf8) }
      || (start.starts(with: "RIFF".utf8) && ["AVI ", "WAVE"].contains { start.dropFirst(8).starts(with: $0.utf8) })
      || isTransportStream(start)
  }

  /// Pictures may be in the same container; their brands tell them apart.
  private static func isMP4(_ start: [UInt8]) -> Bool {
    let pictures = ["heic", "heix", "mif1", "msf1", "avif", "avis"]
    return start.dropFirst(4).starts(with: "ftyp".utf8)
      && !pictures.contains { start.dropFirst(8).starts(with: $0.utf8) }
  }

  /// Whether three packets of 188 bytes each begin with their sync byte.
  private static func isTransportStream(_ start: [UInt8]) -> Bool {
    start.count > 376 && [0, 188, 376].allSatisfy { start[$0] == 0x47 }
  }
}
