internal import InteractionCore
internal import JSONText
internal import PlaybackCore

/// A moment since the machine was started, on the clock that can't be set (CLOCK_BOOTTIME).
public struct BootTime: Hashable, Sendable {
  /// Names the start of the machine.
  public var boot: String
  public var seconds: Int64

  public init(boot: String, seconds: Int64) {
    self.boot = boot
    self.seconds = seconds
  }

  func adding(_ more: Int64) -> BootTime { BootTime(boot: boot, seconds: seconds + more) }
}

/// A sentence above all else on the screens, and its end.
public struct Alert: Hashable, Sendable {
  public var id: String
  public var text: String
  /// Name of the screen that it is for; nil for all of them.
  public var screen: String?
  /// Whether it covers the whole screen.
  public var isInstead = false
  /// Whether the screen says that it is a test.
  public var isTest = false
  /// The playlist that plays while it is shown, in place of what else would; nil changes nothing of that.
  public var playlist: String?
  /// Its end in seconds since 1970-01-01 00:00 UTC; nil where the clock wasn't set when it came, and it ends with its
  /// span.
  public var until: Int64?
  /// Its end by the clock that can't be set: that of its span, else the longest stay. Nil for a configured alert.
  public var limit: BootTime?
  /// Whether it was asked for by a span: while the machine runs, setting the clock doesn't change its end.
  public var isSpan = false
  /// Whether it stands in the configuration, and goes with it.
  public var isConfigured = false
  /// Whether it is a warning of an authority, and goes with its feed.
  public var isWarning = false
  /// Its begin, in seconds since 1970-01-01 00:00 UTC; nil for one that begins when it comes.
  public var from: Int64?

  public init(id: String, text: String, until: Int64?) {
    self.id = id
    self.text = text
    self.until = until
  }

  /// The longest stay of an alert that a command asks for, in seconds.
  public static let longestStay = CommandLimits.alertSpan.components.seconds

  /// Whether both say the same until the same moment.
  func isSame(as other: Alert) -> Bool {
    var same = other
    same.limit = limit
    return self == same && !isSpan
  }

  /// Whether its end has come.
  func isOver(at moment: AlertMachine.Moment) -> Bool {
    let now: Int64? = if case .utc(let now) = moment.clock { now } else { nil }
    guard let limit, limit.boot == moment.sinceBoot.boot else {
      // Without a date it can't be known how long the machine was off.
      guard let until else { return true }
      return now.map { $0 >= until } ?? false
    }
    if limit.seconds <= moment.sinceBoot.seconds { return true }
    guard !isSpan, let until, let now else { return false }
    return now >= until
  }

  /// Whether it is to be shown. With doubt about the time it isn't: an alert that is over must not come back.
  func isDue(at moment: AlertMachine.Moment) -> Bool {
    guard !isOver(at: moment), hasBegun(at: moment) else { return false }
    // Since it came, the machine has run: its limit holds whatever the clock says.
    if let limit, limit.boot == moment.sinceBoot.boot { return true }
    guard case .utc(let now) = moment.clock, let until else { return false }
    // No command asks for a later end: the clock is behind.
    return isConfigured || isWarning || until - now <= Self.longestStay
  }

  private func hasBegun(at moment: AlertMachine.Moment) -> Bool {
    guard let from else { return true }
    guard case .utc(let now) = moment.clock else { return false }
    return now >= from
  }

  /// The seconds until its begin or its end, which are at least one; nil where it waits for the clock.
  func secondsLeft(at moment: AlertMachine.Moment) -> Int64? {
    if let from, case .utc(let now) = moment.clock, now < from { return from - now }
    guard isDue(at: moment) else { return nil }
    var left: [Int64] = []
    if let limit, limit.boot == moment.sinceBoot.boot { left.append(limit.seconds - moment.sinceBoot.seconds) }
    if !isSpan || left.isEmpty, let until, case .utc(let now) = moment.clock { left.append(until - now) }
    return left.min().map { max(1, $0) }
  }
}

/// The alerts that commands have asked for, and the warnings of a feed, as one small file keeps them over a restart.
public struct KeptAlerts: Hashable, Sendable {
  public var alerts: [Alert]

  /// In bytes: the most alerts with the longest texts, each letter in the longest notation. A longer file is damaged.
  public static let longestText = 128 * 1024
  private static let version: Int64 = 1

  public init(alerts: [Alert]) { self.alerts = alerts }

  /// JSON on one line.
  public var text: String {
    func list(_ alerts: [Alert]) -> JSONValue { .array(alerts.map { .object(Self.members(of: $0)) }) }
    var members: [JSONValue.Member] = [
      .init("version", .integer(Self.version)), .init("alerts", list(alerts.filter { !$0.isWarning })),
    ]
    // An earlier version leaves them out.
    let warnings = alerts.filter(\.isWarning)
    if !warnings.isEmpty { members.append(.init("warnings", list(warnings))) }
    return JSONValue.object(members).compact + "\n"
  }

  private static func members(of alert: Alert) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("id", .string(alert.id)), .init("text", .string(alert.text)),
      .init("instead", .boolean(alert.isInstead)), .init("test", .boolean(alert.isTest)),
      .init("span", .boolean(alert.isSpan)),
    ]
    if let screen = alert.screen { members.append(.init("screen", .string(screen))) }
    if let playlist = alert.playlist { members.append(.init("playlist", .string(playlist))) }
    if let until = alert.until { members.append(.init("until", .integer(until))) }
    if let from = alert.from { members.append(.init("from", .integer(from))) }
    if let limit = alert.limit {
      members += [.init("boot", .string(limit.boot)), .init("limit", .integer(limit.seconds))]
    }
    return members
  }

  /// Nil for bytes that `text` doesn't write.
  public init?(bytes: [UInt8]) {
    guard bytes.count <= Self.longestText, let value = try? JSONValue(parsing: bytes, depth: 4),
      value["version"]?.wholeNumber == Self.version, let list = value["alerts"]?.elements,
      list.count <= AlertMachine.mostAlerts
    else { return nil }
    let warnings = value["warnings"]?.elements ?? []
    guard warnings.count <= AlertMachine.mostWarnings else { return nil }
    alerts = []
    for value in list {
      guard let alert = Self.alert(value) else { return nil }
      alerts.append(alert)
    }
    for value in warnings {
      guard var alert = Self.alert(value), alert.until != nil else { return nil }
      alert.isWarning = true
      alerts.append(alert)
    }
    guard Set(alerts.map(\.id)).count == alerts.count else { return nil }
  }

  private static func alert(_ value: JSONValue) -> Alert? {
    guard let id = value["id"]?.text, let text = value["text"]?.text,
      text.unicodeScalars.count <= CommandLimits.alertCharacters,
      let boot = value["boot"]?.text, let limit = value["limit"]?.wholeNumber
    else { return nil }
    var alert = Alert(id: id, text: text, until: value["until"]?.wholeNumber)
    alert.screen = value["screen"]?.text
    alert.playlist = value["playlist"]?.text
    alert.isInstead = value["instead"]?.truth ?? false
    alert.isTest = value["test"]?.truth ?? false
    alert.isSpan = value["span"]?.truth ?? false
    alert.from = value["from"]?.wholeNumber
    alert.limit = BootTime(boot: boot, seconds: limit)
    return alert
  }
}
