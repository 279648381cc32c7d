public import InteractionCore
internal import PlaybackCore

// `[[alert]]`: its settings, its keys, and the checks of alerts against each other.

/// `[[alert]]`
public struct AlertTable: Hashable, Sendable {
  public var id = ""
  public var text = ""
  /// A date and time; without one, as in a faulty file, there is no alert.
  public var until: AlertEnd?
  public var isInstead = false
  public var isTest = false
  public var playlist: String?
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}

extension Schema {
  static let alert = TableDescription<AlertTable>([
    .value("id", .ownName, \.id, example: "\"stairs\"", "Names it in the status and in events.").required,
    .value("text", .alertText, \.text, example: "\"Stair B is closed\"", "The sentence.").required,
    .optional(
      "until", .moment, \.until, example: "2026-12-24T18:00:00",
      "When it goes: a date and time in the schedule's time zone, or with an offset. An alert that is over isn't shown."
    ).required,
    .value(
      "instead", .boolean, \.isInstead, default: AlertTable(),
      "Whether it covers the whole screen, instead of a band above the picture."),
    .value("test", .boolean, \.isTest, default: AlertTable(), "Whether the screen says that it is a test."),
    .optional(
      "playlist", .playlistName, \.playlist, example: "\"films\"",
      "The playlist that plays while the alert is shown, in place of what else would."),
  ])
}

extension ValueRule where Value == String {
  /// The sentence of an alert.
  static var alertText: Self { text(limit: CommandLimits.alertCharacters) }
}

extension ValueRule where Value == AlertEnd {
  /// A date and time of TOML, or a text with one.
  static var moment: Self {
    ValueRule(
      allowed: "a date and time such as 2026-12-24T18:00:00 is allowed, also with Z or +01:00", shape: .moment
    ) { (node) throws(Refusal) in
      guard let text = node.value.momentText else { throw .kind(node, expected: "date and time") }
      guard let end = AlertEnd(parsing: text), end.isDate else { throw Refusal("is not a date and time") }
      return end
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension TOMLNode.Value {
  /// The text of a date and time, without fractions of a second; nil for other values.
  var momentText: String? {
    switch self {
    case .string(let text): return text
    case .temporal(let text, .localDateTime), .temporal(let text, .offsetDateTime):
      guard let point = text.firstIndex(of: ".") else { return text }
      return String(text[..<point]) + text[point...].dropFirst().drop(while: \.isNumber)
    default: return nil
    }
  }
}

extension ConfigurationChecks {
  func checkAlerts(reporting diagnostics: inout [Diagnostic]) {
    for (index, alert) in configuration.alerts.enumerated() {
      let context = context.inner("alert").element(index + 1)
      if let name = alert.playlist {
        checkPlaylist(name, key: "playlist", at: alert.position, in: context, reporting: &diagnostics)
        if alert.isInstead {
          diagnostics.append(
            context.diagnostic(
              "instead", at: alert.position, message: "would cover the playlist", allowed: "leave one of them out"))
        }
      }
      guard let other = configuration.alerts[..<index].firstIndex(where: { $0.id == alert.id && !$0.id.isEmpty }) else {
        continue
      }
      diagnostics.append(
        context.diagnostic(
          "id", at: alert.position, message: "is the id of alert \(other + 1) too", allowed: "each needs its own"))
    }
  }
}
