import PlaybackCore

extension DisplayInventory {
  /// For a person at a terminal.
  public var text: String {
    var lines: [String] = []
    if cards.isEmpty { lines.append("No graphics card that can drive a screen.") }
    for card in cards { lines += card.lines }
    if let choice {
      lines.append("Chosen (*): \(choice.card) \(choice.connector) \(choice.mode)")
      lines += (choice.reasons + choice.notes).map { "  \($0)" }
    }
    if isPlaying {
      let holders = cards.first(where: \.isChosen)?.holders ?? []
      lines.append("Vitrine shows something there now: \(holders.joined(separator: ", "))")
    } else if let problem {
      lines.append("Nothing can be shown now: \(problem.text)")
    }
    if let decoders {
      lines.append("Decoders\(video == nil ? "" : ", and what becomes of a film of 1920x1080"):")
      lines += decoders.map { "  \($0.text)" }
    }
    if let board {
      lines.append("Board: \(board.profiles.joined(separator: ", "))")
      lines += board.lines
      if !board.bootSettings.isEmpty { lines.append("  recommended boot settings:") }
      lines += board.bootSettings.map { "    \($0)" }
    }
    lines.append("Not yet proven on hardware: docs/board-checklist.md, and not_yet_proven of --json.")
    return lines.map { PlainText.shown($0) + "\n" }.joined()
  }
}

extension DisplayInventory.BoardEntry {
  /// The settings that the profile changes.
  fileprivate var lines: [String] {
    var lines: [String] = []
    if let planeScales { lines.append("  the video plane \(planeScales ? "scales" : "doesn't scale")") }
    if decoderMemory == "copy" { lines.append("  frames are copied out of the decoder's memory") }
    if decodesOneStream { lines.append("  the decoder takes one stream: a film is opened when the one before is over") }
    if !avoidedDecoders.isEmpty { lines.append("  not used here: \(avoidedDecoders.joined(separator: ", "))") }
    if !forbiddenSeeks.isEmpty {
      let decoders = forbiddenSeekDecoders.map { " with \($0.joined(separator: ", "))" } ?? ""
      lines.append("  no \(forbiddenSeeks.joined(separator: ", ")) seeks\(decoders)")
    }
    return lines
  }
}

extension DisplayInventory.CardEntry {
  /// How many modes are worth a line by themselves.
  private static let shownModes = 8
  private static let shownFormats = 10

  fileprivate var lines: [String] {
    var names = [driver, device].filter { !$0.isEmpty }
    // A virtual device is named like its driver.
    if names.count == 2, names[0] == names[1] { names.removeLast() }
    let held = holders.isEmpty ? state : "\(state) by \(holders.joined(separator: ", "))"
    var lines = [
      "\(isChosen ? "*" : " ") \(path)\(names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"): \(held)"
    ]
    if let problem { lines.append("    \(problem)") }
    for connector in connectors { lines += Self.lines(connector) }
    for plane in planes { lines.append(Self.line(plane)) }
    return lines + [""]
  }

  private static func lines(_ connector: DisplayInventory.ConnectorEntry) -> [String] {
    var facts = [connector.status]
    if connector.isBuiltIn { facts.append("built-in panel") }
    if let screen = connector.screen { facts.append(screen) }
    if let width = connector.widthMillimetres, let height = connector.heightMillimetres {
      facts.append("\(width) x \(height) mm")
    }
    if let line = connector.cec { facts.append("CEC by \(line)") }
    if let hdr = connector.hdr { facts.append("HDR (\(hdr.map { $0.uppercased() }.joined(separator: ", ")))") }
    var lines = ["  \(connector.isChosen ? "*" : " ") \(connector.name): \(facts.joined(separator: ", "))"]
    // The chosen mode is always listed.
    let modes = connector.modes.enumerated().filter { $0.offset < shownModes || $0.element.isChosen }.map(\.element)
    guard !modes.isEmpty else { return lines }
    let listed = modes.map { "\($0.isChosen ? "*" : "")\($0.mode)\($0.isPreferred ? " (preferred)" : "")" }
    let more = connector.modes.count - modes.count
    lines.append("      modes: \(listed.joined(separator: ", "))\(more > 0 ? " and \(more) more (--json)" : "")")
    return lines
  }

  private static func line(_ plane: DisplayInventory.PlaneEntry) -> String {
    let scaling =
      switch plane.scales {
      case true?: "scales"
      case false?: "can't scale"
      case nil: "scaling not asked"
      }
    let turns = plane.rotations.map(String.init).joined(separator: "/")
    let more = plane.formats.count - shownFormats
    let formats = plane.formats.prefix(shownFormats).joined(separator: " ") + (more > 0 ? " and \(more) more" : "")
    return "  \(plane.role == nil ? " " : "*") plane \(plane.id), \(plane.type)"
      + (plane.role.map { ": \($0)" } ?? "") + "; \(scaling), turns \(turns), \(formats)"
  }
}
