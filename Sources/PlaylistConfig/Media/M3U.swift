/// A playlist in the M3U format, taken apart but not looked up.
struct M3U: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// Counted from 1.
    var line: Int
    /// A path or a URI, in the encoding of the file.
    var address: [UInt8]
    /// From `#EXTINF`.
    var title: String?
  }

  /// The longest list that is read, in bytes: some ten thousand entries.
  static let maximumLength = 1 << 20

  var entries: [Entry] = []
  /// Whether it is an HLS playlist, which is one medium and none of our lists.
  var isAdaptive = false

  /// Takes any bytes. Lines may end in LF, CRLF or CR; a byte order mark is skipped.
  init(_ bytes: [UInt8]) {
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: byteOrderMark) ? bytes[3...] : bytes[...]
    var title: String?
    for (index, line) in Self.lines(of: text).enumerated() {
      let line = Self.trimmed(line)
      if line.isEmpty { continue }
      guard line.first == UInt8(ascii: "#") else {
        entries.append(Entry(line: index + 1, address: Array(line), title: title))
        title = nil
        continue
      }
      if line.starts(with: "#EXT-X-".utf8) { isAdaptive = true }
      if line.starts(with: "#EXTINF:".utf8) { title = Self.title(of: line) }
    }
  }

  private static func lines(of text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
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

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    var line = line.drop(while: isSpace)
    while let last = line.last, isSpace(last) { line.removeLast() }
    return line
  }

  /// What follows the first comma outside quotes: `#EXTINF:12 logo="a,b",Artist - Title`.
  private static func title(of line: ArraySlice<UInt8>) -> String? {
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard line[index] == UInt8(ascii: ","), !isQuoted else { continue }
      let title = trimmed(line[(index + 1)...])
      return title.isEmpty ? nil : String(decoding: title, as: UTF8.self)
    }
    return nil
  }
}
