// What has been counted, told.

extension PlaybackLedger {
  /// Playback is over: a frame that was due and hasn't come is a stall up to here, and nothing is due any more.
  public mutating func ended(at now: Instant) {
    noteStall(endingAt: now)
    for number in openSeeks.keys.sorted() where openSeeks[number]?.isPassed == true { closeSeek(number) }
    nextDue = nil
    hasEnded = true
  }

  /// Frames that the deck gave to the output and that never came out.
  func lostTail(of deck: Deck) -> Int {
    guard let total = deck.total, total > deck.nextIndex else { return 0 }
    return Int(total - deck.nextIndex)
  }

  /// Counted only now: the last frame may still be on its way out of the sink when playback is over.
  private var lastLostTail: Int {
    guard hasEnded, let last, let deck = decks[last.deck] else { return 0 }
    return lostTail(of: deck)
  }

  /// When something was shown or heard last; nil before that.
  public var lastShownAt: Instant? {
    let heard = decks.values.compactMap { $0.lastSound?.at }.max()
    return [last?.frame.at, heard].compactMap(\.self).max()
  }

  /// What only grows, for whoever reads it again and again.
  public var counters: PlaybackCounters {
    var counters = PlaybackCounters(
      framesRendered: rendered, framesDropped: dropped, stalls: stallsTotal, transitions: transitionsTotal,
      longGaps: longGaps, seeks: seeksTotal, decksAbandoned: abandoned, unexpectedEvents: unexpected,
      outputFaults: outputFaults, clockLosses: clockLosses)
    counters.itemsStarted = itemsStarted
    counters.itemsFailed = itemsFailed
    counters.reconnects = reconnects
    return counters
  }

  /// - Parameter problems: errors that belong to no item, such as those of the output and of the configuration.
  public func report(
    version: String, output: OutputKind?, screen: String?, problems: ProblemLog = ProblemLog(), exitCode: Int32,
    at now: Instant
  ) -> PlaybackReport {
    var items = items
    for deck in decks.values {
      guard let item = deck.item, let sound = deck.lastSound, let rest = restOfSound(deck) else { continue }
      items[item]?.playedSeconds += min(max(now - sound.at, .zero), rest).inSeconds
    }
    if let last, let deck = decks[last.deck], let item = deck.item, !deck.isSoundOnly {
      // The frame on the screen counts for as long as it has been there, at most for its own time.
      items[item]?.playedSeconds +=
        min(max(now - last.frame.at, .zero), deck.lastDuration ?? stay(of: last.frame, deck)).inSeconds
    }
    let listed = items.all.map { item in
      var item = item
      if item.status == "playing" { item.status = "played" }
      return item
    }
    return PlaybackReport(
      version: version, output: output?.rawValue, screen: screen,
      firstFrameMilliseconds: firstFrameAt.map { ($0 - processStart).inMilliseconds }, framesRendered: rendered,
      framesDropped: dropped + lastLostTail, items: listed, stalls: stalls, stallsTotal: stallsTotal,
      gapsMilliseconds: gaps, gapSummary: gapSummary, transitions: transitions, transitionsTotal: transitionsTotal,
      seeks: seeks,
      seeksTotal: seeksTotal, decksAbandoned: abandoned, unexpectedEvents: unexpected,
      outputFaults: outputFaults, clockLosses: clockLosses,
      errors: problems.entries, errorsTotal: problems.total, seconds: (now - processStart).inSeconds, exitCode: exitCode
    )
  }
}
