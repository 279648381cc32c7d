public import PlaybackCore

// `[[cue]]`: its keys, and the checks of keys against each other.

/// `[[cue]]`
public struct CueTable: Hashable, Sendable {
  public var cue = Cue()
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}

extension Schema {
  static let cue = TableDescription<CueTable>([
    .value(
      "on", .word, \.cue.moment, example: "\"time\"",
      "The moment: time is the first frame at or after `at`; item-started and item-ended go with the first frame of the "
        + "item and of the one after it; healthy, attention and trouble are the health in the status, once it has held for "
        + "five seconds."
    ).required,
    .optional(
      "at", .seconds(in: ConfigurationLimits.mediumSeconds), \.cue.at, example: "62.5",
      "With on = \"time\": the time in the medium, in seconds."),
    .optional(
      "send", .cueAddress, \.cue.address, example: "\"osc://192.168.1.20:53000/cue/5/start\"",
      "Where the message goes, and by which protocol. OSC and UDP are datagrams, http is a POST, mqtt goes by the broker "
        + "of [telemetry], gpio is a pulse on a line of the board, serial is a line of RS-232: its speed and frame need "
        + "to stand only once, here or in [[input.serial]]."
    ).required,
    .value(
      "text", .cueText, \.cue.text, default: CueTable(), example: "\"LIGHTS 50\\r\\n\"",
      "What is sent by udp, tcp, serial, http and mqtt, as it stands here: \\r and \\n between double quotes end a line."
    ),
    .value(
      "arguments", .cueArguments, \.cue.arguments, default: CueTable(), example: "[1, 0.5, \"text\"]",
      "The arguments of an OSC message: whole numbers, numbers with a point (32 bits), texts, true and false."),
    .value(
      "pulse", .seconds(in: ConfigurationLimits.pulseSeconds), \.cue.pulse, default: CueTable(),
      "For how many seconds a GPIO line is active."),
    .value(
      "active_low", .boolean, \.cue.isActiveLow, default: CueTable(),
      "Whether a GPIO line is low while it is active, and high at rest, as many relay boards want it."),
    .optional(
      "playlist", .playlistName, \.cue.playlist, example: "\"films\"",
      "The playlist whose items are meant. Without it, each item that plays."),
    .optional(
      "item", .integer(in: 1...Int64(ConfigurationLimits.items)), \.cue.item, example: "2",
      "Which item of that playlist, from 1, as `clip` counts them. Without it, each of them."),
    .optional(
      "screen", .bareName("the name of a screen is allowed"), \.cue.screen, example: "\"window\"",
      "The screen, by its name in [[screen]]. Without it, each screen."),
  ])
}

