/// A file on this machine that is played in place of a remote one.
public struct MediaCopy: Hashable, Sendable, Codable {
  /// A `file:` URI.
  public var uri: String
  /// The SHA-256 that it was compared with, in 64 hexadecimal digits in lower case; nil where nobody had said one.
  public var sha256: String?

  public init(uri: String, sha256: String? = nil) {
    self.uri = uri
    self.sha256 = sha256
  }
}

// Copies of remote items on this machine: a deck that is built plays the copy where there is one. What plays already goes on
// as it is, so another copy is taken up at the boundary of two items.
//
// And checksums: an item that has one is played from a file with that checksum and from nothing else
// (docs/decisions/0086-checksums.md).

extension PlaybackMachine {
  /// The item as it is played now: from its copy, with those of its subtitles.
  func fromStore(_ item: MediaItem) -> MediaItem {
    var item = item
    if let kind = foundKinds[item.uri] { item.kind = kind }
    // A copy of a playlist has no segments.
    guard item.isRemote, item.kind != .adaptive, let copy = copies[item.uri],
      item.sha256 == nil || item.sha256 == copy.sha256
    else { return item }
    var local = item
    local.uri = copy.uri
    local.isCopy = true
    if local.kind == .progressive { local.kind = .file }
    local.subtitles = item.subtitles.map { copies[$0]?.uri ?? $0 }
    return local
  }

  func fromStore(_ entry: PlayQueue.Entry) -> PlayQueue.Entry {
    PlayQueue.Entry(id: entry.id, item: fromStore(entry.item))
  }

  /// Other copies are there. What has failed for want of one may be tried again, at once where nothing else plays.
  mutating func adoptCopies(_ new: [String: MediaCopy]) {
    copies = new
    let hadFailed = failures.allFailed(in: queue)
    var playable: PlayQueue.Entry?
    for entry in queue.entries where isPlayableNow(entry.item) {
      playable = playable ?? entry
      if failures.mark(of: entry.id)?.error.number == PlaybackErrors.noCheckedCopyNumber { failures.forget([entry.id]) }
    }
    if var deck = current {
      guard deck.wait == .copy, let entry = queue.entry(deck.item), isPlayableNow(entry.item) else { return }
      emit(.cancelTimer(.preroll(deck.id)))
      deck.media = fromStore(entry.item)
      emitBuild(&deck)
      current = deck
    } else if hadFailed, let playable {
      emit(.cancelTimer(.nextRound))
      failures.beginPass()
      resumeAt = (playable.id, .zero)
      beginIfPossible()
    }
  }

  /// Whether the item has a checksum and a copy that has it too.
  private func isPlayableNow(_ item: MediaItem) -> Bool {
    item.sha256.map { sum in copies[item.uri].map { $0.sha256 == sum } ?? false } ?? false
  }

  // MARK: Checksums

  /// What is known of what a deck is to play.
  enum Proof: Hashable, Sendable {
    /// It has no checksum, or was compared with it.
    case given
    /// It is a local file that has to be read first.
    case due
    /// It would come over the network, where nothing can be compared before it is shown.
    case missing
  }

  func proof(of deck: PlaybackDeck) -> Proof {
    guard let sum = deck.media.sha256, !deck.isChecked else { return .given }
    // What a manifest names has no checksum, wherever the manifest lies.
    guard !deck.media.isRemote, !leavesProof(deck, as: deck.media.kind) else { return .missing }
    return copies.values.contains { $0.uri == deck.media.uri && $0.sha256 == sum } ? .given : .due
  }

  /// Has a deck without a proof wait for it. False for one that may be built.
  mutating func waitsForProof(_ deck: inout PlaybackDeck) -> Bool {
    switch proof(of: deck) {
    case .given: return false
    case .missing:
      deck.wait(for: .copy)
      // It fails in an event of its own, like one whose server refuses.
      emit(.startTimer(.preroll(deck.id), at: now))
    case .due:
      deck.wait(for: .proof)
      emit(.checkFile(deck.id, uri: deck.media.uri))
      emit(.startTimer(.preroll(deck.id), at: now + policy.checkDeadline))
    }
    return true
  }

  /// A local file was read; nil when it couldn't be.
  mutating func fileChecked(_ id: DeckID, _ sum: String?) {
    guard var deck = deck(id), deck.wait == .proof else { return }
    emit(.cancelTimer(.preroll(id)))
    guard let sum, sum == deck.media.sha256 else {
      deck.wait(for: .end)
      if current?.id == id { current = deck } else { next = deck }
      return deckFailed(id, PlaybackErrors.wrongChecksum(uri: deck.media.uri, isReadable: sum != nil))
    }
    deck.isChecked = true
    emitBuild(&deck)
    if current?.id == id { current = deck } else { next = deck }
  }

  /// A deck goes: what is asked about its file is called off, what was made of it is taken down.
  mutating func discard(_ deck: PlaybackDeck) {
    if deck.wait == .proof { emit(.cancelCheck(deck.id)) }
    if deck.isBuilt { drop(deck.id) }
  }

  /// A proof hasn't come.
  mutating func proofMissed(_ deck: PlaybackDeck) {
    let uri = deck.media.uri
    let error =
      switch deck.wait {
      case .copy where !deck.media.isRemote: PlaybackErrors.checkedList(uri: uri)
      case .copy: PlaybackErrors.noCheckedCopy(uri: uri)
      case .proof, .end, .decoder, .turn, nil: PlaybackErrors.didNotStart(uri: uri)
      }
    deckFailed(deck.id, error)
  }

  /// Whether what a file names in its turn is covered by no checksum, though the file is.
  func leavesProof(_ deck: PlaybackDeck, as kind: MediaKind) -> Bool {
    guard deck.media.sha256 != nil else { return false }
    switch kind {
    case .adaptive, .rtsp, .udp: return true
    case .file, .picture, .progressive: return false
    }
  }
}
