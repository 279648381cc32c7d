// Facts that contradict the machine's state. A report of a deck that was dropped, given up or replaced is late, which
// isn't a fault: it is ignored silently. A report of a deck that was never built, or that can't come in the deck's
// phase, is a bug of the engine. It is counted and reported, and the machine goes on as if it hadn't come:
// decision 0098.

/// The contradiction between a fact and the machine's state.
public enum UnexpectedFact: String, Hashable, Sendable, CaseIterable, Codable {
  case startedTwice = "playback was started a second time"
  case outputTwice = "an output is ready while another one is in use"
  case unknownDeck = "it was never built"
  case readyTwice = "it is ready, and isn't being prepared"
  case goneInUse = "it is gone, and was never told to go"
  case shownInWaiting = "it is seen or heard before its turn"
  case strayChecksum = "a checksum that wasn't asked for"
  case straySeek = "it has done a seek that isn't under way"
}

extension PlaybackEvent {
  /// The deck that reports the event, or that the event is about.
  var deck: DeckID? {
    switch self {
    case .deckReady(let id, _), .deckFailed(let id, _), .streamEnded(let id, _, _), .durationChanged(let id, _),
      .kindFound(let id, _), .listFound(let id, _), .bufferingChanged(let id, _), .gapAhead(let id, _),
      .frameShown(let id, _, _), .soundHeard(let id, _, _, _), .streamsFound(let id, _, _), .deckGone(let id),
      .seekFinished(let id, _, _), .rateChanged(let id, _, _, _), .fileChecked(let id, _),
      .clockLost(let id), .unshown(let id):
      id
    case .start, .queueReplaced, .queueEdited, .listsKept, .copiesChanged, .policyReplaced, .previousRequested,
      .itemSelected,
      .clockSet,
      .outputReady, .outputLost, .outputChangeWanted, .playRequested, .pauseRequested, .seekRequested, .rateRequested,
      .itemBlamed, .versionChosen, .stepRequested, .endActionChanged, .suppressed, .unsuppressed, .nextRequested,
      .timerFired,
      .stopRequested:
      nil
    }
  }
}

extension PlaybackEvent {
  /// The contradiction between the fact and a machine's state; nil for a fact that fits, or that may come late.
  func fault(in machine: borrowing PlaybackMachine) -> UnexpectedFact? {
    if let id = deck, id.generation > machine.generation { return .unknownDeck }
    switch self {
    case .start: return machine.isRunning ? .startedTwice : nil
    case .outputReady: return machine.output.isReady ? .outputTwice : nil
    case .deckReady(let id, _):
      // A live source is ready before it has data. If its decoder then gives nothing, the pipeline is built once more
      // and reports again.
      guard let deck = machine.deck(id), !deck.readiness.isLive else { return nil }
      return deck.isPreparing && deck.isBuilt ? nil : .readyTwice
    case .deckGone(let id):
      let isRetiring = machine.retiring.map { $0.id == id && !$0.isGoing } ?? false
      return machine.deck(id) != nil || isRetiring ? .goneInUse : nil
    case .frameShown(let id, _, _), .soundHeard(let id, _, _, _): return machine.next?.id == id ? .shownInWaiting : nil
    case .fileChecked(let id, _): return machine.deck(id).map { $0.wait != .proof } ?? false ? .strayChecksum : nil
    case .seekFinished(let id, let number, _):
      return machine.current?.id == id && machine.seekInFlight != number ? .straySeek : nil
    default: return nil
    }
  }
}
