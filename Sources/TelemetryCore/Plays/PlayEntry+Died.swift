public import KioskCore
internal import PlaybackCore

extension PlayEntry {
  /// What was on the screens of a run that has died, as far as that has written it down in memory.
  ///
  /// The start is the moment at which it began to play last, after a pause or a seek; the end is the last round of the run's loop. Frames
  /// aren't in the record.
  ///
  /// Dates are counted back from now: the record's own may be those of a clock that was set since.
  ///
  /// - Parameters:
  ///   - isClockGood: whether something keeps the clock right now.
  ///   - now: milliseconds since 1970.
  ///   - sinceBoot: the same moment on CLOCK_BOOTTIME, which the record has.
  public static func died(in record: RunRecord, isClockGood: Bool, now: Int64, sinceBoot: Duration) -> [PlayEntry] {
    guard record.end == .none, let alive = record.alive else { return [] }
    var screens: [String: RunRecord.Deck] = [:]
    for deck in record.decks where deck.step == .playing {
      // At a seam the one before it has had its end.
      if let other = screens[deck.screen], other.since >= deck.since { continue }
      screens[deck.screen] = deck
    }
    func milliseconds(_ time: Duration) -> Int64 {
      now.clampedAdding((time - sinceBoot).wholeNanoseconds / 1_000_000)
    }
    // The loop says once a second that it lives; whoever died of a signal has said when.
    let last = max(alive, record.crash?.at ?? alive)
    return screens.values.sorted { $0.screen < $1.screen }.map { deck in
      var item = PlayedItem(
        uri: deck.listed, number: deck.number, screen: deck.screen.isEmpty ? nil : deck.screen)
      item.copy = deck.uri == deck.listed ? nil : Redaction.value(deck.uri)
      item.sha256 = deck.sha256
      let end = max(last, deck.since)
      return PlayEntry(
        item, start: milliseconds(deck.since), end: milliseconds(end), seconds: (end - deck.since).inSeconds,
        ending: .died, isClockGood: isClockGood)
    }
  }
}
