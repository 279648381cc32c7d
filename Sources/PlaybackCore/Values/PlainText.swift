/// Makes texts from outside safe to show: titles, file names, device names and servers' answers. Pure.
///
/// Every text that leaves the program goes through `shown` or is written as JSON, which escapes the same characters
/// (docs/security.md).
public enum PlainText {
  /// Most characters (Unicode scalars) of a text in reports to other programs. Titles and addresses are shorter, and a
  /// status of eight screens stays below half of the control socket's buffer for a client.
  public static let longest = 256

  /// Most characters of the reason why a configuration is rejected: it lists all mistakes, and there is one for all
  /// screens.
  public static let longestReason = 2000

  /// The beginning of a text, made safe by `shown`, with a mark where it was cut.
  public static func clipped(_ text: String, to limit: Int = longest) -> String {
    let text = shown(text)
    // A text of few bytes can't have many characters.
    guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, limit - 1)))
    scalars.append("\u{2026}")
    return String(scalars)
  }

  /// Makes a text safe for a terminal, on one line: characters that move its cursor, colour it, begin a line, are
  /// invisible or turn the direction of writing are spelled out, `\u{1b}`.
  public static func shown(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isActive) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isActive(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a character has another effect than being visible: controls (C0, C1), marks that turn or end lines, and
  /// invisible ones. The joiners (200c, 200d) aren't among them: they belong to words and pictures.
  public static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: false
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
