/// What a deck goes through before its first frame.
public struct Preparation: Hashable, Sendable {
  /// Why there is no pipeline yet.
  enum Wait: Hashable, Sendable {
    /// Its file is being compared with a checksum.
    case proof
    /// It has a checksum, and would come from where nothing can be compared: over the network, or from what a list names.
    case copy
    /// Its file isn't the one that it is to be: it is given up in the same event.
    case end
    /// Others are to leave the decoder first.
    case decoder
    /// The pause before the next try.
    case turn
  }

  /// Nil once the pipeline is being built.
  var wait: Wait?
  /// Tries of it, this one included.
  var attempt = 1
  /// It was built anew because its item turned out to be of another kind.
  var hasFoundKind = false
}

extension PlaybackDeck {
  /// What it goes through before its first frame; nil once it is ready.
  var preparation: Preparation? {
    if case .preparing(let preparation) = phase { return preparation }
    return nil
  }

  /// Why it has no pipeline yet; nil where it has one.
  var wait: Preparation.Wait? { preparation?.wait }

  /// Whether there is a pipeline, to be taken down if the deck goes.
  var isBuilt: Bool { wait == nil }

  /// Whether it waits for something to compare its checksum with.
  var awaitsProof: Bool { wait == .proof || wait == .copy }

  /// Has it wait, or no longer. Only what is being prepared waits.
  mutating func wait(for wait: Preparation.Wait?) {
    guard var preparation else { return }
    preparation.wait = wait
    phase = .preparing(preparation)
  }

  mutating func noteKindFound() {
    guard var preparation else { return }
    preparation.hasFoundKind = true
    phase = .preparing(preparation)
  }
}
