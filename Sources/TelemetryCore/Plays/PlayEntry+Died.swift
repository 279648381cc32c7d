public import KioskCore
internal import PlaybackCore

extension PlayEntry {
  /// The plays that a dead run had on its screens, according to the record that it left in memory.
  ///
  /// The start is the moment at which the item last began to play, after a pause or a seek; the end is the last round
  /// of the run's loop. The record has no frame counts.
  ///
  /// Dates are counted back from now: the record's own may come from a clock that was set since.
  ///
  /// - Parameters:
  ///   - isClockGood: whether the clock is synchronised now.
  ///   - now: milliseconds since 1970.
  ///   - sinceBoot: the same moment on CLOCK_BOOTTIME, the record's clock.
  public static func died(in record: CrashRecord, isClockGood: Bool, now: Int64, sinceBoot: Duration) -> [PlayEntry] {
    guard record.end == .none, let alive = record.alive else { return [] }
    var screens: [String: CrashRecord.Deck] = [:]
    for deck in record.decks where deck.step == .playing {
      // At a seam, the earlier item has ended already.
      if let other = screens[deck.screen], other.since >= deck.since { continue }
      screens[deck.screen] = deck
    }
    func milliseconds(_ time: Duration) -> Int64 {
      now.clampedAdding((time - sinceBoot).wholeNanoseconds / 1_000_000)
    }
    // The loop records once a second that it runs; a crash handler recorded the time of a fatal signal.
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
