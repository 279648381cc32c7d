/// A playlist in a file, taken apart but not looked up.
struct MediaList: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// Counted from 1.
    var line: Int
    /// A path or a URI, in the encoding of the file.
    var address: [UInt8]
    /// The list's title for the entry; nil without one.
    var title: String?
  }

  /// The longest list that is read, in bytes: as much as a configuration.
  static let maximumLength = ConfigurationLimits.textBytes

  /// Extensions of files that are lists, in lower case.
  static let extensions: Set<String> = ["m3u", "m3u8", "pls", "xspf"]

  var entries: [Entry]
  /// Whether it is an HLS playlist, which is one medium and not a list of media.
  var isAdaptive = false

  /// Takes any bytes.
  ///
  /// - Parameter fileExtension: one of `extensions`.
  init(_ bytes: [UInt8], fileExtension: String) {
    let encoding = TextEncoding(of: bytes)
    // Names in a code page may be bytes of names on the disk, which have none.
    let bytes = encoding == .windows1252 ? bytes : encoding.utf8(bytes)
    switch fileExtension {
    case "pls": entries = PLS.entries(of: bytes)
    case "xspf": entries = XSPF.entries(of: bytes)
    default:
      let list = M3U(bytes)
      entries = list.entries
      isAdaptive = list.isAdaptive
    }
  }
}

/// Lines of a text in bytes, which may end in LF, CRLF or CR; a byte order mark is skipped.
enum TextLines {
  static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]
    var lines: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var index = start
    while index < text.endIndex {
      let byte = text[index]
      guard byte == 0x0A || byte == 0x0D else {
        index += 1
        continue
      }
      lines.append(text[start..<index])
      index += byte == 0x0D && index + 1 < text.endIndex && text[index + 1] == 0x0A ? 2 : 1
      start = index
    }
    lines.append(text[start...])
    return lines
  }

  /// Without spaces and tabs around it.
  static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var line = line.drop(while: isSpace)
    while let last = line.last, isSpace(last) { line.removeLast() }
    return line
  }
}
