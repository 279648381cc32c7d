/// Texts of strangers, such as titles, file names and what servers say, for people. Pure.
public enum PlainText {
  /// Characters (Unicode scalars) of a text that is told to other programs: titles and addresses are shorter, and a status of eight
  /// screens stays below half of what the control socket keeps for a client.
  public static let longest = 256

  /// The beginning of a text, with a mark where something was taken out.
  public static func clipped(_ text: String, to limit: Int = longest) -> String {
    // Few bytes can't be many characters.
    guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return text }
    var scalars = String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, limit - 1)))
    scalars.append("\u{2026}")
    return String(scalars)
  }

  /// A text that a terminal only shows: what would move its cursor, colour it, or turn the direction of writing is spelled out, `\u{1b}`.
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

  private static func isActive(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // Marks that end or turn lines; the joiners between (200c, 200d) belong to words and pictures.
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
