internal import PlaybackCore

/// Lays out a checkup for people at a terminal: a blank line between groups, and the texts of all lines in one column.
public struct CheckupText: Hashable, Sendable {
  /// The terminal's width in columns.
  public var width: Int
  public var isColoured: Bool

  public init(width: Int = 80, isColoured: Bool = false) {
    // A narrower page can't hold the words, a wider one is hard to read.
    self.width = min(max(width, 30), 120)
    self.isColoured = isColoured
  }

  /// Below this width the finding has lines of its own.
  private static let narrow = 60
  /// The width of the longest verdict, `problem  `.
  private static let verdictWidth = 9

  public func text(_ checkup: Checkup) -> String {
    var lines: [String] = []
    let topicWidth = (checkup.lines.map(\.topic.count).max() ?? 0) + 2
    for group in Checkup.Group.allCases {
      let own = checkup.lines.filter { $0.group == group }
      guard !own.isEmpty else { continue }
      if !lines.isEmpty { lines.append("") }
      lines.append(group.title)
      for line in own { lines += laid(line, topicWidth) }
    }
    lines += ["", summary(checkup)]
    return lines.map { $0 + "\n" }.joined()
  }

  private func summary(_ checkup: Checkup) -> String {
    func counted(_ verdict: Checkup.Verdict, _ word: String) -> String? {
      let count = checkup.count(verdict)
      return count == 0 ? nil : "\(count) \(word)\(count == 1 || verdict == .ok ? "" : "s")"
    }
    return [counted(.problem, "problem"), counted(.warning, "warning"), counted(.ok, "ok")].compactMap { $0 }
      .joined(separator: ", ")
  }

  private func laid(_ line: Checkup.Line, _ topicWidth: Int) -> [String] {
    // Findings contain names of files and devices, which may have control characters.
    var line = line
    line.topic = PlainText.shown(line.topic)
    line.finding = PlainText.shown(line.finding)
    line.remedy = PlainText.shown(line.remedy)
    line.command = PlainText.shown(line.command)
    let verdict = coloured(line.verdict)
    let isNarrow = width < Self.narrow
    let indent = isNarrow ? 4 : 2 + Self.verdictWidth + topicWidth
    var lines: [String] = []
    let finding = wrapped(line.finding, indent: indent)
    if isNarrow {
      lines.append("  \(verdict)\(line.topic)")
      lines += finding
    } else {
      let head = "  \(verdict)\(Self.padded(line.topic, topicWidth))"
      lines.append(head + (finding.first?.dropFirst(indent) ?? ""))
      lines += finding.dropFirst()
    }
    if !line.remedy.isEmpty { lines += wrapped("-> " + line.remedy, indent: indent, more: 3) }
    if !line.command.isEmpty {
      // A command isn't wrapped, so that it can be copied into a shell. A long one begins farther to the left.
      let command = "$ " + line.command
      lines.append(String(repeating: " ", count: indent + command.count <= width ? indent : 4) + command)
    }
    return lines
  }

  /// Breaks a text at blanks; a word that is longer than a line stays whole.
  ///
  /// - Parameter more: the additional indentation of every line but the first.
  private func wrapped(_ text: String, indent: Int, more: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let room = width - indent - (lines.isEmpty ? 0 : more)
      if !line.isEmpty, line.count + 1 + word.count > room {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    lines.append(line)
    return lines.enumerated().map { String(repeating: " ", count: indent + ($0 == 0 ? 0 : more)) + $1 }
  }

  private func coloured(_ verdict: Checkup.Verdict) -> String {
    let word = Self.padded(verdict.rawValue, Self.verdictWidth)
    guard isColoured else { return word }
    // The colours come from the terminal's own palette, which its owner can read: green, yellow, red and bold.
    let code =
      switch verdict {
      case .ok: "32"
      case .warning: "33"
      case .problem: "1;31"
      }
    return "\u{1B}[\(code)m\(word)\u{1B}[0m"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

extension Checkup {
  /// The text for a page of 80 columns.
  public var text: String { CheckupText().text(self) }
}

extension Checkup.Group {
  /// The group's title for people.
  public var title: String {
    switch self {
    case .board: "Board"
    case .screen: "Screen"
    case .decoding: "Decoding"
    case .input: "Input"
    case .sound: "Sound"
    case .content: "What plays"
    case .network: "Network and time"
    case .storage: "Storage"
    case .power: "Power and heat"
    case .service: "Service"
    case .history: "What has happened"
    }
  }
}
