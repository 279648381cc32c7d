public import InteractionCore
internal import PlaybackCore

// `[warnings]`: its settings, its keys and their check.

/// `[warnings]`
public struct WarningTable: Hashable, Sendable {
  /// The address of the feed; nil for none.
  public var feed: String?
  public var areas: [WarningArea] = []
  public var place: GeoPlace?
  public var severity = WarningSeverity.severe
  public var showsTests = false
  public var interval = Duration.seconds(60)

  public init() {}

  /// Which warnings of the feed are shown.
  public var wish: WarningWish {
    var wish = WarningWish()
    wish.areas = Set(areas)
    wish.place = place
    wish.leastSeverity = severity
    wish.showsTests = showsTests
    return wish
  }
}

enum WarningSchema {
  /// The table, for the root.
  static let root: [TableDescription<Configuration>.Field] = [
    .table(
      "warnings", table, \.warnings,
      "Warnings of authorities, shown as alerts: docs/show-control.md."
    ).takesEffect(.atOnce)
  ]

  private static let table = TableDescription<WarningTable>([
    .optional(
      "feed", .secureAddress, \.feed, example: "\"https://feeds.example.org/warnings.atom\"",
      "The address of a feed in CAP 1.2 (Common Alerting Protocol): an Atom index, or a single message. https, or http "
        + "from this board itself. Without it, no warnings."),
    .value(
      "areas", areas, \.areas, default: WarningTable(), example: "[\"EMMA_ID=DE413\", \"SAME=006037\"]",
      "The areas whose warnings are shown, by the names and codes of the feed. Without it and without place, all."),
    .optional(
      "place", place, \.place, example: "[52.52, 13.4]",
      "The board's latitude and longitude in degrees: warnings whose polygon or circle it is in are shown too."),
    .value(
      "severity", .word, \.severity, default: WarningTable(),
      "The least severity that is shown; minor shows those that aren't rated, too."),
    .value(
      "tests", .boolean, \.showsTests, default: WarningTable(),
      "Whether tests of the authority are shown, as tests. Exercises never are."),
    .value(
      "interval", .seconds(in: seconds), \.interval, default: WarningTable(), "How often the feed is asked, in seconds."
    ),
  ])

  /// Seconds between two questions: publishers ask for no less than half a minute; after an hour most warnings of
  /// storms are over.
  private static let seconds = 30.0...3600.0

  private static var areas: ValueRule<[WarningArea]> {
    .list(
      allowed: "areas such as [\"EMMA_ID=DE413\"] are allowed, each a name and a code", pattern: "^[^= ]+=[^ ]+$",
      fault: "is not an area", read: { WarningArea($0) }, spell: \.description)
  }

  private static var place: ValueRule<GeoPlace> {
    let allowed = "a latitude from -90 to 90 and a longitude from -180 to 180 are allowed, such as [52.52, 13.4]"
    let shape = ValueShape.list(of: .number(-180...180), count: 2...2)
    return ValueRule(allowed: allowed, shape: shape) { (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      let numbers = elements.compactMap { element -> Double? in
        switch element.value {
        case .float(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
      }
      guard numbers.count == 2, elements.count == 2,
        let place = GeoPlace(latitude: numbers[0], longitude: numbers[1])
      else { throw Refusal("is not a place") }
      return place
    } spell: {
      "[\($0.latitude), \($0.longitude)]"
    }
  }
}

extension ConfigurationChecks {
  func checkWarnings(reporting diagnostics: inout [Diagnostic]) {
    guard configuration.warnings.feed == nil, let table = merged["warnings"] else { return }
    let context = context.inner("warnings")
    // One that was refused has been reported.
    guard !diagnostics.contains(where: { $0.keyPath.hasPrefix("[warnings].feed") }) else { return }
    diagnostics.append(
      context.diagnostic(
        "feed", at: table.keyPosition ?? table.position, message: "missing, so there are no warnings",
        allowed: "name the address of a feed", severity: .warning))
  }
}
