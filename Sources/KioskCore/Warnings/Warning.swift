public import InteractionCore
public import PlaybackCore

/// The meaning of an authority's message for this board: the alert that it shows, and the alerts that it takes back.
public struct Warning: Hashable, Sendable {
  /// One way to say it; which one is shown, its times decide.
  public struct Saying: Hashable, Sendable {
    public var alert: Alert
    public var severity: WarningSeverity
  }

  public var reference: CAPMessage.Reference
  public var isTest: Bool
  /// In the order of the message; empty where nothing is shown of it.
  public var sayings: [Saying] = []
  /// The messages that it replaces or takes back.
  public var ends: [CAPMessage.Reference] = []
  public var ending = AlertMachine.Ending.replaced

  /// The id of the alert that shows a message: no command can name it.
  static func id(of identifier: String) -> String { "cap:" + identifier }
  static func identifier(of id: String) -> String { String(id.dropFirst(4)) }

  /// A warning without an end stays this long: the longest stay of an alert by command, for the same reason. An
  /// authority that means longer says so, or sends it again.
  static let usualStay = Alert.longestStay

  /// The saying that is shown at a moment: the first in force, else the first that will be.
  func saying(at utc: Int64) -> Saying? {
    let open = sayings.filter { $0.alert.until ?? 0 > utc }
    return open.first { $0.alert.from ?? 0 <= utc } ?? open.first
  }

  /// Nil for a message that has no effect here: an exercise, a draft, one between systems, a test that isn't wished
  /// for, one that isn't for everybody, an acknowledgement.
  ///
  /// - Parameter language: of the screens.
  public init?(_ message: CAPMessage, wish: WarningWish, language: LanguageTag) {
    guard !message.identifier.isEmpty, wish.accepts(message), message.status != nil else { return nil }
    reference = message.reference
    isTest = message.status == .test
    switch message.kind {
    case .update: ends = message.references
    case .cancel:
      ends = message.references
      ending = .takenBack
      return
    case .alert, .ack, .error, nil: break
    }
    let infos = message.infos.filter { wish.wants($0) }
    // Those of one language are one sequence, in which the first has precedence.
    let languages = infos.map(\.language)
    let tags = languages.compactMap { LanguageTag($0) }
    let chosen = language.closest(among: tags)
    for info in infos where chosen.map({ LanguageTag(info.language) == $0 }) ?? (info.language == languages.first) {
      guard let from = info.effective ?? message.sent else { continue }
      let text = WarningText.text(of: info)
      guard !text.isEmpty else { continue }
      var alert = Alert(
        id: Self.id(of: message.identifier), text: text, until: info.expires ?? from + Self.usualStay)
      alert.from = from
      alert.isTest = isTest
      alert.isWarning = true
      sayings.append(Saying(alert: alert, severity: info.severity ?? .minor))
    }
  }
}

extension WarningWish {
  /// The meaning of an index's entry before its message is read.
  enum Relevance {
    case none
    /// Nothing of it is shown, but it may replace or take back what is.
    case replacing
    case wanted
  }

  /// Whether a message may have any effect, as far as its status, its scope and its kind are known.
  func accepts(_ message: CAPMessage) -> Bool {
    guard message.isPublic, message.kind != .ack, message.kind != .error else { return false }
    switch message.status {
    case .actual, nil: return true
    case .test: return showsTests
    case .exercise, .system, .draft: return false
    }
  }

  func wants(_ info: CAPMessage.Info) -> Bool {
    guard !info.isPast, info.severity ?? .minor >= leastSeverity else { return false }
    // A message without areas isn't limited to any.
    return isForAnywhere || info.areas.isEmpty || info.areas.contains { includes($0) }
  }

  private func includes(_ area: CAPMessage.Area) -> Bool {
    if !area.codes.isDisjoint(with: areas) { return true }
    guard let place else { return false }
    return area.polygons.contains { $0.contains(place) } || area.circles.contains { $0.contains(place) }
  }

  /// Judges a message by the parts that an index has of it: what isn't there rules nothing out.
  func relevance(of message: CAPMessage, at utc: Int64) -> Relevance {
    guard accepts(message) else { return .none }
    let isReplacing = message.kind == .update || message.kind == .cancel
    guard message.kind != .cancel, !message.infos.contains(where: { rulesOut($0, at: utc) }) else {
      return isReplacing ? .replacing : .none
    }
    return .wanted
  }

  private func rulesOut(_ info: CAPMessage.Info, at utc: Int64) -> Bool {
    if info.isPast || info.expires ?? .max <= utc || info.severity.map({ $0 < leastSeverity }) ?? false { return true }
    guard !isForAnywhere, !info.areas.isEmpty, !info.areas.contains(where: { includes($0) }) else { return false }
    // Only lists and shapes that both sides have can be compared.
    let lists = Set(info.areas.flatMap { $0.codes.map(\.list) })
    let hasShapes = info.areas.contains { !$0.polygons.isEmpty || !$0.circles.isEmpty }
    return areas.allSatisfy { lists.contains($0.list) } && (place == nil || hasShapes)
  }
}

/// The sentence that a screen shows of a message.
enum WarningText {
  private static let longest = CommandLimits.alertCharacters
  /// The most characters before the instruction, where both don't fit: the standard keeps headlines to that length.
  private static let longestHeadline = 160
  /// Less than this of an instruction says nothing.
  private static let shortestPart = 20

  /// The headline, else the event and the beginning of its description; then the instruction, as far as it fits.
  static func text(of info: CAPMessage.Info) -> String {
    let (headline, instruction) = (plain(info.headline), plain(info.instruction))
    let parts = [plain(info.event), plain(info.description)].filter { !$0.isEmpty }
    let first = headline.isEmpty ? parts.joined(separator: ": ") : headline
    guard !first.isEmpty, !instruction.isEmpty else { return cut(first.isEmpty ? instruction : first, to: longest) }
    let whole = joined(first, instruction)
    if whole.unicodeScalars.count <= longest { return whole }
    let beginning = cut(first, to: longestHeadline)
    let room = longest - joined(beginning, "").unicodeScalars.count
    return room < shortestPart ? cut(first, to: longest) : joined(beginning, cut(instruction, to: room))
  }

  /// With a full stop between them, where the first has no end of its own.
  private static func joined(_ first: String, _ second: String) -> String {
    first + (first.last.map { $0.isLetter || $0.isNumber } ?? false ? ". " : " ") + second
  }

  /// On one line, without characters that can't be seen.
  private static func plain(_ text: String?) -> String {
    var result = String.UnicodeScalarView()
    for scalar in (text ?? "").unicodeScalars {
      if scalar.properties.isWhitespace || PlainText.isActive(scalar) {
        if let last = result.last, last != " " { result.append(" ") }
      } else {
        result.append(scalar)
      }
    }
    if result.last == " " { result.removeLast() }
    return String(result)
  }

  /// Cut between two words, with a mark.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.unicodeScalars.count > limit else { return text }
    let beginning = text.unicodeScalars.prefix(limit - 1)
    // A language without blanks is cut anywhere.
    let end = beginning.lastIndex(of: " ").flatMap { beginning[..<$0].count * 2 > limit ? $0 : nil }
    return String(String.UnicodeScalarView(beginning[..<(end ?? beginning.endIndex)])) + "\u{2026}"
  }
}
