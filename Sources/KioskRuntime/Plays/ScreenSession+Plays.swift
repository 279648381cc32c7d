internal import ConfigurationFiles
internal import KioskCore
internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore
internal import TelemetryCore
internal import VitrinePlayback

/// What one screen has shown, and who is told of it.
struct PlayTeller {
  var recorder = PlayRecorder()
  var take: ([FinishedPlay]) -> Void
}

// What is needed for proof of play, told to `PlayRecorder`.

extension ScreenSession {
  /// Whoever is to hear of plays that are over; nil ends that, with the one that is under way.
  func tellPlays(_ take: (([FinishedPlay]) -> Void)?) {
    guard let take else { return stopPlays() }
    if plays == nil { plays = PlayTeller(take: take) } else { plays?.take = take }
  }

  /// The last frames are on their way.
  func playsAreStopping() { notePlay(.stopping) }

  func stopPlays() {
    notePlay(.stopped(playTotals))
    plays = nil
  }

  private var playTotals: PlayRecorder.Totals {
    PlayRecorder.Totals(rendered: engine.ledger.rendered, dropped: engine.ledger.dropped)
  }

  private func notePlay(_ event: @autoclosure () -> PlayRecorder.Event) {
    guard plays != nil, let finished = plays?.recorder.handle(event(), at: now), !finished.isEmpty else { return }
    plays?.take(finished)
  }

  func notePlay(_ notice: PlaybackNotice) {
    guard plays != nil else { return }
    switch notice {
    case .itemStarted(let item, let deck, let at, _):
      let media = machine.current.flatMap { $0.id == deck ? $0.media : nil }
      notePlay(
        .started(deck, item, played(item, media), isPicture: (media?.kind ?? .file) == .picture, at: at))
    case .reconnecting(let item, let deck, _, _, _): notePlay(.goesOn(deck, item))
    case .itemEnded(_, let deck):
      notePlay(.ended(deck))
      lookAtPlays()
    case .itemFailed(let item, let error):
      notePlay(.failed(item, played(item, nil), error: error.number))
      lookAtPlays()
    default: break
    }
  }

  func notePlay(_ event: OutputEvent) {
    guard plays != nil else { return }
    switch event {
    case .frame(let frame): notePlay(.frame(frame, playTotals))
    case .heard(let sound): notePlay(.heard(sound.deck, at: sound.at, playTotals))
    default: break
    }
  }

  func notePlaySettled() {
    guard plays != nil else { return }
    notePlay(.running(machine.wantsToPlay && machine.current != nil && machine.waitingReason == nil))
  }

  /// Nothing may follow.
  private func lookAtPlays() {
    startTimer(.play, after: PlayRecorder.settling) { [weak self] in
      guard let self else { return }
      notePlay(.looked(playTotals))
    }
  }

  /// - Parameter media: what its deck plays, where there is one.
  private func played(_ item: ItemID, _ media: MediaItem?) -> PlayedItem {
    let entry = machine.queue.entry(item)?.item
    let listed = entry ?? media
    var played = PlayedItem(
      uri: listed?.uri ?? "", title: listed?.title ?? "", number: machine.queue.index(of: item).map { $0 + 1 },
      list: options.listName, screen: name)
    if let media, let listed, media.uri != listed.uri { played.copy = Redaction.value(media.uri) }
    played.sha256 = media?.sha256 ?? (played.copy == nil ? nil : machine.copies[listed?.uri ?? ""]?.sha256)
    return played
  }
}

extension KioskOptions {
  /// Where it is written down what has been shown; nil where that isn't wanted, or there is nowhere.
  var playFolder: PlayFolder? {
    guard let wanted = telemetry.playLog else { return nil }
    let usual = configuration?.directories.state.map { "\($0.directory)/plays" }
    let runtime = configuration?.directories.runtime.map { "\($0)/plays.unwritten" }
    return (wanted.directory ?? usual).map { PlayFolder($0, unwritten: runtime) }
  }
}
