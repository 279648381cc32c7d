public import InteractionCore
package import PlaybackCore

/// Decides which alerts are shown, and what of them is kept for the next run. A value without a clock.
///
/// An alert's states: shown -> gone (its end has come, it was taken back or replaced, its file has gone), or, after a
/// start, waiting (the time isn't known yet) -> shown or gone.
///
/// The rule above all others: an alert whose end has come isn't shown again. The clock decides on that where it is set,
/// and the clock that can't be set while the machine runs; an alert of an earlier start of the machine waits until the clock
/// is set.
public struct AlertMachine: Sendable {
  /// The readings of the clocks with an event.
  public struct Moment: Sendable {
    public var clock: ScheduleClock
    public var sinceBoot: BootTime
    /// The zone of times of day.
    public var zone: TimeZoneRules

    public init(_ clock: ScheduleClock, sinceBoot: BootTime, zone: TimeZoneRules) {
      self.clock = clock
      self.sinceBoot = sinceBoot
      self.zone = zone
    }
  }

  public enum Event: Hashable, Sendable {
    /// A command asks for an alert on a screen; nil means all of them.
    case requested(AlertRequest, screen: String?)
    /// A command takes an alert back.
    case takenBack(String)
    /// The file of the previous run was read.
    case restored([Alert])
    /// The configuration has these alerts now.
    case configured([Alert])
    /// The feed has these warnings now, the most important first; with the reasons why others have gone from it.
    case warned([Alert], [String: Ending])
    /// A deadline has come, or the clock was set.
    case looked
  }

  public enum Ending: String, Hashable, Sendable {
    case expired
    case takenBack = "taken-back"
    case replaced
    /// The configuration or the feed doesn't have it any more.
    case removed
  }

  public enum Action: Hashable, Sendable {
    /// The newest first.
    case show([Alert])
    case keep([Alert])
    case tellShown(Alert)
    case tellEnded(Alert, Ending)
    case lookAgain(after: Duration)
    /// The command has no effect.
    case refuse(KioskRefusal)
  }

  /// More sentences than this aren't read, and don't fit on a screen. Those of the configuration have a limit of their
  /// own, of the same number.
  public static let mostAlerts = 5
  /// Warnings: as many of those that are in force, and as many that aren't yet. Only the first `mostAlerts` are shown.
  public static let mostWarnings = 2 * mostAlerts
  /// A time of day that was so shortly ago means today: somebody was slow, and doesn't mean tomorrow.
  static let lateness: Int64 = 3600
  /// The longest time between two looks: the kernel says when the clock was set, and this is for other changes.
  static let longestWait: Duration = .seconds(60)
  /// While an alert waits for the clock. A clock that is nearly right is set without a jump.
  static let clockWait: Duration = .seconds(10)

  /// By commands, the newest first.
  public private(set) var kept: [Alert] = []
  private var configured: [Alert] = []
  /// Of a feed, the most important first.
  public private(set) var warnings: [Alert] = []
  /// The shown ones: those by commands, the newest first, then warnings, then those of the configuration.
  public private(set) var shown: [Alert] = []

  public init() {}

  public mutating func handle(_ event: Event, at moment: Moment) -> [Action] {
    #if DEBUG
      defer { invariants.enforce(after: event) }
    #endif
    let before = kept + warnings
    var actions: [Action] = []
    var reasons: [String: Ending] = [:]
    switch event {
    case .requested(let request, let screen):
      switch alert(for: request, on: screen, at: moment) {
      case .failure(let refusal): actions.append(.refuse(refusal))
      // Sent again, as a broker does at each connection.
      case .success(let alert) where kept.contains(where: { $0.isSame(as: alert) }): break
      case .success(let alert):
        kept.removeAll { $0.id == alert.id }
        kept.insert(alert, at: 0)
        reasons[alert.id] = .replaced
      }
    case .takenBack(let id):
      if kept.contains(where: { $0.id == id }) {
        kept.removeAll { $0.id == id }
        reasons[id] = .takenBack
      } else {
        actions.append(.refuse(configured.contains { $0.id == id } ? .alertOfConfiguration : .noSuchAlert))
      }
    case .restored(let alerts): (kept, warnings) = (alerts.filter { !$0.isWarning }, alerts.filter(\.isWarning))
    case .configured(let alerts): configured = alerts
    case .warned(let alerts, let endings):
      warnings = alerts.prefix(Self.mostWarnings).map { warning($0, at: moment) }
      reasons = endings
      // Another saying of the same message.
      for alert in warnings { reasons[alert.id] = reasons[alert.id] ?? .replaced }
    case .looked: break
    }
    kept.removeAll { $0.isOver(at: moment) }
    warnings.removeAll { $0.isOver(at: moment) }
    let written = if case .restored(let alerts) = event { alerts } else { before }
    if kept + warnings != written { actions.append(.keep(kept + warnings)) }
    return actions + follow(reasons, at: moment)
  }

