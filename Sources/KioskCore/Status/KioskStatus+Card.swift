public import InteractionCore
internal import PlaybackCore

// The status card: what somebody wants to know who stands before a screen.

extension KioskStatus {
  /// The card for one of its screens.
  public func card(for screen: Screen) -> StatusCard {
    var rows = [
      StatusCard.Row("Playing", Self.playing(screen.playback)), StatusCard.Row("Screen", screen.summary ?? "none"),
      StatusCard.Row("Frames", "\(screen.counters.framesRendered) shown, \(screen.counters.framesDropped) dropped"),
    ]
    if let configuration { rows.append(.init("Configuration", Self.line(configuration))) }
    if let store { rows.append(.init("Store", Self.line(store))) }
    if let survival { rows += Self.rows(survival) }
    rows.append(.init("Address", addresses.isEmpty ? "none" : addresses.joined(separator: ", ")))
    let minutes = Int(uptimeSeconds / 60)
    rows.append(.init("Version", "\(version), up \(minutes / 60) h \(minutes % 60) min"))
    let title = [name, screen.name].compactMap(\.self).joined(separator: ", ")
    return StatusCard(title: title, health: .init(health(of: screen)), rows: rows)
  }

  /// Only what somebody should know of.
  private static func rows(_ survival: Survival) -> [StatusCard.Row] {
    var rows: [StatusCard.Row] = []
    if survival.mode == .safe { rows.append(.init("Mode", "safe mode: it died again and again")) }
    if let crash = survival.lastCrash {
      rows.append(
        .init("Last crash", [crash.time, crash.cause, crash.item].compactMap(\.self).joined(separator: ", ")))
    }
    if !survival.quarantine.isEmpty {
      rows.append(.init("Left out", survival.quarantine.map(\.uri).joined(separator: ", ")))
    }
    return rows
  }

  private static func playing(_ playback: Playback) -> String {
    guard let item = playback.item else { return "nothing" }
    let place = item.number.map { "\($0) of \(playback.itemCount)" }
    return [place, item.title.isEmpty ? item.uri : item.title].compactMap(\.self).joined(separator: ", ")
  }

  /// The file that was read last, which overrides the others, and what became of it.
  private static func line(_ configuration: Configuration) -> String {
    let files = configuration.files
    let others = files.count > 1 ? "and \(files.count - 1) more" : nil
    let words = [files.last ?? "none in use", others, configuration.state.rawValue, configuration.reason]
    return words.compactMap(\.self).joined(separator: ", ")
  }

  private static func line(_ store: Store) -> String {
    var parts = ["\(store.stored) of \(store.wanted) stored", "\(store.bytes / 1_000_000) MB"]
    if let fetching = store.fetching { parts.append("fetching \(fetching)") }
    if let problem = store.problem { parts.append("error \(problem)") }
    return parts.joined(separator: ", ")
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
