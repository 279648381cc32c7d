internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Decoders in hardware that give no picture. The machine hears nothing of it: for it the deck is being prepared all the while.

extension PlayerEngine {
  /// A deck whose decoder has had data and given nothing yet.
  struct DecoderWait {
    var decoder: String
    var timer: any EngineTimer
  }

  /// A deck that is built once more as soon as the one before it is down, or has had its time for that.
  struct Rebuild {
    var recipe: DeckRecipe
    /// Whether the machine has set it a time for its start.
    var hasDeadline: Bool
    var deadline: any EngineTimer
  }

  /// - Returns: whether the event ends here, because the deck is built anew.
  func followDecoder(_ event: DeckEvent, of id: DeckID) -> Bool {
    switch event {
    case .decoding(let decoder):
      guard decks[id] != nil else { break }
      book.noteFact(of: id) { $0.use = DecoderUse(text: decoder) }
      decoderWaits[id] = DecoderWait(
        decoder: decoder, timer: clock.after(DecoderLadder.firstPicture) { [weak self] in _ = self?.relieve(id) })
    case .framePath, .ready, .gone:
      if let wait = decoderWaits.removeValue(forKey: id), event != .gone { ladder.delivered(wait.decoder) }
      proveSilence(event, of: id)
    case .failed(let error):
      book.noteFact(of: id) { $0.silentDecoder = nil }
      // A network that breaks says nothing about decoders.
      if (2000..<3000).contains(error.number) { decoderWaits[id] = nil }
      return relieve(id)
    default: break
    }
    return false
  }

  /// Another decoder shows what that one didn't: it wasn't the film. One from a network may have had nothing to show.
  private func proveSilence(_ event: DeckEvent, of id: DeckID) {
    guard let decoder = book[id]?.silentDecoder else { return }
    book.noteFact(of: id) { $0.silentDecoder = nil }
    guard event != .gone else { return }
    if let deck = decks[id], !deck.ownRecipe.item.isRemote { owner?.engine(self, avoids: decoder) }
  }

  /// The decoder has given nothing: another deck takes the place of this one.
  private func relieve(_ id: DeckID) -> Bool {
    guard let wait = decoderWaits.removeValue(forKey: id), let deck = decks.removeValue(forKey: id) else {
      return false
    }
    if ladder.failed(wait.decoder) == .avoid {
      output?.avoidDecoder(wait.decoder)
      book.noteFact(of: id) { $0.silentDecoder = wait.decoder }
      owner?.engine(
        self, deck: id, tells: .warning(PlaybackErrors.decoderIsSilent(wait.decoder, uri: deck.ownRecipe.item.uri)))
    }
    book.noteFact(of: id) { $0.incarnation += 1 }
    // The deck that comes has all the time for its start.
    let deadline = timers.removeValue(forKey: .preroll(id)) != nil
    rebuilds[id] = Rebuild(
      recipe: deck.ownRecipe, hasDeadline: deadline,
      deadline: clock.after(EngineTiming.deckTeardown) { [weak self] in self?.rebuild(id, hasHung: true) })
    deck.drop()
    return true
  }

  /// The output has failed before it has shown a frame of the deck that plays. Where these come in the decoder's own
  /// memory, or out of the graphics chip, they take another way from now on.
  func giveUpWay() {
    guard let id = machine.current?.id, let use = book[id]?.use, use.hasNext, newestFrame?.deck != id,
      let deck = decks[id]
    else { return }
    book.noteFact(of: id) { $0.use = nil }
    output?.avoidDecoder(use.text)
    owner?.engine(
      self, deck: id, tells: .warning(PlaybackErrors.decoderIsSilent(use.text, uri: deck.ownRecipe.item.uri)))
  }

  /// The deck before has gone, or never will.
  func rebuild(_ id: DeckID, hasHung: Bool = false) {
    guard let rebuild = rebuilds.removeValue(forKey: id) else { return }
    if hasHung { ledger.deckAbandoned() }
    if rebuild.hasDeadline {
      let limit =
        rebuild.recipe.item.isRemote ? machine.policy.remotePrerollDeadline : machine.policy.localPrerollDeadline
      timers[.preroll(id)] = clock.after(limit) { [weak self] in self?.fire(.preroll(id)) }
    }
    build(rebuild.recipe)
  }
}
