/// The progress of a deck before its first frame.
public struct Preparation: Hashable, Sendable {
  /// Reasons why there is no pipeline yet.
  enum Wait: Hashable, Sendable {
    /// The file is being compared with its checksum.
    case proof
    /// The item has a checksum, and its source can't be compared with it: a network, or the parts that a list names.
    case copy
    /// The file has another checksum: the deck is given up in the same event.
    case end
    /// Other decks have to leave the decoder first.
    case decoder
    /// The pause before the next try.
    case turn
  }

  /// Nil once the pipeline is being built.
  var wait: Wait?
  /// Number of this try.
  var attempt = 1
  /// Whether the deck was rebuilt because its item turned out to be of another kind.
  var hasFoundKind = false
  /// Whether the file has the expected checksum.
  var isChecked = false
}

extension PlaybackDeck {
  /// The deck's progress before its first frame; nil once it is ready.
  var preparation: Preparation? {
    if case .preparing(let preparation) = phase { return preparation }
    return nil
  }

  /// Why the deck has no pipeline yet; nil where it has one.
  var wait: Preparation.Wait? { preparation?.wait }

  /// Whether there is a pipeline, which has to be taken down if the deck goes.
  var isBuilt: Bool { wait == nil }

  /// Whether the deck waits for a file to compare its checksum with.
  var awaitsProof: Bool { wait == .proof || wait == .copy }

  /// Sets or ends the wait of a deck. Only a deck that is being prepared waits.
  mutating func wait(for wait: Preparation.Wait?) {
    guard var preparation else { return }
    preparation.wait = wait
    phase = .preparing(preparation)
  }

  mutating func markKindFound() {
    guard var preparation else { return }
    preparation.hasFoundKind = true
    phase = .preparing(preparation)
  }

  mutating func markChecked() {
    guard var preparation else { return }
    preparation.isChecked = true
    phase = .preparing(preparation)
  }
}
