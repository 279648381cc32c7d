/// A playlist in the M3U format.
struct M3U: Hashable, Sendable {
  var entries: [MediaList.Entry] = []
  /// Whether it is an HLS playlist.
  var isAdaptive = false

  init(_ bytes: [UInt8]) {
    var title: String?
    for (index, line) in TextLines.split(bytes).enumerated() {
      let line = TextLines.trimmed(line)
      if line.isEmpty { continue }
      guard line.first == UInt8(ascii: "#") else {
        entries.append(MediaList.Entry(line: index + 1, address: Array(line), title: title))
        title = nil
        continue
      }
      if line.starts(with: "#EXT-X-".utf8) { isAdaptive = true }
      if line.starts(with: "#EXTINF:".utf8) { title = Self.title(of: line) }
    }
  }

  /// The text after the first comma outside quotes: `#EXTINF:12 logo="a,b",Artist - Title`.
  private static func title(of line: ArraySlice<UInt8>) -> String? {
    var isQuoted = false
    for index in line.indices {
      if line[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      guard line[index] == UInt8(ascii: ","), !isQuoted else { continue }
      let title = TextLines.trimmed(line[(index + 1)...])
      return title.isEmpty ? nil : TextEncoding.text(title)
    }
    return nil
  }
}