  /// A warning with its end by the clock that can't be set: of the same warning, that of its first reading.
  private func warning(_ new: Alert, at moment: Moment) -> Alert {
    if let same = warnings.first(where: { $0.id == new.id && $0.isSame(as: new) }) { return same }
    var stay = Alert.longestStay
    if case .utc(let now) = moment.clock, let until = new.until { stay = max(0, until - now) }
    var warning = new
    warning.limit = moment.sinceBoot.adding(stay)
    return warning
  }

  /// Shows what is due now, and tells the differences.
  private mutating func follow(_ reasons: [String: Ending], at moment: Moment) -> [Action] {
    func due(_ alerts: [Alert]) -> [Alert] { alerts.filter { $0.isDue(at: moment) } }
    let due = due(kept) + due(warnings).prefix(Self.mostAlerts) + due(configured)
    var actions: [Action] = []
    if due != shown {
      actions.append(.show(due))
      for alert in shown where !due.contains(alert) {
        let isOfFile = alert.isConfigured || alert.isWarning
        let ending: Ending = alert.isOver(at: moment) || !isOfFile ? .expired : .removed
        actions.append(.tellEnded(alert, (alert.isConfigured ? nil : reasons[alert.id]) ?? ending))
      }
      for alert in due where !shown.contains(alert) { actions.append(.tellShown(alert)) }
      shown = due
    }
    return actions + (wait(at: moment).map { [.lookAgain(after: $0)] } ?? [])
  }

  /// The time until the next look; nil without alerts.
  private func wait(at moment: Moment) -> Duration? {
    let all = (kept + warnings + configured).filter { !$0.isOver(at: moment) }
    guard !all.isEmpty else { return nil }
    let waits = all.map { alert in alert.secondsLeft(at: moment).map { .seconds($0) } ?? Self.clockWait }
    return min(waits.min() ?? Self.longestWait, Self.longestWait)
  }

  // MARK: A new alert

  private func alert(
    for request: AlertRequest, on screen: String?, at moment: Moment
  ) -> Result<Alert, KioskRefusal> {
    guard kept.count < Self.mostAlerts || kept.contains(where: { $0.id == request.id }) else {
      return .failure(.tooManyAlerts)
    }
    let now: Int64? = if case .utc(let now) = moment.clock { now } else { nil }
    var alert = Alert(id: request.id, text: request.text, until: nil)
    alert.screen = screen
    (alert.isInstead, alert.isTest, alert.playlist) = (request.isInstead, request.isTest, request.playlist)
    var stay = Alert.longestStay
    if case .after(let span) = request.until {
      alert.isSpan = true
      stay = Int64(span.inSeconds.rounded(.up))
      alert.until = now.map { $0 + stay }
    } else {
      guard let now else { return .failure(.clockNotSet) }
      guard let until = Self.end(request.until, after: now, in: moment.zone), until > now else {
        return .failure(.timeIsOver)
      }
      guard until - now <= Alert.longestStay else { return .failure(.timeTooFar) }
      alert.until = until
    }
    alert.limit = moment.sinceBoot.adding(stay)
    return .success(alert)
  }

  /// - Returns: seconds since 1970; nil for a time of day that was a little while ago.
  private static func end(_ end: AlertEnd, after now: Int64, in zone: TimeZoneRules) -> Int64? {
    switch end {
    case .after(let span): return now + Int64(span.inSeconds.rounded(.up))
    case .utc, .civil: return end.utc(in: zone)
    case .timeOfDay(let time):
      let today = zone.civilTime(at: now).date.dayNumber
      let moments = (today - 1...today + 2).map { day in
        // 24:00 is the next day's midnight.
        let days = time.seconds / TimeOfDay.secondsOfDay
        let clock = TimeOfDay(seconds: time.seconds % TimeOfDay.secondsOfDay) ?? .midnight
        return zone.firstInstant(of: CivilTime(CivilDate(dayNumber: day + days), clock))
      }
      guard !moments.contains(where: { $0 <= now && now - $0 < lateness }) else { return nil }
      return moments.first { $0 > now }
    }
  }
}

extension AlertMachine {
  /// The conditions that hold between two events. Debug builds check them after each event.
  package var invariants: Invariants {
    var all = Invariants()
    all.check("No more alerts are kept than allowed", kept.count <= Self.mostAlerts)
    all.check("Each kept alert has an id of its own", Set(kept.map(\.id)).count == kept.count)
    all.check("Each kept alert ends by the clock that can't be set", kept.allSatisfy { $0.limit != nil })
    let known = kept + warnings + configured
    all.check("What is shown is kept, of the feed or configured", shown.allSatisfy { known.contains($0) })
    all.check("No more warnings are kept than allowed", warnings.count <= Self.mostWarnings)
    all.check("Each warning ends by both clocks", warnings.allSatisfy { $0.limit != nil && $0.until != nil })
    return all
  }
}
