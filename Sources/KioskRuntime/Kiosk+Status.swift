internal import Displays
internal import InteractionCore
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

// The status card: what somebody wants to know who stands before the screen.

extension Kiosk {
  /// How long the card stays if nobody takes it away: the time to read it aloud on the telephone.
  private static var statusStay: Duration { .seconds(30) }

  func setStatusCard(isShown: Bool) {
    input.isStatusShown = isShown
    input.statusTimer = nil
    if isShown {
      host.forget()
      input.statusTimer = loop?.after(Self.statusStay) { [weak self] in
        self?.assumeIsolated { $0.setStatusCard(isShown: false) }
      }
    }
    refreshOverlay()
  }

  func statusCard(_ machine: PlaybackMachine) -> StatusCard {
    var rows: [StatusCard.Row] = []
    if let deck = machine.current {
      let place = machine.queue.index(of: deck.item).map { "\($0 + 1) of \(machine.queue.count)" }
      let name = Redaction.value(deck.media.title.isEmpty ? deck.media.uri : deck.media.title)
      rows.append(.init("Playing", [place, name].compactMap(\.self).joined(separator: ", ")))
    } else {
      rows.append(.init("Playing", "nothing"))
    }
    rows.append(.init("Screen", display?.summary ?? "none"))
    if let ledger = engine?.ledger {
      rows.append(.init("Frames", "\(ledger.rendered) shown, \(ledger.dropped) dropped"))
    }
    if let session { rows.append(.init("Configuration", configurationLine(session))) }
    if let store = storeSummary { rows.append(.init("Store", store)) }
    let host = host.facts(at: now)
    rows.append(.init("Address", host.addresses.isEmpty ? "none" : host.addresses.joined(separator: ", ")))
    let minutes = Int((now - options.processStart).inSeconds / 60)
    rows.append(.init("Version", "\(Version.text), up \(minutes / 60) h \(minutes % 60) min"))
    return StatusCard(title: host.name, health: health(machine), rows: rows)
  }

  private func health(_ machine: PlaybackMachine) -> StatusCard.Health {
    if machine.current == nil { return .trouble }
    let waits = machine.wantsToPlay && machine.waitingReason != nil
    // One that is on trial is confirmed in some seconds, and nothing is wrong with it.
    let isConfigured = session.map { ["confirmed", "candidate"].contains($0.state.word) } ?? true
    return waits || !isConfigured ? .attention : .healthy
  }

  /// The file that was read last, which overrides the others, and what became of it.
  private func configurationLine(_ session: ConfigurationSession) -> String {
    let files = session.active?.sources.map(\.path) ?? []
    let others = files.count > 1 ? "and \(files.count - 1) more" : nil
    let words: [String?] = [files.last ?? "none in use", others, session.state.word, session.state.reason]
    return words.compactMap(\.self).joined(separator: ", ")
  }
}
