internal import KioskCore
internal import PlaybackCore
internal import Supervision

/// Records each step of one screen's decks before it is made: after a crash, the next process knows the step and the
/// item. Each record is a store into memory, and most frames need none. Confined to the loop's thread.
final class StepRecorder {
  private let screen: String
  private let book: CrashHistory
  /// For each deck: its item, whether it is so near its end that the rest can't cause a crash, and the second that was
  /// recorded last.
  private var decks: [DeckID: (item: RecordedItem, isNearEnd: Bool, second: Int64)] = [:]
  /// The items of decks that were given up and may hang, and whether `items(of:)` has returned them already.
  private var givenUp: [DeckID: (item: RecordedItem, isCounted: Bool)] = [:]

  /// How near the end an item counts as played: the last second of a film is often a fade, and frames at the end may be
  /// missing.
  private static let nearEnd: Duration = .seconds(2)

  init(_ book: CrashHistory, screen: String) {
    self.book = book
    self.screen = screen
  }

  /// - Parameters:
  ///   - event: the event that the machine has handled.
  ///   - actions: the machine's actions, none of which has been carried out yet.
  ///   - machine: its state after the event.
  func recordStep(_ event: PlaybackEvent, _ actions: [PlaybackAction], _ machine: PlaybackMachine) {
    switch event {
    case .frameShown(let id, let position, _): shown(id, position, machine)
    case .soundHeard(let id, _, let position, _): shown(id, position, machine)
    case .deckReady(let id, _), .seekFinished(let id, _, _): begins(.ready, id)
    case .deckGone(let id):
      decks[id] = nil
      CrashRecorder.deckGoes(id, screen: screen)
    default: break
    }
    for action in actions { recordAction(action, machine) }
  }

  private func recordAction(_ action: PlaybackAction, _ machine: PlaybackMachine) {
    switch action {
    case .buildDeck(let id, let media, let item, let position, _):
      let known = RecordedItem(media, in: machine)
      decks[id] = (known, false, -1)
      CrashRecorder.deckOpens(
        id, screen: screen, number: machine.queue.index(of: item).map { $0 + 1 }, uri: known.played,
        listed: known.listed, sha256: known.sha256, position: position)
    case .seekDeck(let id, let target, _, _, _, _):
      CrashRecorder.deck(id, screen: screen, isAt: target)
      begins(.seeking, id)
    case .playDeck(let id, _): begins(.playing, id)
    case .pauseDeck(let id): begins(.ready, id)
    case .dropDeck(let id): begins(.leaving, id)
    // A hanging deck makes no further steps.
    case .abandonDeck(let id): begins(.none, id)
    case .tell(.itemEnded(_, let id)):
      if let deck = decks[id], deck.isNearEnd { book.played(deck.item.listed) }
    default: break
    }
  }

  /// Notes that a deck doesn't answer and was given up.
  func gaveUp(_ id: DeckID) {
    if let item = decks[id]?.item { givenUp[id] = (item, false) }
  }

  /// The items of hanging decks; `isNews` marks those that weren't returned before. Forgets other decks that were given
  /// up: they have come down since.
  func items(of hung: some Collection<DeckID>) -> [HungItem] {
    givenUp = givenUp.filter { hung.contains($0.key) }
    defer { for id in givenUp.keys { givenUp[id]?.isCounted = true } }
    return givenUp.values.map { HungItem(item: $0.item, isNews: !$0.isCounted) }
  }

  private func begins(_ step: CrashRecord.Step, _ id: DeckID) { CrashRecorder.deck(id, screen: screen, begins: step) }

  private func shown(_ id: DeckID, _ position: Duration, _ machine: PlaybackMachine) {
    let second = position.components.seconds
    guard let known = decks[id], known.second != second else { return }
    decks[id]?.second = second
    CrashRecorder.hasShown()
    guard let deck = machine.current, deck.id == id else { return }
    // A live or endless item has no place to go back to.
    let hasPlaces = !deck.readiness.isLive && deck.readiness.isEndless != true && deck.media.kind != .picture
    CrashRecorder.deck(id, screen: screen, isAt: hasPlaces ? position : .zero)
    // A picture has been decoded as a whole.
    if deck.media.kind == .picture { decks[id]?.isNearEnd = true }
    if let end = deck.playedRange?.upperBound, end - position <= Self.nearEnd { decks[id]?.isNearEnd = true }
  }
}

/// The item of a hanging deck.
struct HungItem {
  var item: RecordedItem
  var isNews: Bool
}

/// An item about to be played, by its names in the record, in the quarantine and for people.
struct RecordedItem: Hashable, Sendable {
  /// The address in the playlist.
  var listed: String
  /// The address that it is played from: the listed one, or a copy's.
  var played: String
  var sha256: String?

  init(listed: String, played: String, sha256: String?) {
    (self.listed, self.played, self.sha256) = (listed, played, sha256)
  }

  /// - Parameter media: the medium to be played, which may be a copy.
  init(_ media: MediaItem, in machine: PlaybackMachine) {
    let copy = media.isCopy == true ? machine.copies.first { $0.value.uri == media.uri } : nil
    self.init(listed: copy?.key ?? media.uri, played: media.uri, sha256: media.sha256 ?? copy?.value.sha256)
  }
}

extension KioskOptions {
  /// Begins at the previous run's place on that screen, or behind an item that isn't to be played at once.
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
    // Pictures and live items have no places.
    case .picture, .rtsp, .udp: machine.begin(at: index, position: .zero)
    }
    return machine
  }
}
