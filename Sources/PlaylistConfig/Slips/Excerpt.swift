internal import PlaybackCore

/// The line of a diagnostic, and the corrected line.
public struct Excerpt: Hashable, Sendable {
  /// The line of the file, made printable and shortened.
  public var line: String
  /// How many characters stand before the place; nil where they can't be counted.
  public var column: Int?
  /// The whole corrected line; nil if no correction is known.
  public var corrected: String?

  /// Characters of a line that are shown.
  private static let longest = 120
  /// Keys with one of these in their names have secret values: their lines aren't for logs.
  private static let secrets = ["password", "passwd", "secret", "token", "psk"]

  /// Nil for a line with a secret, and for an empty one.
  ///
  /// - Parameters:
  ///   - line: the line of the file, unchanged.
  ///   - column: from 1.
  init?(_ line: String, column: Int, corrected: String?) {
    let name = line.prefix { $0 != "=" && $0 != ":" }.lowercased()
    if Self.secrets.contains(where: name.contains), !name.contains("_file") { return nil }
    guard !line.trimmedSpaces.isEmpty else { return nil }
    let shown = Self.shown(line)
    self.line = shown.text
    let before = Self.shown(String(String.UnicodeScalarView(line.unicodeScalars.prefix(max(0, column - 1))))).text
    let isCounted = shown.isWhole && column > 0 && shown.text.hasPrefix(before)
    self.column = isCounted ? before.unicodeScalars.count : nil
    guard let corrected else { return }
    let right = Self.shown(corrected)
    self.corrected = right.isWhole ? right.text : nil
  }

  /// Makes a line printable: without control characters and secrets, and shortened. `isWhole` says whether nothing was
  /// redacted or cut.
  private static func shown(_ line: String) -> (text: String, isWhole: Bool) {
    let blanks = line.unicodeScalars.map { $0 == "\t" ? " " : String($0) }.joined()
    let plain = PlainText.shown(blanks)
    let redacted = Redaction.text(plain)
    let clipped = PlainText.clipped(redacted, to: longest)
    return (clipped, clipped == plain)
  }

  /// The lines below a diagnostic: the line, a mark below the place, and the correction.
  public var lines: [String] {
    var lines = ["    \(line)"]
    if let column { lines.append("    " + String(repeating: " ", count: column) + "^") }
    if let corrected { lines.append("    \(corrected.trimmedSpaces)   <- write it so") }
    return lines
  }
}

extension Diagnostic {
  /// Adds its line of the text to each diagnostic, up to the number that people read.
  static func addExcerpts(to diagnostics: inout [Diagnostic], from sources: [ConfigurationSource]) {
    var texts: [Int: [Int: String]] = [:]
    let looked = diagnostics.indices.prefix(ConfigurationLimits.excerpts)
    for (file, source) in sources.enumerated() {
      let wanted = Set(looked.compactMap { diagnostics[$0].position }.filter { $0.file == file }.map(\.line))
      guard !wanted.isEmpty, case .text(let text) = source.content else { continue }
      texts[file] = lines(wanted, of: text)
    }
    for index in looked {
      guard let position = diagnostics[index].position, let line = texts[position.file]?[position.line] else {
        continue
      }
      let corrected = diagnostics[index].corrected ?? SettingMend.corrected(line, for: diagnostics[index])
      diagnostics[index].excerpt = Excerpt(line, column: position.column, corrected: corrected)
    }
  }

  /// The diagnostic with a line for a setting whose file isn't at hand any more, because the fault was found later.
  ///
  /// - Parameter key: the key without its table.
  public func withLine(of key: String) -> Diagnostic {
    guard let value else { return self }
    var diagnostic = self
    let line = "\(key) = \(value)"
    diagnostic.excerpt = Excerpt(line, column: 0, corrected: SettingMend.corrected(line, for: self))
    return diagnostic
  }

  private static func lines(_ wanted: Set<Int>, of text: [UInt8]) -> [Int: String] {
    var found: [Int: String] = [:]
    let utf8 = TextEncoding(of: text).utf8(text)
    var number = 1
    for line in TextLines.split(utf8) {
      if wanted.contains(number) { found[number] = String(decoding: line.prefix(ValueMend.longest), as: UTF8.self) }
      number += 1
    }
    return found
  }
}

/// Corrects lines that are valid TOML with a wrong setting.
enum SettingMend {
  /// The whole corrected line; nil without a likely correction.
  static func corrected(_ line: String, for diagnostic: Diagnostic) -> String? {
    let (body, remark) = LineMend.withoutRemark(line)
    if diagnostic.allowed.hasPrefix("did you mean "), diagnostic.message == "unknown key" {
      return renamed(line, diagnostic)
    }
    if diagnostic.allowed.hasPrefix("[["), body.trimmedSpaces.hasPrefix("["), !body.trimmedSpaces.hasPrefix("[[") {
      return "[\(body.trimmedSpaces)]\(remark)"
    }
    if diagnostic.allowed.hasPrefix("["), body.trimmedSpaces.hasPrefix("[[") {
      return "\(body.trimmedSpaces.dropFirst().dropLast())\(remark)"
    }
    guard diagnostic.value != nil, let equals = body.firstIndex(of: "="), LineMend.isTOML(body) else { return nil }
    let written = body[body.index(after: equals)...].trimmedSpaces
    guard !written.hasPrefix("{") else { return nil }
    let head = body[...equals] + " "
    if written.hasPrefix("\""), written.contains("\\"), let mend = slashes(written, of: diagnostic.keyPath) {
      return head + mend + remark
    }
    if diagnostic.allowed.hasPrefix("did you mean \""),
      let quoted = diagnostic.allowed.split(separator: "\"").dropFirst().first
    {
      return head + "\"\(quoted)\"" + remark
    }
    guard let shape = Schema.shape(of: diagnostic.keyPath), let mended = shape.mended(written) else { return nil }
    return head + mended + remark
  }

  /// Codes that backslashes of Windows have become: `"media\new.mp4"`.
  private static func slashes(_ written: String, of keyPath: String) -> String? {
    guard let parsed = (try? TOMLParser.whole(Array("a = \(written)\n".utf8)))?["a"],
      case .string(let text) = parsed.value,
      text.unicodeScalars.contains(where: { $0.value < 0x20 })
    else { return nil }
    let key = keyPath.split(separator: ".").last ?? ""
    if ["uri", "folder", "directory", "splash", "poster", "signed"].contains(key) || key.hasSuffix("_file") {
      return written.split(separator: "\\", omittingEmptySubsequences: true).joined(separator: "/")
    }
    return written.contains("'") ? nil : "'\(written.trimmingQuotes)'"
  }

  private static func renamed(_ line: String, _ diagnostic: Diagnostic) -> String? {
    let meant = diagnostic.allowed.dropFirst("did you mean ".count).dropLast()
    let key = diagnostic.keyPath.split(separator: ".").last.map(String.init) ?? ""
    guard let column = diagnostic.column, column > 0, !key.isEmpty else { return nil }
    let scalars = Array(line.unicodeScalars)
    let name = Array(key.unicodeScalars)
    guard let start = (max(0, column - 1)..<scalars.count).first(where: { scalars[$0...].starts(with: name) }) else {
      return nil
    }
    var text = String.UnicodeScalarView(scalars[..<start])
    text.append(contentsOf: meant.unicodeScalars)
    text.append(contentsOf: scalars[(start + name.count)...])
    return String(text)
  }
}
