internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Decks: built, told of, taken down.

extension PlayerEngine {
  func build(_ id: DeckID, _ media: MediaItem, item: ItemID, from position: Duration, rate: Double) {
    let buffer = machine.policy.buffer(for: media)
    let recipe = DeckRecipe(
      id: id, item: media, from: position, rate: rate,
      pictureDuration: media.pictureDuration ?? media.usualPictureDuration ?? machine.policy.pictureDuration,
      tracks: media.tracks ?? trackPreferences,
      decoders: decoders, buffer: buffer, bufferBytes: machine.policy.buffering.bytes(in: buffer),
      keepsSeconds: machine.policy.keepsSeconds(of: media), rtsp: machine.policy.rtsp(for: media),
      servers: currentServers())
    book.open(id, of: item)
    ledger.deckBuilt(id, of: item)
    build(recipe)
  }

  func build(_ recipe: DeckRecipe) {
    let (id, media) = (recipe.id, recipe.item)
    guard let output else { return wasNeverThere(id) }
    if let error = withholds?(media) { return feed(.deckFailed(id, error)) }
    let incarnation = book[id]?.incarnation ?? 0
    do {
      let deck = try output.engineDeck(recipe, cards: cardPainter) { [weak mailbox] event in
        mailbox?.post(.deck(id, incarnation: incarnation, event))
      }
      decks[id] = deck
      deck.prepare()
      if media.isRemote { watchRanges() }
    } catch {
      feed(.deckFailed(id, error))
    }
  }

  /// Switches a track of a deck on or off; of a deck that is gone it does nothing.
  package func setTrack(_ id: MediaTrack.ID, isEnabled: Bool, of deck: DeckID) {
    decks[deck]?.setTrack(id, isEnabled: isEnabled)
  }

  /// For tests that speak in a deck's name.
  func deck(_ id: DeckID) -> Deck? { decks[id] as? Deck }

  func drop(_ id: DeckID) {
    decoderWaits[id] = nil
    book.noteFact(of: id) { $0.silentDecoder = nil }
    rebuilds[id] = nil
    guard let deck = decks.removeValue(forKey: id) else { return wasNeverThere(id) }
    leaving[id] = clock.after(EngineTiming.deckTeardown) { [weak self] in self?.giveUp(id) }
    deck.drop()
  }

  func giveUp(_ id: DeckID) {
    guard leaving.removeValue(forKey: id) != nil else { return }
    hungDecks[id] = book[id]?.incarnation ?? 0
    owner?.engine(self, gaveUp: id)
    ledger.deckAbandoned()
    deckIsGone(id)
  }

  func deckIsGone(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
    endIfQuiet()
  }

  /// There is nothing to take down: it couldn't be made, or is down already to be made anew.
  func wasNeverThere(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
  }

  /// What is known of a deck goes with it. A frame of it may still be on the screen; what the ledger needs of that it keeps.
  func forget(_ id: DeckID) {
    ledger.deckGone(id)
    book.close(id)
    subtitles.forget(id)
  }

  func receiveDeckEvent(_ event: DeckEvent, from id: DeckID) {
    if case .gone = event {
      guard leaving.removeValue(forKey: id) != nil else { return }
      return deckIsGone(id)
    }
    // Also of a deck that is on its way out, which tells it last.
    if case .framesCopied(let count) = event, let item = book[id]?.item {
      return ledger.framesCopied(count, item: item)
    }
    guard decks[id] != nil, let item = book[id]?.item else { return }
    switch event {
    case .ready(let readiness):
      ledger.duration(readiness.duration, item: item)
      if !readiness.hasVideo { ledger.isSoundOnly(id, item: item) }
      // Before the machine has it begin: what it turned out to be may need another output first.
      owner?.engine(self, deck: id, tells: event)
      // One on air was ready before its decoder was found silent, and has been told to play: the one in its place has not.
      let base = machine.deck(id)?.base
      feed(.deckReady(id, readiness))
      if let base, machine.deck(id)?.base == base { decks[id]?.play(base: base, showsFirst: false) }
    case .failed(let error): feed(.deckFailed(id, error))
    case .decoderIsWorn(let decoder):
      let uri = decks[id]?.ownRecipe.item.uri ?? ""
      feed(.deckFailed(id, PlaybackErrors.decoderIsWorn(decoder, uri: uri)))
    case .streamEnded(let kind, let end, let buffers, let lastDuration):
      switch kind {
      case .video: ledger.videoEnded(deck: id, frames: buffers, lastFrameDuration: lastDuration)
      case .sound: ledger.soundEnded(deck: id, at: end)
      }
      feed(.streamEnded(id, kind, at: end))
    case .durationChanged(let duration):
      ledger.duration(duration, item: item)
      feed(.durationChanged(id, duration))
    case .kindFound(let kind): feed(.kindFound(id, kind))
    case .listFound(let medium, let text, let reach):
      let entry = machine.queue.entry(item)?.item
      feed(.listFound(id, entry.flatMap { readList?(text, medium, $0, reach) } ?? []))
    case .buffering(let percent): feed(.bufferingChanged(id, percent: percent))
    case .gapAhead(let running): feed(.gapAhead(id, until: running))
    case .mediaSize(let size, let interval):
      ledger.mediaSize(size, item: item)
      if let interval { ledger.frameInterval(interval, deck: id, item: item) }
      book.noteFact(of: id) { $0.size = size }
      owner?.engineDidSettle(self)
    case .seekFinished(let seek, let readiness): feed(.seekFinished(id, seek: seek, readiness))
    case .rateChanged(let rate, let running, let position):
      feed(.rateChanged(id, rate, at: running, position: position))
    case .streamsFound(let hasVideo, let hasSound): feed(.streamsFound(id, hasVideo: hasVideo, hasSound: hasSound))
    case .framesSkipped(let count): ledger.framesSkippedByDecoder(count)
    case .cue, .subtitles:
      subtitles.takeDeckEvent(event, from: id)
      followSubtitles()
    case .tracks:
      subtitles.takeDeckEvent(event, from: id)
      owner?.engine(self, deck: id, tells: event)
      followSubtitles()
    case .ranges(let new):
      book.noteFact(of: id) { $0.ranges = new }
      watchRanges()
      owner?.engine(self, deck: id, tells: event)
    case .metadata(let new):
      book.noteFact(of: id) { $0.metadata = new }
      owner?.engine(self, deck: id, tells: event)
    case .framePath(let path):
      ledger.framePath(path, item: item)
      owner?.engine(self, deck: id, tells: event)
    case .warning: owner?.engine(self, deck: id, tells: event)
    case .clockLost:
      ledger.clockLost()
      feed(.clockLost(id))
    case .gone, .decoding, .framesCopied: break
    }
  }

  // MARK: Ranges

  /// Has every deck that loads from a network look how far it is, now and then while there is any.
  func watchRanges() {
    guard rangesTimer == nil else { return }
    rangesTimer = clock.after(EngineTiming.rangesInterval) { [weak self] in
      guard let self else { return }
      rangesTimer = nil
      let loading = [machine.current, machine.next].compactMap(\.self).filter { deck in
        deck.media.isRemote && !(book[deck.id]?.ranges?.reachEnd(of: deck.readiness.duration) ?? false)
      }
      for deck in loading { decks[deck.id]?.refreshRanges() }
      if !loading.isEmpty { watchRanges() }
    }
  }
}
