// Films in sign language: a version of an item is another file, which takes its place at the same position.

extension PlaybackMachine {
  /// Plays items in signed versions from now on, or in the usual ones. The last frame stays until the other's first.
  mutating func chooseVersion(isSigned: Bool) {
    guard known.prefersSigned != isSigned else { return }
    (known.prefersSigned, known.brokenVersions) = (isSigned, [])
    if let deck = next, known.otherVersion(of: deck, in: sequence.queue) != nil { dropNext() }
    if let deck = current, !deck.hasEnded { change(deck) }
    prepareNextIfNeeded()
  }

  /// Goes on in the usual version where a signed one can't be played. False for other decks.
  mutating func leavesVersion(_ deck: PlaybackDeck, after error: VitrineError) -> Bool {
    guard let signed = sequence.queue.entry(deck.item)?.item.signed, deck.media.uri == signed else { return false }
    known.brokenVersions.insert(signed)
    if deck.id == next?.id { dropNext() } else { change(deck, after: error) }
    prepareNextIfNeeded()
    return true
  }

  /// Replaces the current deck by one of the item's other version, if that is wanted now.
  private mutating func change(_ deck: PlaybackDeck, after error: VitrineError? = nil) {
    guard let other = known.otherVersion(of: deck, in: sequence.queue) else { return }
    let position = seekTarget ?? deck.position
    cancelTimers(of: deck)
    endSeek(.reached)
    discard(deck)
    var again = newDeck(other, from: position)
    again.standing = deck.standing
    // During a pause the other version's first frame is shown, too.
    again.standing.isPreviewed = false
    current = again
    emit(.tell(.versionChanged(item: deck.item, again.id, error)))
  }
}

extension KnownMedia {
  /// The item as it is to be played now; nil where the deck plays it so.
  fileprivate func otherVersion(of deck: PlaybackDeck, in queue: PlayQueue) -> PlayQueue.Entry? {
    guard let entry = queue.entry(deck.item), entry.item.signed != nil else { return nil }
    let wanted = fromStore(entry)
    return wanted.item.uri == deck.media.uri ? nil : wanted
  }
}

extension MediaItem {
  /// The tracks of the file that is played, and the item's signed version as one more.
  package func tracks(with own: [MediaTrack]) -> [MediaTrack] {
    guard let signed else { return own }
    return own + [MediaTrack(id: "version", kind: .video, isSigned: true, isEnabled: uri == signed, file: signed)]
  }

  /// The item's signed version: the item with that file, and what belongs to the other file left out.
  ///
  /// - Parameter broken: addresses of those that can't be played.
  func signedVersion(but broken: Set<String>) -> MediaItem {
    guard let signed, !broken.contains(signed) else { return self }
    var version = self
    (version.uri, version.kind) = (signed, .file)
    (version.sha256, version.subtitles) = (nil, [])
    return version
  }
}
