internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Hardware decoders that give no picture. The machine isn't told: for it the deck is still being prepared.

extension PlayerEngine {
  /// A deck whose decoder has had data and given no picture yet.
  struct DecoderWait {
    var decoder: String
    var timer: any EngineTimer
  }

  /// A deck that is to be rebuilt as soon as its predecessor is down, or has exceeded its time for that.
  struct Rebuild {
    var recipe: DeckRecipe
    /// Whether the machine has set a deadline for the deck's start.
    var hasDeadline: Bool
    var deadline: any EngineTimer
  }

  /// - Returns: whether the event ends here, because the deck is rebuilt.
  func followDecoder(_ event: DeckEvent, of id: DeckID) -> Bool {
    switch event {
    case .decoding(let decoder):
      guard decks[id] != nil else { break }
      book.updateEntry(of: id) { $0.use = DecoderUse(text: decoder) }
      decoderWaits[id] = DecoderWait(
        decoder: decoder, timer: clock.after(DecoderFallback.firstPicture) { [weak self] in _ = self?.relieve(id) })
    case .framePath, .ready, .gone:
      if let wait = decoderWaits.removeValue(forKey: id), event != .gone { ladder.delivered(wait.decoder) }
      proveSilence(event, of: id)
    case .failed(let error):
      book.updateEntry(of: id) { $0.silentDecoder = nil }
      // A broken network connection says nothing about decoders.
      if (2000..<3000).contains(error.number) { decoderWaits[id] = nil }
      return relieve(id)
    default: break
    }
    return false
  }

  /// Blames a silent decoder once another one shows the film, so that the film isn't at fault. Network items prove
  /// nothing: their source may have sent no picture.
  private func proveSilence(_ event: DeckEvent, of id: DeckID) {
    guard let decoder = book[id]?.silentDecoder else { return }
    book.updateEntry(of: id) { $0.silentDecoder = nil }
    guard event != .gone else { return }
    if let deck = decks[id], !deck.ownRecipe.item.isRemote { tell(.decoderAvoided(decoder)) }
  }

  /// Replaces a deck whose decoder has given no picture.
  private func relieve(_ id: DeckID) -> Bool {
    guard let wait = decoderWaits.removeValue(forKey: id), let deck = decks.removeValue(forKey: id) else {
      return false
    }
    if ladder.failed(wait.decoder) == .avoid {
      output?.avoidDecoder(wait.decoder)
      book.updateEntry(of: id) { $0.silentDecoder = wait.decoder }
      let uri = deck.ownRecipe.item.uri
      tell(.deck(id, .warning(PlaybackErrors.decoderIsSilent(wait.decoder, uri: uri))))
    }
    book.updateEntry(of: id) { $0.incarnation += 1 }
    // The rebuilt deck has the full time for its start.
    let deadline = timers.removeValue(forKey: .preroll(id)) != nil
    rebuilds[id] = Rebuild(
      recipe: deck.ownRecipe, hasDeadline: deadline,
      deadline: clock.after(EngineTiming.deckTeardown) { [weak self] in self?.rebuild(id, hasHung: true) })
    deck.drop()
    return true
  }

  /// Gives up the way of the playing deck's frames after the output failed before showing one. Where they come in the
  /// decoder's own memory, or from the graphics chip, later decks use another way.
  func giveUpWay() {
    guard let id = machine.current?.id, let use = book[id]?.use, use.hasNext, newestFrame?.deck != id,
      let deck = decks[id]
    else { return }
    book.updateEntry(of: id) { $0.use = nil }
    output?.avoidDecoder(use.text)
    tell(.deck(id, .warning(PlaybackErrors.decoderIsSilent(use.text, uri: deck.ownRecipe.item.uri))))
  }

  /// Builds the deck again, now that its predecessor is down or was given up.
  func rebuild(_ id: DeckID, hasHung: Bool = false) {
    guard let rebuild = rebuilds.removeValue(forKey: id) else { return }
    if hasHung { ledger.count(.decksAbandoned) }
    if rebuild.hasDeadline {
      let limit =
        rebuild.recipe.item.isRemote ? machine.policy.remotePrerollDeadline : machine.policy.localPrerollDeadline
      timers[.preroll(id)] = clock.after(limit) { [weak self] in self?.fire(.preroll(id)) }
    }
    build(rebuild.recipe)
  }
}
