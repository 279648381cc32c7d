internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Decks: built, followed, taken down.

extension PlayerEngine {
  func build(_ id: DeckID, _ media: MediaItem, item: ItemID, from position: Duration, rate: Double) {
    let buffer = machine.policy.buffer(for: media)
    let recipe = DeckRecipe(
      id: id, item: media, from: position, rate: rate,
      pictureDuration: media.pictureDuration ?? media.usualPictureDuration ?? machine.policy.pictureDuration,
      decoders: decoders, buffer: buffer, bufferBytes: machine.policy.buffering.bytes(in: buffer),
      keepsSeconds: machine.policy.keepsSeconds(of: media), rtsp: machine.policy.rtsp(for: media),
      servers: currentServers())
    book.open(id, of: item)
    ledger.deckBuilt(id, of: item)
    build(recipe)
  }

  /// The preferences for an item's tracks, with the visitor's choice before them.
  func tracks(for media: MediaItem) -> TrackPreferences { trackWish.applied(to: media.tracks ?? trackPreferences) }

  func build(_ recipe: DeckRecipe) {
    var recipe = recipe
    // Here and not where the recipe is made: one that is built again may be older than the visitor's choice.
    (recipe.tracks, recipe.configuredTracks) = (tracks(for: recipe.item), recipe.item.tracks ?? trackPreferences)
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

  /// Switches a track of a deck on or off; ignored for a deck that is gone.
  package func setTrack(_ id: MediaTrack.ID, isEnabled: Bool, of deck: DeckID) {
    decks[deck]?.setTrack(id, isEnabled: isEnabled)
  }

  /// For tests that act as a deck.
  func deck(_ id: DeckID) -> Deck? { decks[id] as? Deck }

  func drop(_ id: DeckID) {
    decoderWaits[id] = nil
    book.updateEntry(of: id) { $0.silentDecoder = nil }
    rebuilds[id] = nil
    guard let deck = decks.removeValue(forKey: id) else { return wasNeverThere(id) }
    leaving.add(id, givenUpBy: clock.after(EngineTiming.deckTeardown) { [weak self] in self?.giveUp(id) })
    deck.drop()
  }

  func giveUp(_ id: DeckID) {
    guard leaving.remove(id) else { return }
    leaving.giveUp(id, incarnation: book[id]?.incarnation ?? 0)
    tell(.deckGivenUp(id))
    ledger.count(.decksAbandoned)
    deckIsGone(id)
  }

  func deckIsGone(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
    endIfQuiet()
  }

  /// Reports a deck as gone that has no pipeline to take down: it couldn't be made, or is down already in order to be
  /// rebuilt.
  func wasNeverThere(_ id: DeckID) {
    forget(id)
    feed(.deckGone(id))
  }

  /// Forgets a deck's facts. A frame of it may still be on the screen; the ledger keeps its own record for that.
  func forget(_ id: DeckID) {
    ledger.deckGone(id)
    book.close(id)
    subtitles.forget(id)
  }

  func receiveDeckEvent(_ event: DeckEvent, from id: DeckID) {
    if case .gone = event {
      guard leaving.remove(id) else { return }
      return deckIsGone(id)
    }
    // Also for a leaving deck, whose last report this is.
    if case .framesCopied(let count) = event, let item = book[id]?.item {
      return ledger.framesCopied(count, item: item)
    }
    guard decks[id] != nil, let item = book[id]?.item else { return }
    switch event {
    case .ready(let readiness):
      ledger.duration(readiness.duration, item: item)
      if !readiness.hasVideo { ledger.isSoundOnly(id, item: item) }
      // Before the machine starts the deck: the properties found may need another output first.
      tell(.deck(id, event))
      // A live deck was ready before its decoder was found silent, and has been told to play: the deck that replaces it
      // hasn't.
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
      book.updateEntry(of: id) { $0.size = size }
      tell(.settled(isOnlyFrame: false))
    case .seekFinished(let seek, let readiness): feed(.seekFinished(id, seek: seek, readiness))
    case .rateChanged(let rate, let running, let position):
      feed(.rateChanged(id, rate, at: running, position: position))
    case .streamsFound(let hasVideo, let hasSound): feed(.streamsFound(id, hasVideo: hasVideo, hasSound: hasSound))
    case .framesSkipped(let count): ledger.framesSkippedByDecoder(count)
    case .cue, .subtitles:
      subtitles.handleDeckEvent(event, from: id)
      followSubtitles()
    case .tracks(let new):
      book.updateEntry(of: id) { $0.tracks = new }
      subtitles.handleDeckEvent(event, from: id)
      tell(.deck(id, event))
      followSubtitles()
    case .ranges(let new):
      book.updateEntry(of: id) { $0.ranges = new }
      watchRanges()
      tell(.deck(id, event))
    case .metadata(let new):
      book.updateEntry(of: id) { $0.metadata = new }
      tell(.deck(id, event))
    case .framePath(let path):
      ledger.framePath(path, item: item)
      tell(.deck(id, event))
    case .warning: tell(.deck(id, event))
    case .clockLost:
      ledger.count(.clockLosses)
      feed(.clockLost(id))
    case .gone, .decoding, .framesCopied: break
    }
  }

  // MARK: Ranges

  /// Polls the loaded ranges of every deck that loads from a network, at intervals while there is one.
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
