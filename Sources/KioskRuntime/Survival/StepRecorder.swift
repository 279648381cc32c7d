internal import KioskCore
internal import PlaybackCore
internal import Supervision

/// Writes down what the decks of one screen are about to do, before they do it: whatever dies of it, the next process knows of what.
/// A store into memory each, and none for most frames. Confined to the loop's thread.
final class StepRecorder {
  private let screen: String
  private let book: SurvivalBook
  /// What each deck plays; whether it has come so far that nothing of it is left to die of; its second that was written down last.
  private var decks: [DeckID: (item: RecordedItem, isNearEnd: Bool, second: Int64)] = [:]
  /// Of those that were given up and may hang: what they play, and whether that was counted.
  private var givenUp: [DeckID: (item: RecordedItem, isCounted: Bool)] = [:]

  /// As close to its end: the last second of a film is often a fade, and frames at the end may be left out.
  private static let nearEnd: Duration = .seconds(2)

  init(_ book: SurvivalBook, screen: String) {
    self.book = book
    self.screen = screen
  }

  /// - Parameters:
  ///   - event: what the machine was told.
  ///   - actions: what it says, none of which is done yet.
  ///   - machine: as it is after that.
  func recordStep(_ event: PlaybackEvent, _ actions: [PlaybackAction], _ machine: PlaybackMachine) {
    switch event {
    case .frameShown(let id, let position, _): shown(id, position, machine)
    case .soundHeard(let id, _, let position, _): shown(id, position, machine)
    case .deckReady(let id, _), .seekFinished(let id, _, _): begins(.ready, id)
    case .deckGone(let id):
      decks[id] = nil
      RunMemory.deckGoes(id, screen: screen)
    default: break
    }
    for action in actions { recordAction(action, machine) }
  }

  private func recordAction(_ action: PlaybackAction, _ machine: PlaybackMachine) {
    switch action {
    case .buildDeck(let id, let media, let item, let position, _):
      let known = RecordedItem(media, in: machine)
      decks[id] = (known, false, -1)
      RunMemory.deckOpens(
        id, screen: screen, number: machine.queue.index(of: item).map { $0 + 1 }, uri: known.played,
        listed: known.listed, sha256: known.sha256, position: position)
    case .seekDeck(let id, let target, _, _, _, _):
      RunMemory.deck(id, screen: screen, isAt: target)
      begins(.seeking, id)
    case .playDeck(let id, _): begins(.playing, id)
    case .pauseDeck(let id): begins(.ready, id)
    case .dropDeck(let id): begins(.leaving, id)
    // What hangs does nothing any more.
    case .abandonDeck(let id): begins(.none, id)
    case .tell(.itemEnded(_, let id)):
      if let deck = decks[id], deck.isNearEnd { book.played(deck.item.listed) }
    default: break
    }
  }

  /// A deck doesn't answer.
  func gaveUp(_ id: DeckID) {
    if let item = decks[id]?.item { givenUp[id] = (item, false) }
  }

  /// What decks that hang play; news is what wasn't given out before. Others that were given up have come down since.
  func items(of hung: some Collection<DeckID>) -> [HungItem] {
    givenUp = givenUp.filter { hung.contains($0.key) }
    defer { for id in givenUp.keys { givenUp[id]?.isCounted = true } }
    return givenUp.values.map { HungItem(item: $0.item, isNews: !$0.isCounted) }
  }

  private func begins(_ step: RunRecord.Step, _ id: DeckID) { RunMemory.deck(id, screen: screen, begins: step) }

  private func shown(_ id: DeckID, _ position: Duration, _ machine: PlaybackMachine) {
    let second = position.components.seconds
    guard let known = decks[id], known.second != second else { return }
    decks[id]?.second = second
    RunMemory.hasShown()
    guard let deck = machine.current, deck.id == id else { return }
    // There is no place to go back to in what has no end.
    let hasPlaces = !deck.readiness.isLive && deck.readiness.isEndless != true && deck.media.kind != .picture
    RunMemory.deck(id, screen: screen, isAt: hasPlaces ? position : .zero)
    // A picture was decoded whole.
    if deck.media.kind == .picture { decks[id]?.isNearEnd = true }
    if let end = deck.playedRange?.upperBound, end - position <= Self.nearEnd { decks[id]?.isNearEnd = true }
  }
}

/// What a deck plays that hangs.
struct HungItem {
  var item: RecordedItem
  var isNews: Bool
}

/// An item about to be played, by the names that a record, the quarantine and people have for it.
struct RecordedItem: Hashable, Sendable {
  /// As the list has it.
  var listed: String
  /// Where it is played from: there, or from a copy.
  var played: String
  var sha256: String?

  init(listed: String, played: String, sha256: String?) {
    (self.listed, self.played, self.sha256) = (listed, played, sha256)
  }

  /// - Parameter media: as it is to be played.
  init(_ media: MediaItem, in machine: PlaybackMachine) {
    let copy = media.isCopy == true ? machine.copies.first { $0.value.uri == media.uri } : nil
    self.init(listed: copy?.key ?? media.uri, played: media.uri, sha256: media.sha256 ?? copy?.value.sha256)
  }
}

extension KioskOptions {
  /// Where the run before this one was on that screen; what is not to be played at once is left.
  func resumed(_ machine: PlaybackMachine, on screen: String) -> PlaybackMachine {
    guard let point = lastPlaces.first(where: { $0.screen == screen }), let index = point.index(in: machine.queue)
    else {
      return machine
    }
    var machine = machine
    let count = machine.queue.count
    let item = machine.queue.entries[index].item
    switch item.kind {
    case _ where point.isToBeLeft: machine.begin(at: (index + 1) % count, position: .zero)
    case .file, .progressive, .adaptive: machine.begin(at: index, position: point.position)
    // There is no place in a picture, nor in what is live.
    case .picture, .rtsp, .udp: machine.begin(at: index, position: .zero)
    }
    return machine
  }
}
