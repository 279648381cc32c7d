// What comes in, and what happens while too little does: docs/decisions/0053-buffer-played-out.md.

extension PlaybackDeck {
  /// Whether an empty gauge doesn't hold it back: what is behind the gauge plays on. A deck that hasn't begun has nothing there.
  var playsOnBehindGauge: Bool {
    guard case .playing = phase else { return false }
    return hasBegun && !isPicture && !readiness.isLive
  }
}

extension PlaybackMachine {
  /// Takes the level of a deck's buffer.
  mutating func bufferingChanged(_ id: DeckID, _ percent: Int) {
    guard let deck = deck(id), deck.failure == nil else { return }
    let after = deck.buffering.after(
      level(percent, of: deck), playsOn: deck.playsOnBehindGauge, policy.buffering, at: now)
    let now = now
    update(id) { deck in
      deck.buffering = after
      deck.levelToldAt = now
    }
    if let changed = current, changed.id == id {
      noteFlow(of: changed, before: deck.buffering)
      if let deck = current { watchData(deck) }
    }
    if id == next?.id { armIfDue() }
  }

  private mutating func level(_ percent: Int, of deck: PlaybackDeck) -> BufferLevel {
    dryRuns.removeAll { now - $0 > policy.buffering.memory }
    let needed = policy.buffering.needed(afterDryRuns: dryRuns.count)
    // At its start an item shows what the link is; after that a link may be taken for what it gives.
    let isKnown = deck.hasBegun || reconnect?.item == deck.item
    return BufferLevel(
      percent: percent, scale: deck.bufferScale, needed: needed,
      quickNeeded: isKnown ? policy.buffering.quickNeeded(afterDryRuns: dryRuns.count) : needed)
  }

  private mutating func noteFlow(of deck: PlaybackDeck, before: Buffering) {
    switch (before, deck.buffering) {
    case (.flowing, .draining): checkDrained(deck)
    case (.draining, .flowing): if deck.playsOnBehindGauge { emit(.cancelTimer(.drained(deck.id))) }
    // A fresh deck and one that was sought in begin empty; that says nothing of the link.
    case (.flowing, .dry), (.draining, .dry): if deck.base != nil { dryRuns.append(now) }
    case (.flowing, .flowing), (.draining, .draining), (.dry, _): break
    }
  }

  /// Holds a deck that drains once frames stay away; else looks again when they would have.
  mutating func checkDrained(_ deck: PlaybackDeck) {
    guard case .draining(let since) = deck.buffering, deck.failure == nil, case .playing(let base) = deck.phase,
      deck.leadingEnd == nil
    else { return }
    let interval = deck.progressInterval
    let last = deck.lastFrameAt ?? since
    let due = last + max(policy.buffering.drained, interval * 3)
    guard now >= due else { return emit(.startTimer(.drained(deck.id), at: due)) }
    current?.buffering = .dry(.empty)
    dryRuns.append(now)
    // It goes on with the frame after the last, or from what was heard last, not with what would have been due since.
    hold(deck, base: deck.heardUntil.map { now - $0 } ?? min(now, base + max(.zero, now - last - interval)))
    if let deck = current { watchData(deck) }
  }

  /// A deck that waits for data is to get some.
  private mutating func watchData(_ deck: PlaybackDeck) {
    guard deck.media.isRemote, deck.buffering.isDry, deck.failure == nil else {
      if deck.media.isRemote { emit(.cancelTimer(.silent(deck.id))) }
      return
    }
    emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent))
  }

  mutating func checkSilent(_ deck: PlaybackDeck) {
    guard deck.buffering.isDry, deck.failure == nil, let last = deck.levelToldAt else { return }
    let triesByItself = deck.media.kind == .progressive || deck.media.kind == .adaptive
    let isAlone = triesByItself && !hasAlternative(to: deck.item)
    let due = last + (isAlone ? policy.reconnect.silentAlone : policy.reconnect.silent)
    guard now >= due else { return emit(.startTimer(.silent(deck.id), at: due)) }
    // Nothing is waited for in a pause; the look comes again.
    guard wantsToPlay else { return emit(.startTimer(.silent(deck.id), at: now + policy.reconnect.silent)) }
    breakOff(deck, PlaybackErrors.silent(uri: deck.media.uri))
  }
}
