// An item from the network whose turn has come and that isn't there: for how long the screen waits for it where another item lies at hand.
// docs/decisions/0180-whose-turn-it-is.md

/// How long the screen waits for a network item whose turn has come, where another item could be shown at once: one whose file is on this
/// machine. Where there is none, it waits as long as opening an item may take. Each number with its reason.
public struct TurnPolicy: Hashable, Sendable, Codable {
  /// For its first frame. Most items have had the whole of the one before to get ready in, and over a good link it takes a second. People
  /// take a picture that stands still for three seconds for a pause, and one that stands for longer for a fault.
  public var opening: Duration = .seconds(3)
  /// The same where it has its first frame and gathers what it needs to go on: it is coming, if slowly.
  public var filling: Duration = .seconds(10)

  public init() {}
}

/// The screen waits for an item.
struct Turn: Hashable, Sendable {
  /// Since when, whatever items it waited for.
  var since: Instant
  /// When another one takes its place, if there is one.
  var due: Instant
}

extension PlaybackMachine {
  /// The deck that the screen waits for, and that may be passed over.
  private var awaited: PlaybackDeck? {
    guard hasOutput, wantsToPlay, suppressions.isEmpty, endAction == .advance, rate > 0, queue.repeatMode != .one,
      queue.count > 1, let current, let deck = current.hasEnded ? next : current
    else { return nil }
    // What has begun and breaks off is waited for by other rules; so is what somebody has asked for.
    guard deck.media.isRemote, !deck.hasBegun, deck.item != askedFor, reconnect?.item != deck.item else { return nil }
    return deck.isPreparing || (deck.buffering.isDry && !deck.readiness.isLive) ? deck : nil
  }

  /// Looks whether the screen waits, since when, and whether that is long enough. After each event.
  mutating func noteTurn() {
    if let current, current.isAnnounced {
      passedOver.remove(current.item)
      if current.hasBegun, askedFor == current.item { askedFor = nil }
    }
    guard let deck = awaited else {
      if turn != nil { emit(.cancelTimer(.turn)) }
      turn = nil
      return
    }
    let since = turn?.since ?? now
    let due = due(for: deck, since: since)
    if now >= due, let (item, passed) = itemAtHand(after: deck.item) {
      return giveTurn(of: deck, to: item, passed)
    }
    let changed = Turn(since: since, due: due)
    guard turn != changed else { return }
    turn = changed
    if due > now { emit(.startTimer(.turn, at: due)) }
  }

  private func due(for deck: PlaybackDeck, since: Instant) -> Instant {
    let most = policy.reconnect.budget
    guard deck.isPreparing else { return since + min(policy.turn.filling, most) }
    let patience = min(policy.turn.opening, most)
    // It was waited for the last time, in vain; now it has as long in all, that of the item before included.
    guard passedOver.contains(deck.item), next?.id == deck.id else { return since + patience }
    return min(max(since, nextSince + patience), since + patience)
  }

  /// Whether its file is on this machine, and may be tried.
  private func isAtHand(_ entry: PlayQueue.Entry) -> Bool {
    !fromStore(entry.item).isRemote && failures.shouldTry(entry.id)
  }

  /// The next item after that one whose file is on this machine, and the queue in which those between have had their turn.
  private func itemAtHand(after item: ItemID) -> (ItemID, PlayQueue)? {
    guard queue.entries.contains(where: { $0.id != item && isAtHand($0) }) else { return nil }
    var passed = queue
    passed.notePassed(item)
    if queue.shuffle == nil {
      guard let place = queue.index(of: item) else { return nil }
      let behind = queue.entries[(place + 1)...]
      let before = queue.repeatMode == .none ? [] : queue.entries[..<place]
      return (behind.first(where: isAtHand) ?? before.first(where: isAtHand)).map { ($0.id, passed) }
    }
    // Twice: a round may have to end before the one that is at hand comes up in the next.
    var candidate = passed.nextOnRequest(after: item)
    for _ in 0...(2 * queue.count) {
      guard let found = candidate, let entry = queue.entry(found) else { return nil }
      if found != item, isAtHand(entry) { return (found, passed) }
      passed.notePassed(found)
      candidate = passed.nextOnRequest(after: found)
    }
    return nil
  }

  /// The item that isn't there is passed over. That is no failure: it has its turn again when the list comes round.
  private mutating func giveTurn(of deck: PlaybackDeck, to item: ItemID, _ passed: PlayQueue) {
    emit(.cancelTimer(.turn))
    turn = nil
    passedOver.insert(deck.item)
    queue = passed
    emit(.tell(.itemPassed(item: deck.item)))
    guard deck.id == current?.id else {
      dropNext()
      nextItem = item
      return prepareNextIfNeeded()
    }
    jump(to: item)
    // Nobody has asked for what takes the place of an item that was never seen: it is the same seam.
    if deck.startsAutomatically { current?.startsAutomatically = true }
  }
}
