// The report of the counts.

extension PlaybackStatistics {
  /// Ends the count: a frame that was due and hasn't come counts as a stall up to now, and none is due any more.
  public mutating func ended(at now: Instant) {
    recordStall(endingAt: now)
    for number in openSeeks.keys.sorted() where openSeeks[number]?.isPassed == true { closeSeek(number) }
    nextDue = nil
    hasEnded = true
  }

  /// Frames that the deck gave to the output but that never came out.
  func lostTail(of deck: Deck) -> Int {
    guard let total = deck.total, total > deck.nextIndex else { return 0 }
    return Int(total - deck.nextIndex)
  }

  /// Counted only at the end: the last frame may still be on its way out of the sink when playback ends.
  private var lastLostTail: Int {
    guard hasEnded, let last, let deck = decks[last.deck] else { return 0 }
    return lostTail(of: deck)
  }

  /// When a frame was shown or sound was heard last; nil before the first.
  public var lastShownAt: Instant? {
    let heard = decks.values.compactMap { $0.lastSound?.at }.max()
    return [last?.frame.at, heard].compactMap(\.self).max()
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
      // The frame on the screen counts for as long as it has been there, at most for its own duration.
      items[item]?.playedSeconds +=
        min(max(now - last.frame.at, .zero), deck.lastDuration ?? stay(of: last.frame, deck)).inSeconds
    }
    let listed = items.all.map { item in
      var item = item
      if item.status == "playing" { item.status = "played" }
      return item
    }
    var counters = counters
    counters[.framesDropped] += lastLostTail
    return PlaybackReport(
      version: version, output: output?.rawValue, screen: screen,
      firstFrameMilliseconds: firstFrameAt.map { ($0 - processStart).inMilliseconds }, counters: counters,
      items: listed, stalls: stalls, gapsMilliseconds: gaps, gapSummary: gapSummary, transitions: transitions,
      seeks: seeks, errors: problems.entries, errorsTotal: problems.total, seconds: (now - processStart).inSeconds,
      exitCode: exitCode
    )
  }
}
