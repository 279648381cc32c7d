internal import PlaybackCore

/// Recognises texts that weren't saved as UTF-8 by an editor of plain text.
enum ForeignText {
  /// The remedy: the same in every editor, spelled out for the most common one.
  static let saveAsUTF8 = "save it as UTF-8 (Notepad: File, Save as, Encoding: UTF-8)"

  /// The fault of the text as a whole; nil if it has none. `isReadOn` says whether the text may hold settings.
  static func slip(of text: [UInt8], file: Int) -> (slip: TOMLRepair.Slip, isReadOn: Bool)? {
    func whole(_ message: String, _ allowed: String) -> TOMLRepair.Slip {
      TOMLRepair.Slip(position: nil, message: message, allowed: allowed)
    }
    let plain = "copy the text into an editor of plain text (Notepad, TextEdit as plain text, nano) and \(saveAsUTF8)"
    let start = text.prefix(512).drop { $0 <= 0x20 || $0 >= 0x80 }
    if text.starts(with: "PK\u{3}\u{4}".utf8) || text.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
      return (whole("is a document of a word processor, or an archive, and no text", plain), false)
    }
    if start.starts(with: "{\\rtf".utf8) {
      return (whole("is a document of a word processor (RTF), and no plain text", plain), false)
    }
    let lower = String(decoding: start.prefix(32), as: UTF8.self).lowercased()
    if lower.hasPrefix("<!doctype") || lower.hasPrefix("<html") {
      return (
        whole("is a web page, not a configuration", "download the file itself, or copy its text"), false
      )
    }
    if start.first == UInt8(ascii: "{") || start.starts(with: "[\n".utf8), text.contains(UInt8(ascii: ":")),
      !text.contains(UInt8(ascii: "="))
    {
      return (
        whole("is JSON, and a configuration is TOML", "write name = value, a line each; see docs/configuration.md"),
        false
      )
    }
    switch TextEncoding(of: text) {
    case .utf8:
      if isYAML(text) {
        return (
          whole("is YAML, and a configuration is TOML", "write name = value, a line each; see docs/configuration.md"),
          false
        )
      }
      if let lone = loneReturn(in: text) {
        return (
          TOMLRepair.Slip(
            position: position(of: lone, in: text, file: file),
            message: "a line ends as on old Macs (CR alone)",
            allowed: saveAsUTF8), true
        )
      }
      guard let zero = text.firstIndex(of: 0) else { return nil }
      return (
        TOMLRepair.Slip(
          position: position(of: zero, in: text, file: file),
          message: "has a byte of 0 in it, as a loss of power leaves files",
          allowed: "write it again"), false
      )
    case .utf16LittleEndian, .utf16BigEndian:
      return (whole("is saved as UTF-16 (\"Unicode\"), and a configuration is UTF-8", saveAsUTF8), true)
    case .windows1252:
      let index = firstInvalid(in: text)
      let letter = String(decoding: LegacyText.windows1252(text[index...].prefix(1)), as: UTF8.self)
      return (
        TOMLRepair.Slip(
          position: position(of: index, in: text, file: file),
          message: "\(letter) is stored in the code page of Windows (ANSI, Latin-1), and a configuration is UTF-8",
          allowed: saveAsUTF8), true
      )
    }
  }

  /// Lists with dashes below a name with a colon, and no `=` at all.
  private static func isYAML(_ text: [UInt8]) -> Bool {
    guard !text.contains(UInt8(ascii: "=")) else { return false }
    let lines = TextLines.split(text).map { TextLines.trimmed($0) }
    return lines.contains { $0.last == UInt8(ascii: ":") } && lines.contains { $0.starts(with: "- ".utf8) }
  }

  private static func loneReturn(in text: [UInt8]) -> Int? {
    text.indices.first { text[$0] == 0x0D && ($0 + 1 >= text.count || text[$0 + 1] != 0x0A) }
  }

  private static func firstInvalid(in text: [UInt8]) -> Int {
    var index = 0
    while index < text.count {
      let byte = text[index]
      let length = byte < 0x80 ? 1 : byte < 0xC2 ? 0 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : byte < 0xF5 ? 4 : 0
      guard length > 0, index + length <= text.count,
        String(validating: text[index..<(index + length)], as: UTF8.self) != nil
      else { return index }
      index += length
    }
    return 0
  }

  private static func position(of index: Int, in text: [UInt8], file: Int) -> TOMLPosition {
    let before = text[..<index]
    let line = before.count { $0 == 0x0A }
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let column = text[start..<index].count { $0 & 0xC0 != 0x80 }
    return TOMLPosition(line: line + 1, column: column + 1, file: file)
  }
}
