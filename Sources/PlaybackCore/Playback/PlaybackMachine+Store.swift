// Copies of remote items on this machine: a deck that is built plays the copy where there is one. Playing decks go on
// unchanged, so another copy is used from the next item on.
//
// Checksums: an item with one is played from a file with that checksum and from nothing else
// (decision 0086).

extension PlaybackMachine {
  /// Local copies, by the original's address.
  public var copies: [String: MediaCopy] { known.copies }

  /// Adopts another set of copies. Items that failed for want of a copy may be tried again, at once where nothing else
  /// plays.
  mutating func adoptCopies(_ new: [String: MediaCopy]) {
    known.copies = new
    let hadFailed = sequence.allFailed
    var playable: PlayQueue.Entry?
    for entry in sequence.queue.entries where known.hasCheckedCopy(of: entry.item) {
      playable = playable ?? entry
      if sequence.failures.mark(of: entry.id)?.error.number == PlaybackErrors.noCheckedCopyNumber {
        sequence.failures.forget([entry.id])
      }
    }
    if var deck = current {
      guard deck.wait == .copy, let entry = sequence.queue.entry(deck.item), known.hasCheckedCopy(of: entry.item)
      else { return }
      emit(.cancelTimer(.preroll(deck.id)))
      deck.media = known.fromStore(entry.item)
      emitBuild(&deck)
      current = deck
    } else if hadFailed, let playable {
      emit(.cancelTimer(.nextRound))
      sequence.failures.beginPass()
      sequence.resumeAt = (playable.id, .zero)
      beginIfPossible()
    }
  }

  // MARK: Checksums

  /// Makes a deck without a proof wait for it. False for a deck that may be built.
  mutating func waitsForProof(_ deck: inout PlaybackDeck) -> Bool {
    switch known.proof(of: deck) {
    case .given: return false
    case .missing:
      deck.wait(for: .copy)
      // It fails in an event of its own, like an item whose server refuses.
      emit(.startTimer(.preroll(deck.id), at: now))
    case .due:
      deck.wait(for: .proof)
      emit(.checkFile(deck.id, uri: deck.media.uri))
      emit(.startTimer(.preroll(deck.id), at: now + policy.checkDeadline))
    }
    return true
  }

  /// Handles the checksum of a local file; nil when the file couldn't be read.
  mutating func fileChecked(_ id: DeckID, _ sum: String?) {
    guard var deck = deck(id), deck.wait == .proof else { return }
    emit(.cancelTimer(.preroll(id)))
    guard let sum, sum == deck.media.sha256 else {
      deck.wait(for: .end)
      if current?.id == id { current = deck } else { next = deck }
      return deckFailed(id, PlaybackErrors.wrongChecksum(uri: deck.media.uri, isReadable: sum != nil))
    }
    deck.markChecked()
    emitBuild(&deck)
    if current?.id == id { current = deck } else { next = deck }
  }

  /// Lets a deck go: cancels the check of its file, and takes its pipeline down.
  mutating func discard(_ deck: PlaybackDeck) {
    if deck.wait == .proof { emit(.cancelCheck(deck.id)) }
    if deck.isBuilt { drop(deck.id) }
  }

  /// Fails the item of a deck whose proof hasn't come.
  mutating func proofMissed(_ deck: PlaybackDeck) { deckFailed(deck.id, deck.missedProof) }
}

extension PlaybackDeck {
  /// The fault of a deck whose proof hasn't come.
  fileprivate var missedProof: VitrineError {
    switch wait {
    case .copy where !media.isRemote: PlaybackErrors.checkedList(uri: media.uri)
    case .copy: PlaybackErrors.noCheckedCopy(uri: media.uri)
    case .proof, .end, .decoder, .turn, nil: PlaybackErrors.didNotStart(uri: media.uri)
    }
  }
}
