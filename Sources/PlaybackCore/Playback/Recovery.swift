// Recovery from breaks and shortages: its memory, and the decisions that need nothing else.

/// The state of recovery from breaks and shortages.
struct Recovery: Sendable {
  /// The break that the current item is recovering from.
  var reconnect: Reconnect?
  /// Clock losses of all decks, whatever their items: the board is the same.
  var clockLosses = ClockLosses()
  /// Recent times at which playback ran dry, whatever the item: the link is the same.
  var dryRuns: [Instant] = []
  /// For the random part of delays.
  var random: SplitMix64

  init(random: SplitMix64) { self.random = random }

  /// Whether this item is recovering from a break.
  func reconnects(_ item: ItemID) -> Bool { reconnect?.item == item }

  // MARK: Breaks

  /// The next attempt at the deck's item: one more for the break that it is recovering from, or the first for a new one.
  func attempt(
    at deck: PlaybackDeck, after error: VitrineError, _ policy: ReconnectPolicy, at now: Instant
  ) -> Reconnect {
    let known = reconnect.flatMap { $0.item == deck.item ? $0 : nil }
    var attempt = known ?? Reconnect(item: deck.item, since: deck.shown.lastAt ?? now, error: error)
    attempt.attempt += 1
    if deck.isEndless { attempt.isEndless = true }
    if now - attempt.since > policy.eagerFor { attempt.patientTries += 1 }
    return attempt
  }

  /// The pause before that attempt.
  mutating func delay(before attempt: Reconnect, _ policy: ReconnectPolicy) -> Duration {
    policy.delay(attempt: attempt.attempt, patient: attempt.patientTries, random: random.nextFraction())
  }

  /// Restarts the budget of a break that went on while the output was away: that time says nothing about the source.
  ///
  /// - Parameter item: the listed item with which playback begins again; the break of another one is over.
  mutating func beginAnew(with item: ItemID?, at now: Instant) {
    guard let before = reconnect else { return }
    reconnect = nil
    guard item == before.item else { return }
    var again = Reconnect(item: before.item, since: now, error: before.error)
    again.isEndless = before.isEndless
    reconnect = again
  }

  /// Ends the break after enough time without another: the next one counts as a new one.
  mutating func recordProgress(of deck: PlaybackDeck, at position: Duration, _ policy: ReconnectPolicy) {
    guard reconnects(deck.item), !deck.buffering.isBrokenOff else { return }
    if abs((position - deck.motion.origin).inSeconds) >= policy.progress.inSeconds { reconnect = nil }
  }

  /// Whether a station that has been heard is away: servers answer 404 until its studio is connected again.
  func isStationAway(_ deck: PlaybackDeck, _ error: VitrineError) -> Bool {
    error.number == 2404 && (deck.isEndless || reconnect.map { $0.item == deck.item && $0.isEndless } ?? false)
  }

  // MARK: Shortages

  /// The level of a deck's buffer, with the fill that playback needs after the recent dry runs.
  mutating func level(
    _ percent: Int, of deck: PlaybackDeck, _ policy: BufferingPolicy, at now: Instant
  ) -> BufferLevel {
    dryRuns.removeAll { now - $0 > policy.memory }
    let needed = policy.needed(afterDryRuns: dryRuns.count)
    // At its start an item shows how fast the link is; after that the measured speed may be trusted.
    let isKnown = deck.hasBegun || reconnects(deck.item)
    return BufferLevel(
      percent: percent, scale: deck.gauge.scale, needed: needed,
      quickNeeded: isKnown ? policy.quickNeeded(afterDryRuns: dryRuns.count) : needed)
  }
}

/// A break that playback is recovering from.
struct Reconnect: Hashable, Sendable {
  var item: ItemID
  var attempt = 0
  /// Whether the broken-off source has no end of its own.
  var isEndless = false
  /// Tries since `eagerFor` was over.
  var patientTries = 0
  /// When the last frame before the break was shown.
  var since: Instant
  var error: VitrineError
}
