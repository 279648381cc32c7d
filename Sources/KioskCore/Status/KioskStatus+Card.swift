public import InteractionCore
internal import PlaybackCore

// The status card: the facts for a person at the screen.

extension KioskStatus {
  /// The card for one screen.
  public func card(for screen: Screen) -> StatusCard {
    let none = VisitorText(.none)
    let counters = screen.counters
    var rows = [
      StatusCard.Row(.playing, Self.playing(screen.playback)),
      StatusCard.Row(.screen, screen.summary.map { .detail($0) } ?? none),
      StatusCard.Row(
        .frames,
        VisitorText(
          .framesShown,
          ["shown": .number(Int(counters[.framesRendered])), "dropped": .number(Int(counters[.framesDropped]))])),
    ]
    if let configuration { rows.append(.init(.configuration, Self.line(configuration))) }
    if let store { rows.append(.init(.store, Self.line(store))) }
    if let survival { rows += Self.rows(survival) }
    rows.append(.init(.address, addresses.isEmpty ? none : .list(addresses.map { .name($0) })))
    let minutes = Int(uptimeSeconds / 60)
    rows.append(
      .init(
        .version,
        VisitorText(
          .runningFor,
          ["version": .name(version), "hours": .number(minutes / 60), "minutes": .number(minutes % 60)])))
    let title = [name, screen.name].compactMap(\.self).joined(separator: ", ")
    return StatusCard(title: title, health: .init(health(of: screen)), rows: rows)
  }

  /// The rows on crashes, quarantine and safe mode; empty when all is well.
  private static func rows(_ survival: Survival) -> [StatusCard.Row] {
    var rows: [StatusCard.Row] = []
    if survival.mode == .safe { rows.append(.init(.mode, VisitorText(.safeMode))) }
    if let crash = survival.lastCrash { rows.append(.init(.lastCrash, crash.visitorText)) }
    if !survival.quarantine.isEmpty {
      rows.append(.init(.leftOut, .list(survival.quarantine.map { .name($0.uri) })))
    }
    return rows
  }

  private static func playing(_ playback: Playback) -> VisitorText {
    guard let item = playback.item else { return VisitorText(.nothing) }
    let place = item.number.map {
      VisitorText(.place, ["number": .number($0), "count": .number(playback.itemCount)])
    }
    return .list([place, .name(item.title.isEmpty ? item.uri : item.title)].compactMap(\.self))
  }

  /// The file that was read last, which overrides the others, and what became of it.
  private static func line(_ configuration: Configuration) -> VisitorText {
    let files = configuration.files
    let others = files.count > 1 ? VisitorText(.andMore, ["count": .number(files.count - 1)]) : nil
    return .list(
      [
        files.last.map { .name($0) } ?? VisitorText(.none), others, configuration.state.text,
        configuration.reason.map { .detail($0) },
      ].compactMap(\.self))
  }

  private static func line(_ store: Store) -> VisitorText {
    var parts = [
      VisitorText(.stored, ["stored": .number(store.stored), "wanted": .number(store.wanted)]),
      VisitorText(.megabytes, ["megabytes": .number(Int(store.bytes / 1_000_000))]),
    ]
    if let fetching = store.fetching { parts.append(VisitorText(.fetching, ["item": .name(fetching)])) }
    if let problem = store.problem { parts.append(VisitorText(.errorNumber, ["number": .number(problem)])) }
    return .list(parts)
  }
}

extension CrashSummary {
  /// When, how, and with which item.
  public var visitorText: VisitorText {
    .list([.name(time), .detail(cause), item.map { .name($0) }].compactMap(\.self))
  }
}

extension ConfigurationState {
  fileprivate var text: VisitorText {
    switch self {
    case .none: VisitorText(.stateNone)
    case .candidate: VisitorText(.stateCandidate)
    case .confirmed: VisitorText(.stateConfirmed)
    case .refused: VisitorText(.stateRefused)
    case .rolledBack: VisitorText(.stateRolledBack)
    case .unconfirmed: VisitorText(.stateUnconfirmed)
    }
  }
}

extension StatusCard.Health {
  init(_ health: KioskStatus.Health) {
    switch health {
    case .healthy: self = .healthy
    case .attention: self = .attention
    case .trouble: self = .trouble
    }
  }
}
