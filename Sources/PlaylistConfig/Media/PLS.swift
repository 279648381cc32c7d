/// Playlists in the PLS format: `File1=...`, `Title1=...`, in the order of the numbers.
enum PLS {
  static func entries(of bytes: [UInt8]) -> [MediaList.Entry] {
    var files: [Int: MediaList.Entry] = [:]
    var titles: [Int: String] = [:]
    for (index, line) in TextLines.split(bytes).enumerated() {
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: TextLines.trimmed(line[..<equals]), as: UTF8.self).lowercased()
      let value = TextLines.trimmed(line[(equals + 1)...])
      guard !value.isEmpty else { continue }
      if let number = number(of: key, after: "file"), files[number] == nil {
        files[number] = MediaList.Entry(line: index + 1, address: Array(value), title: nil)
      } else if let number = number(of: key, after: "title") {
        titles[number] = TextEncoding.text(value)
      }
    }
    return files.sorted { $0.key < $1.key }.map { number, entry in
      var entry = entry
      entry.title = titles[number]
      return entry
    }
  }

  private static func number(of key: String, after prefix: String) -> Int? {
    guard key.hasPrefix(prefix) else { return nil }
    let digits = key.dropFirst(prefix.count)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(digits)
  }
}
