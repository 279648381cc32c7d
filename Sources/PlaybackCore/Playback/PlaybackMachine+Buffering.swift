// Levels of buffers, and playback while they are too low: decision 0053.

extension PlaybackDeck {
  /// Whether the deck plays on while its gauge is empty, with the data behind the gauge. A deck that hasn't begun has
  /// none there.
  var playsOnBehindGauge: Bool {
    guard case .playing = phase else { return false }
    return hasBegun && !isPicture && !readiness.isLive
  }
}

extension PlaybackMachine {
  /// Handles the level of a deck's buffer.
  mutating func bufferingChanged(_ id: DeckID, _ percent: Int) {
    guard let deck = deck(id), !deck.buffering.isBrokenOff else { return }
    let after = deck.buffering.after(
      recovery.level(percent, of: deck, policy.buffering, at: now), playsOn: deck.playsOnBehindGauge, policy.buffering,
      at: now)
    let now = now
    update(id) { deck in
      deck.buffering = after
      deck.gauge.toldAt = now
    }
    if let changed = current, changed.id == id {
      handleBufferingChange(of: changed, before: deck.buffering)
      if let deck = current { watchData(deck) }
    }
    if id == next?.id { armIfDue() }
  }

  private mutating func handleBufferingChange(of deck: PlaybackDeck, before: Buffering) {
    switch (before, deck.buffering) {
    case (.ready, .underrun): checkDrained(deck)
    case (.underrun, .ready): if deck.playsOnBehindGauge { emit(.cancelTimer(.drained(deck.id))) }
    // A fresh deck, and one after a seek, begins with an empty buffer; that says nothing about the link.
    case (.ready, .rebuffering), (.underrun, .rebuffering): if deck.base != nil { recovery.dryRuns.append(now) }
    case (.ready, .ready), (.underrun, .underrun), (.rebuffering, _), (.brokenOff, _), (_, .brokenOff): break
    }
  }

  /// Holds a underrun deck once frames stay away; otherwise sets the timer for the next check.
  mutating func checkDrained(_ deck: PlaybackDeck) {
    guard case .underrun(let since) = deck.buffering, case .playing(let base, _) = deck.phase,
      deck.leadingEnd == nil
    else { return }
    let interval = deck.progressInterval
    let last = deck.shown.lastAt ?? since
    let due = last + max(policy.buffering.drained, interval * 3)
    guard now >= due else { return emit(.startTimer(.drained(deck.id), at: due)) }
    current?.buffering = .rebuffering(.empty)
    recovery.dryRuns.append(now)
    // The deck resumes with the frame after the last, or with the sound after the last heard, rather than with what
    // would be due now.
    hold(deck, base: deck.shown.heardUntil.map { now - $0 } ?? min(now, base + max(.zero, now - last - interval)))
    if let deck = current { watchData(deck) }
  }

  /// Starts the watch for data on a deck that waits for them.
  private mutating func watchData(_ deck: PlaybackDeck) {
    guard deck.media.isRemote, deck.buffering.isDry else {
      if deck.media.isRemote { emit(.cancelTimer(.silent(deck.id))) }
      return
    }
    emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent))
  }

  mutating func checkSilent(_ deck: PlaybackDeck) {
    guard deck.buffering.isDry, let last = deck.gauge.toldAt else { return }
    let triesByItself = deck.media.kind == .progressive || deck.media.kind == .adaptive
    let isAlone = triesByItself && !hasAlternative(to: deck.item)
    let due = last + (isAlone ? policy.reconnect.silentAlone : policy.reconnect.silent)
    guard now >= due else { return emit(.startTimer(.silent(deck.id), at: due)) }
    // During a pause no data are waited for; the check is repeated.
    guard intent.wantsToPlay else { return emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent)) }
    breakOff(deck, PlaybackErrors.silent(uri: deck.media.uri))
  }
}
