/// The still-picture formats that are played. Data in other formats isn't given to any decoder, since each decoder is
/// one more to attack.
public enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case png, jpeg, gif, webp, bmp, tiff, svg, heic, avif, jxl, tga

  /// Bytes from the start of a file that `init(start:)` looks at: an SVG may begin with a title of its editor.
  public static let sniffedLength = 512
  /// Bytes that are searched for an SVG's first element, where there are so many: a licence or an editor's entities may
  /// stand before it.
  private static let vectorLength = 64 << 10

  /// Recognises a format by the first bytes of a file; fewer than `sniffedLength` will do for all but SVG, HEIC and
  /// AVIF.
  public init?(start all: some Collection<UInt8>) {
    let start = Array(all.prefix(Self.sniffedLength))
    func has(_ text: String, at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: text.utf8) }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if start.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if has("GIF87a") || has("GIF89a") {
      self = .gif
    } else if has("RIFF"), has("WEBP", at: 8) {
      self = .webp
    } else if Self.isBitmap(start) {
      self = .bmp
    } else if [[0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B]].contains(
      where: { start.starts(with: $0) })
    {
      self = .tiff
    } else if has("ftyp", at: 4) {
      // Most MP4 files are films, and a list may have a thousand of them: no further format is tried on them.
      guard let format = Self.byBrands(start) else { return nil }
      self = format
    } else if start.starts(with: [0xFF, 0x0A]) || start.starts(with: Self.jxlBox) {
      self = .jxl
    } else if Self.isVector(all) {
      self = .svg
    } else if Self.isTarga(start) {
      self = .tga
    } else {
      return nil
    }
  }

  /// The box at the start of a JPEG XL file in a container; a bare codestream begins with FF 0A.
  private static let jxlBox: [UInt8] = [0, 0, 0, 0x0C] + "JXL ".utf8 + [0x0D, 0x0A, 0x87, 0x0A]

  /// The format's usual name.
  public var name: String {
    switch self {
    case .webp: "WebP"
    case .jxl: "JPEG XL"
    case .tga: "Targa"
    default: rawValue.uppercased()
    }
  }

  /// Usual extensions of the format's files, in lower case.
  public var fileExtensions: [String] {
    switch self {
    case .png: ["png", "apng"]
    case .jpeg: ["jpg", "jpeg", "jpe", "jfif"]
    case .gif: ["gif"]
    case .webp: ["webp"]
    case .bmp: ["bmp", "dib"]
    case .tiff: ["tif", "tiff"]
    case .svg: ["svg"]
    case .heic: ["heic", "heif", "hif"]
    case .avif: ["avif"]
    case .jxl: ["jxl"]
    case .tga: ["tga"]
    }
  }

  /// Guesses the format by the extension of a name or an address.
  public init?(named name: String) {
    let name = name.lowercased()
    let found = Self.allCases.first { $0.fileExtensions.contains { name.hasSuffix(".\($0)") } }
    guard let found else { return nil }
    self = found
  }

  /// Whether a file is a Targa, which has no mark at its start. The conditions on its first 18 bytes together are rarer
  /// than a mark of four bytes: without a palette five bytes in a row are 0, with one its size has to fit.
  private static func isTarga(_ start: [UInt8]) -> Bool {
    guard start.count >= 18, start[12] | start[13] != 0, start[14] | start[15] != 0, start[17] & 0xC0 == 0 else {
      return false
    }
    switch (start[1], start[2]) {
    case (0, 2), (0, 10): return start[3...7].allSatisfy { $0 == 0 } && [15, 16, 24, 32].contains(start[16])
    case (0, 3), (0, 11): return start[3...7].allSatisfy { $0 == 0 } && [8, 16].contains(start[16])
    case (1, 1), (1, 9):
      let colours = Int(start[5]) | Int(start[6]) << 8
      return start[16] == 8 && (1...256).contains(colours) && [15, 16, 24, 32].contains(start[7])
    default: return false
    }
  }

  /// Whether a file is a bitmap. "BM" alone begins many texts, so the reserved bytes and the size of the second header
  /// must fit too.
  private static func isBitmap(_ start: [UInt8]) -> Bool {
    guard start.starts(with: "BM".utf8), start.count >= 18 else { return false }
    let headerSizes: Set<UInt8> = [12, 16, 40, 52, 56, 64, 108, 124]
    return start[6..<10].allSatisfy { $0 == 0 } && headerSizes.contains(start[14])
      && start[15..<18].allSatisfy { $0 == 0 }
  }

  /// Recognises pictures in an MP4 container by the brands at its start.
  private static func byBrands(_ start: [UInt8]) -> PictureFormat? {
    let length = start.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    let brands = stride(from: 8, to: min(start.count, length), by: 4)
      // The second field is a version.
      .filter { $0 != 12 }
      .map { String(decoding: start[$0..<min($0 + 4, start.count)], as: UTF8.self) }
    guard let major = brands.first, ["avif", "avis", "mif1", "msf1"].contains(major) || heicBrands.contains(major)
    else { return nil }
    if brands.contains(where: { $0 == "avif" || $0 == "avis" }) { return .avif }
    return .heic
  }

  private static let heicBrands: Set<String> = ["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs"]

  /// Whether the text is XML whose first element is `svg`, after any byte order mark, declaration, document type and
  /// comments. In UTF-8 or UTF-16.
  private static func isVector(_ all: some Collection<UInt8>) -> Bool {
    let marks: [(bytes: [UInt8], wideIsBigEndian: Bool?)] = [
      ([0xEF, 0xBB, 0xBF], nil), ([0xFF, 0xFE], false), ([0xFE, 0xFF], true),
    ]
    let mark = marks.first { all.starts(with: $0.bytes) }
    // One byte tells films and bitmaps from XML.
    let first = all.dropFirst(mark?.bytes.count ?? 0).first { $0 != 0 && $0 > 0x20 }
    guard first == UInt8(ascii: "<") else { return false }
    let body = Array(all.prefix(vectorLength).dropFirst(mark?.bytes.count ?? 0))
    let text = String(
      decoding: mark?.wideIsBigEndian.map { LegacyText.utf16(body[...], isBigEndian: $0) } ?? body, as: UTF8.self)
    var rest = text[...].drop(while: \.isWhitespace)
    guard rest.first == "<" else { return false }
    while true {
      if rest.hasPrefix("<svg") || rest.hasPrefix("<!DOCTYPE svg") { return true }
      let end: Substring
      if rest.hasPrefix("<!--") {
        guard let found = skip(rest, past: "-->") else { return false }
        end = found
      } else if rest.hasPrefix("<?") {
        guard let found = skip(rest, past: "?>") else { return false }
        end = found
      } else {
        return false
      }
      rest = end.drop(while: \.isWhitespace)
    }
  }

  private static func skip(_ text: Substring, past mark: String) -> Substring? {
    var rest = text
    while let first = mark.first, let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.hasPrefix(mark) { return rest.dropFirst(mark.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
