/// Texts of strangers, such as titles, file names, names of devices and what servers say, for people. Pure.
///
/// Every text that leaves the program goes through `shown` or is written as JSON, which escapes the same characters
/// (docs/security.md).
public enum PlainText {
  /// Characters (Unicode scalars) of a text that is told to other programs: titles and addresses are shorter, and a status of eight
  /// screens stays below half of what the control socket keeps for a client.
  public static let longest = 256

  /// Characters of the reason why a configuration isn't used: it lists what is wrong, and there is one for all screens.
  public static let longestReason = 2000

  /// The beginning of a text, as `shown` has it, with a mark where something was taken out.
  public static func clipped(_ text: String, to limit: Int = longest) -> String {
    let text = shown(text)
    // Few bytes can't be many characters.
    guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, limit - 1)))
    scalars.append("\u{2026}")
    return String(scalars)
  }

  /// A text that a terminal only shows, on one line: what would move its cursor, colour it, begin a line, hide, or turn the direction of
  /// writing is spelled out, `\u{1b}`.
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

  /// Whether a character does something other than being seen: controls (C0, C1), marks that turn or end lines, and what is invisible.
  /// The joiners (200c, 200d) belong to words and pictures.
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
