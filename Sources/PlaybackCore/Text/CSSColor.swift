/// Reads a colour as style sheets and SubRip's `<font color>` write it.
enum CSSColor {
  /// The sixteen names of CSS 1, and those that captions use beside them.
  private static let names: [String: UInt32] = [
    "aqua": 0x00FFFF, "black": 0x000000, "blue": 0x0000FF, "cyan": 0x00FFFF, "fuchsia": 0xFF00FF, "gray": 0x808080,
    "green": 0x008000, "grey": 0x808080, "lime": 0x00FF00, "magenta": 0xFF00FF, "maroon": 0x800000, "navy": 0x000080,
    "olive": 0x808000, "orange": 0xFFA500, "pink": 0xFFC0CB, "purple": 0x800080, "red": 0xFF0000, "silver": 0xC0C0C0,
    "teal": 0x008080, "white": 0xFFFFFF, "yellow": 0xFFFF00,
  ]

  /// Longest text of a colour, in bytes: `rgba(255.0, 255.0, 255.0, 0.85) !important` and some blanks.
  private static let maximumLength = 64

  /// - Parameter text: `yellow`, `#ff0`, `#ffff00`, `rgb(255, 255, 0)`; of hexadecimal digits also without `#`.
  /// - Returns: nil for another text, and for a colour that is wholly transparent. Else how far it is transparent is
  ///   ignored: captions have to be read.
  static func read(_ text: ArraySlice<UInt8>) -> RGBColor? {
    guard text.count <= maximumLength else { return nil }
    var text = trimmed(text)
    if let mark = text.firstIndex(of: UInt8(ascii: "!")) { text = trimmed(text[..<mark]) }
    let word = String(decoding: text, as: UTF8.self).lowercased()
    if let value = names[word] { return RGBColor(value) }
    if word.hasPrefix("rgb") { return functional(word) }
    return hexadecimal(word.hasPrefix("#") ? word.dropFirst() : word.utf8.count == 6 ? word[...] : "")
  }

  /// Without blanks and line ends around it.
  static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    text.trimmed { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }

  /// Three or six digits, or four or eight with an opacity.
  private static func hexadecimal(_ digits: Substring) -> RGBColor? {
    let digits = digits.count < 6 ? String(digits.flatMap { [$0, $0] }) : String(digits)
    let opacity = digits.dropFirst(6)
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    guard opacity.isEmpty || opacity.count == 2 && UInt8(opacity, radix: 16) ?? 0 > 0 else { return nil }
    return RGBColor(hex: "#\(digits.prefix(6))")
  }

  /// `rgb(255, 255, 0)`, `rgba(0, 0, 0, 0.8)`, `rgb(0 0 0 / 80%)`
  private static func functional(_ word: String) -> RGBColor? {
    guard let open = word.firstIndex(of: "("), word.hasSuffix(")"), ["rgb", "rgba"].contains(word[..<open]) else {
      return nil
    }
    let parts = word[open...].dropFirst().dropLast().split { " ,/\t".contains($0) }
    guard parts.count == 3 || parts.count == 4 else { return nil }
    func number(_ part: Substring, full: Double) -> Double? {
      let isShare = part.hasSuffix("%")
      guard let value = Double(isShare ? part.dropLast() : part), value.isFinite else { return nil }
      return min(max(isShare ? value / 100 * full : value, 0), full)
    }
    let channels = parts.prefix(3).compactMap { number($0, full: 255) }.map { UInt8($0.rounded()) }
    guard channels.count == 3, parts.count == 3 || number(parts[3], full: 1) ?? 0 > 0 else { return nil }
    return RGBColor(red: channels[0], green: channels[1], blue: channels[2])
  }
}
