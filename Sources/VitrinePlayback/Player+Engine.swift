internal import MainLoop
internal import MediaPipeline
internal import PlaybackCore

// Notices of the engine. They come on the loop, which is the actor's thread.
extension Player: PlayerEngineOwner {
  /// Called by the engine.
  package nonisolated func engine(_ engine: PlayerEngine, tells notice: EngineNotice) {
    assumeIsolated { $0.handleNotice(notice) }
  }

  private func handleNotice(_ notice: EngineNotice) {
    switch notice {
    case .playback(let notice): handlePlaybackNotice(notice)
    case .output(let event): handleOutputEvent(event)
    case .deck(let deck, let event): handleDeckEvent(event, of: deck)
    case .subtitlesChanged(let subtitles): observers.publish(subtitles: subtitles)
    case .outputStuck(let step, let error): outputIsStuck(step, error)
    case .settled: settle()
    case .decoderAvoided, .deckGivenUp, .outputRecovered: break
    }
  }

  private func handlePlaybackNotice(_ notice: PlaybackNotice) {
    guard let engine else { return }
    switch notice {
    case .itemStarted(_, let deck, _, let isAutomatic):
      told.announced = deck
      told.seam = isAutomatic ? deck : nil
    case .itemEnded(let item, _):
      // Compared by item: an item that broke off and was reopened is in another deck than the one that had started.
      if told.started != nil, item == told.startedItem {
        told.hasStartedEnded = true
        told.startedEnd = end(of: item, in: engine.machine)
      }
    case .itemFailed(let item, let error): itemFailed(item, error, in: engine.machine)
    case .waitingChanged(let reason): turn.events.append(.waitingChanged(reason))
    case .seekStarted(let number, let target, _):
      if let deck = engine.machine.current?.id { seeks.started(SeekFlight(number, in: deck), to: target) }
    case .seekEnded(let number, let how):
      let hasVideo = engine.machine.current?.readiness.hasVideo ?? false
      end(seeks.ended(number, how, error: turn.failure, hasVideo: hasVideo))
      if seeks.awaitsFrame { waitForFrame() }
    case .seekDropped: end(seeks.dropped())
    case .roundFailed(let retryAt):
      turn.events.append(.allItemsFailed(retryIn: retryAt.map { $0 - engine.now }))
    case .stoppedAtEnd: told.end = .ofItem
    case .queueEnded: told.end = .ofQueue
    case .itemPreparing, .itemPassed, .reconnecting, .versionChanged, .outputMayChange, .finished, .unexpected: break
    }
  }

  /// Stores facts of coming decks too: they are shown with the deck.
  private func handleDeckEvent(_ event: DeckEvent, of deck: DeckID) {
    var known = facts[deck] ?? DeckFacts()
    switch event {
    case .tracks(let tracks): known.tracks = tracks
    case .metadata(let metadata): known.metadata = metadata
    case .ranges(let ranges): known.ranges = ranges
    case .warning(let problem):
      let decks = [engine?.machine.current, engine?.machine.next].compactMap(\.self)
      if let item = decks.first(where: { $0.id == deck })?.item { turn.events.append(.warning(item, problem)) }
    default: return
    }
    facts[deck] = known
    if deck == shown?.item.deck { shown?.facts = known }
    settle()
  }

  private func handleOutputEvent(_ event: OutputEvent) {
    switch event {
    case .ready:
      guard !told.isInitialised else { return }
      told.isInitialised = true
      turn.events.append(.initialised)
    case .frame(let frame):
      guard frame.wasRendered else { return }
      end(seeks.shown(frame))
    case .failed(let error), .sound(.off(let error)):
      told.problem = error
      turn.events.append(.failed(error))
      settle()
    case .sound(.on):
      // An earlier error of the sound is over.
      if let number = told.problem?.number, SoundErrors.numbers.contains(number) { told.problem = nil }
      settle()
    default: break
    }
  }

  /// Reopens the output: for a window only the sink can be rebuilt. The window's owner is told.
  private func outputIsStuck(_ step: OutputHealth.Step, _ error: VitrineError) {
    guard let engine, step != .passOver else { return }
    told.problem = error
    turn.events.append(.failed(error))
    engine.detach()
    engine.attach(to: configuration.output, sound: configuration.sound, hdr: configuration.hdr)
    settle()
  }

  /// The reason why an item is over, from the other actions of the same event.
  private func end(of item: ItemID, in machine: PlaybackMachine) -> ItemEnd {
    if let error = turn.failedItems[item] { return .failed(error) }
    if machine.queue.index(of: item) == nil { return .removed }
    return turn.isSkipping ? .skipped : .playedOut
  }

  private func itemFailed(_ item: ItemID, _ error: VitrineError, in machine: PlaybackMachine) {
    guard machine.queue.index(of: item) != nil else { return }
    told.itemStatuses[item] = .failed(error)
    turn.failedItems[item] = error
    // The next item's deck may fail while the current one plays on.
    if machine.current?.id != told.current { turn.failure = error }
    told.problem = error
    turn.events.append(.itemFailed(item, error))
  }

  /// Limits the wait for a seek's frame.
  private func waitForFrame() {
    frameTimer = engine?.clock.after(SeekTracker.frameWait) { [weak self] in
      self?.assumeIsolated { player in
        player.frameTimer = nil
        player.end(player.seeks.waitedForFrame())
        player.settle()
      }
    }
  }
}
