internal import ConfigurationFiles
internal import InteractionCore
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import PlaylistConfig
internal import TelemetryCore
internal import VitrinePlayback

/// The recorder of one screen's plays, and the receiver of finished ones.
struct PlayTeller {
  var recorder = PlayRecorder()
  var take: ([FinishedPlay]) -> Void
  /// The alerts that are on the screen, and since when.
  var alerts: [(alert: ShownAlert, since: Instant)] = []
  /// The newest visit, which may be over; nil before the first one.
  var visit: PlayedVisit?

  /// - Returns: the plays that are finished now.
  mutating func handle(_ event: PlayRecorder.Event, at now: Instant) -> [FinishedPlay] {
    var finished = recorder.handle(event, at: now)
    // What a visitor chooses holds for the item that plays, too. The last item of a visit ends after the visit.
    for index in finished.indices where finished[index].item.visit?.number == visit?.number {
      finished[index].item.visit = visit
    }
    return finished
  }

  /// - Parameters:
  ///   - shown: the alerts that are on the screen now.
  ///   - ending: why the others have gone.
  /// - Returns: the plays of those.
  mutating func show(
    _ shown: [ShownAlert], on screen: String?, _ ending: PlayEnding, at now: Instant
  ) -> [FinishedPlay] {
    guard !alerts.isEmpty || !shown.isEmpty else { return [] }
    let gone = alerts.filter { !shown.contains($0.alert) }
    let new = shown.filter { alert in !alerts.contains { $0.alert == alert } }
    alerts = alerts.filter { shown.contains($0.alert) } + new.map { ($0, now) }
    return gone.map { FinishedPlay(ofAlert: $0.alert, on: screen, start: $0.since, end: now, ending) }
  }
}

// Reports the screen's events to `PlayRecorder`, for proof of play.

extension ScreenSession {
  /// Reports finished plays to `take` from now on; nil ends the play that is under way, and the reports.
  func observePlays(_ take: (([FinishedPlay]) -> Void)?) {
    guard let take else { return stopPlays() }
    if plays == nil { plays = PlayTeller(take: take) } else { plays?.take = take }
  }

  /// Notes that the playback is stopping: the last frames are still to come.
  func playsAreStopping() { recordPlay(.stopping) }

  func stopPlays() {
    recordAlerts([], .stopped)
    recordPlay(.stopped(playTotals))
    plays = nil
  }

  private var playTotals: PlayRecorder.Totals { PlayRecorder.Totals(engine.ledger.counters) }

  private func recordPlay(_ event: @autoclosure () -> PlayRecorder.Event) {
    guard plays != nil else { return }
    let event = event()
    if let finished = plays?.handle(event, at: now), !finished.isEmpty { plays?.take(finished) }
  }

  func recordPlay(_ notice: PlaybackNotice) {
    guard plays != nil else { return }
    switch notice {
    case .itemStarted(let item, let deck, let at, _):
      let media = machine.current.flatMap { $0.id == deck ? $0.media : nil }
      recordPlay(
        .started(deck, item, played(item, media), isPicture: (media?.kind ?? .file) == .picture, at: at))
    case .reconnecting(let item, let deck, _, _, _), .versionChanged(let item, let deck, _):
      recordPlay(.goesOn(deck, item))
    case .itemEnded(_, let deck):
      recordPlay(.ended(deck))
      schedulePlayCheck()
    case .itemFailed(let item, let error):
      recordPlay(.failed(item, played(item, nil), error: error.number))
      schedulePlayCheck()
    default: break
    }
  }

  func recordPlay(_ event: OutputEvent) {
    guard plays != nil else { return }
    switch event {
    case .frame(let frame):
      recordPlay(.frame(frame, playTotals))
      recordPlayWait()
    case .heard(let sound): recordPlay(.heard(sound.deck, at: sound.at, playTotals))
    default: break
    }
  }

  /// Records the alerts that are no longer on the screen, as plays of their own, and notes those that are.
  ///
  /// - Parameter ending: why the others have gone.
  func recordAlerts(_ alerts: [ShownAlert], _ ending: PlayEnding = .end) {
    if let gone = plays?.show(alerts, on: name, ending, at: now), !gone.isEmpty { plays?.take(gone) }
  }

  func recordPlaySettled() {
    guard plays != nil else { return }
    recordPlay(.running(machine.wantsToPlay && machine.current != nil && machine.waitingReason == nil))
    recordPlayWait()
  }

  /// Notes how long the current deck's frame stays. The next frame may be known before this one is shown, or after.
  private func recordPlayWait() {
    if let deck = machine.current, let due = deck.waitsUntil { recordPlay(.waits(deck.id, until: due)) }
  }

  /// Looks once more after a while: possibly no other item follows.
  private func schedulePlayCheck() {
    startTimer(.play, after: PlayRecorder.settling) { [weak self] in
      if let self { recordPlay(.looked(playTotals)) }
    }
  }

  /// - Parameter media: the medium that its deck plays, if it has one.
  private func played(_ item: ItemID, _ media: MediaItem?) -> PlayedItem {
    let entry = machine.queue.entry(item)?.item
    let listed = entry ?? media
    var played = PlayedItem(
      uri: listed?.uri ?? "", title: listed?.title ?? "", number: machine.queue.index(of: item).map { $0 + 1 },
      list: options.listName, screen: name)
    if let media, let listed, media.uri != listed.uri { played.copy = Redaction.value(media.uri) }
    // The loop behind the tiles is no choice of the visitor's.
    if interaction.isVisited, content.attractLoop != nil { played.visit = plays?.visit }
    played.sha256 = media?.sha256 ?? (played.copy == nil ? nil : machine.copies[listed?.uri ?? ""]?.sha256)
    return played
  }
}

extension FinishedPlay {
  fileprivate init(
    ofAlert alert: ShownAlert, on screen: String?, start: Instant, end: Instant, _ ending: PlayEnding
  ) {
    let item = PlayedItem(alert: alert.id, text: alert.text, screen: screen)
    self.init(item, start: start, end: end, shown: end - start, ending: ending)
  }
}

extension KioskOptions {
  /// The folder for proof of play; nil where it is off, or there is no folder for it.
  var playFolder: PlayFolder? {
    let telemetry = settings.telemetry
    guard telemetry.isEnabled, telemetry.playLog else { return nil }
    let usual = configuration?.directories.state.map { "\($0.directory)/plays" }
    let runtime = configuration?.directories.runtime.map { "\($0)/plays.unwritten" }
    return (telemetry.playLogDirectory ?? usual).map { PlayFolder($0, unwritten: runtime) }
  }
}