extension ValueRule where Value == CueAddress {
  static var cueAddress: Self {
    ValueRule(
      allowed: "one of \(CueAddress.allowed) is allowed",
      shape: .text(pattern: "^(osc|udp|tcp|https?)://.+$|^mqtt:[^/].*$|^gpio:.+$|^serial:/dev/.+$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard text.utf8.count <= ConfigurationLimits.addressCharacters else { throw Refusal("is too long") }
      guard let address = CueAddress(text) else { throw Refusal("is not an address for a cue") }
      return address
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension ValueRule where Value == String {
  /// A text that is sent as it is: ends of lines belong to it.
  static var cueText: Self {
    let limit = ConfigurationLimits.cueCharacters
    return ValueRule(allowed: "a text in quotes is allowed", shape: .text(pattern: nil)) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard text.unicodeScalars.count <= limit else {
        throw Refusal("is too long", allowed: "at most \(limit) characters are allowed")
      }
      return text
    } spell: {
      TOMLText.quoted($0)
    }
  }
}

extension ValueRule where Value == [CueArgument] {
  static var cueArguments: Self {
    let shape = ValueShape.list(of: .scalar, count: 0...ConfigurationLimits.words)
    return ValueRule(allowed: "a list such as [1, 0.5, \"text\", true] is allowed", shape: shape) {
      (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard elements.count <= ConfigurationLimits.words else {
        throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) arguments are allowed")
      }
      var arguments: [CueArgument] = []
      for element in elements { arguments.append(try CueArgument(element)) }
      return arguments
    } spell: {
      "[" + $0.map(\.spelled).joined(separator: ", ") + "]"
    }
  }
}

extension CueArgument {
  fileprivate init(_ node: TOMLNode) throws(Refusal) {
    switch node.value {
    case .integer(let number): self = .whole(number)
    case .float(let number) where Float(number).isFinite: self = .number(number)
    case .string(let text) where !text.utf8.contains(0) && text.utf8.count <= ConfigurationLimits.nameCharacters:
      self = .text(text)
    case .boolean(let value): self = .truth(value)
    default: throw Refusal("has \(TOMLText.spelled(node)) in it, which is no argument")
    }
  }

  fileprivate var spelled: String {
    switch self {
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .text(let text): TOMLText.quoted(text)
    case .truth(let value): "\(value)"
    }
  }
}

extension ConfigurationChecks {
  func checkCues(reporting diagnostics: inout [Diagnostic]) {
    for (index, table) in configuration.cues.enumerated() {
      let (cue, context) = (table.cue, context.inner("cue").element(index + 1))
      func report(_ key: String, _ message: String, _ allowed: String) {
        // A key that was refused has been reported already.
        let path = context.keyPath(key)
        guard !diagnostics.contains(where: { $0.keyPath == path }) else { return }
        diagnostics.append(context.diagnostic(key, at: table.position, message: message, allowed: allowed))
      }
      if (cue.at == nil) == (cue.moment == .time) {
        if cue.moment == .time {
          report("at", "missing", "the time in the item, in seconds, such as at = 62.5")
        } else {
          report("at", "has no effect", "only on = \"time\" has a time")
        }
      }
      if !cue.moment.isOfItem, cue.playlist != nil || cue.item != nil {
        let key = cue.playlist == nil ? "item" : "playlist"
        report(key, "has no effect", "\(cue.moment.rawValue) belongs to no item")
      } else if cue.item != nil, cue.playlist == nil {
        report("item", "is of no playlist", "name its playlist beside it")
      }
      if let name = cue.playlist {
        checkPlaylist(name, key: "playlist", at: table.position, in: context, reporting: &diagnostics)
      }
      if cue.moment.isOfHealth, cue.screen != nil {
        report("screen", "has no effect", "\(cue.moment.rawValue) is the health of the whole player")
      } else if let name = cue.screen, !configuration.screens.contains(where: { $0.name == name }) {
        let names = configuration.screens.map(\.name)
        let meant = Suggestion.nearest(to: name, among: names).map { "did you mean \($0)?" }
        report(
          "screen", "there is no screen of that name",
          meant ?? (names.isEmpty ? "there is no [[screen]]" : "there are: \(names.joined(separator: ", "))"))
      }
      checkMessage(of: cue, report)
      let others = configuration.cues[..<index].map(\.cue)
      if case .gpio? = cue.address,
        others.contains(where: { $0.address == cue.address && $0.isActiveLow != cue.isActiveLow })
      {
        report("active_low", "differs from an earlier cue of this line", "a line has one level at rest")
      }
    }
  }

  private func checkMessage(of cue: Cue, _ report: (_ key: String, _ message: String, _ allowed: String) -> Void) {
    if case .gpio? = cue.address {
      if !cue.text.isEmpty { report("text", "has no effect", "a GPIO line has a pulse") }
    } else {
      let only = "only gpio has a pulse"
      if cue.pulse != Cue().pulse { report("pulse", "has no effect", only) }
      if cue.isActiveLow { report("active_low", "has no effect", only) }
    }
    switch cue.address {
    case nil: return
    case .osc:
      if !cue.text.isEmpty { report("text", "has no effect", "a text is an argument: arguments = [\"...\"]") }
      return
    case .serial:
      if cue.text.isEmpty { report("text", "missing", "the text that is sent, such as text = \"PWR ON\\r\"") }
      if let others = otherSettings(of: cue) {
        report(
          "send", "differs from the line's other settings", "\(others) is what [[input.serial]] or a cue before says")
      }
    case .udp, .tcp:
      if cue.text.isEmpty { report("text", "missing", "the text that is sent, such as text = \"LIGHTS 50\\r\\n\"") }
    case .http, .gpio: break
    case .mqtt:
      if !configuration.telemetry.isEnabled || configuration.telemetry.mqtt == nil {
        report("send", "there is no broker", "set mqtt in [telemetry]")
      }
    }
    if !cue.arguments.isEmpty { report("arguments", "has no effect", "only osc has arguments; use text") }
  }
}
