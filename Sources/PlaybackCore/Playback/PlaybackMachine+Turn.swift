// Turns: how long the screen waits for a network item that isn't ready, where a local item could be shown instead.
// docs/decisions/0180-whose-turn-it-is.md

/// Limits of the screen's wait for a network item whose turn has come, where an item with a file on this machine could
/// be shown at once. Without such an item the wait may last as long as opening an item. Each number has its reason.
public struct TurnPolicy: Hashable, Sendable, Codable {
  /// Wait for the first frame. Most items have had the whole of the previous one to get ready in, and over a good link
  /// it takes a second. Viewers take a picture that stands still for three seconds for a pause, and for longer for a
  /// fault.
  public var opening: Duration = .seconds(3)
  /// Wait for the buffer of an item that has its first frame: it is coming, if slowly.
  public var filling: Duration = .seconds(10)

  public init() {}
}

/// The turn of an item that isn't ready, and the items that were passed over.
struct Turns: Sendable {
  /// The wait for a network item; nil without one.
  var waits: Turn?
  /// Items that were passed over at their last turn.
  var passedOver: Set<ItemID> = []
  /// The item that the user has asked for, until it shows; or the one that played when the output was lost.
  var askedFor: ItemID?
  /// When the next deck was begun.
  var nextSince = Instant(nanoseconds: 0)

  /// When another item may take the place of the deck's.
  ///
  /// - Parameter isNext: whether the deck is the one beside the current one.
  func due(for deck: PlaybackDeck, since: Instant, isNext: Bool, _ policy: PlaybackPolicy) -> Instant {
    let most = policy.reconnect.budget
    guard deck.isPreparing else { return since + min(policy.turn.filling, most) }
    let patience = min(policy.turn.opening, most)
    // The item was waited for at its last turn, in vain: now the time that it had beside the previous item counts too.
    guard passedOver.contains(deck.item), isNext else { return since + patience }
    return min(max(since, nextSince + patience), since + patience)
  }
}

/// The screen's wait for an item.
struct Turn: Hashable, Sendable {
  /// Start of the wait, whichever items it was for.
  var since: Instant
  /// When another item takes its place, if there is one.
  var due: Instant
}

extension PlaybackMachine {
  /// The deck that the screen waits for and that may be passed over.
  private var awaited: PlaybackDeck? {
    guard output.isReady, intent.isToPlay, sequence.endAction == .advance, rate > 0,
      sequence.queue.repeatMode != .one,
      sequence.queue.count > 1, let current, let deck = current.hasEnded ? next : current
    else { return nil }
    // A broken-off item is waited for by the rules of `ReconnectPolicy`, and a requested one for as long as it takes.
    guard deck.media.isRemote, !deck.hasBegun, deck.item != turns.askedFor, !recovery.reconnects(deck.item) else {
      return nil
    }
    return deck.isPreparing || (deck.buffering.isDry && !deck.readiness.isLive) ? deck : nil
  }

  /// Checks after each event whether the screen waits, since when, and whether the wait is over.
  mutating func updateTurn() {
    if let current, current.standing.isAnnounced {
      turns.passedOver.remove(current.item)
      if current.hasBegun, turns.askedFor == current.item { turns.askedFor = nil }
    }
    guard let deck = awaited else {
      if turns.waits != nil { emit(.cancelTimer(.turn)) }
      turns.waits = nil
      return
    }
    let since = turns.waits?.since ?? now
    let due = turns.due(for: deck, since: since, isNext: next?.id == deck.id, policy)
    if now >= due,
      let (item, passed) = sequence.itemAtHand(after: deck.item, where: { !known.fromStore($0).isRemote })
    {
      return giveTurn(of: deck, to: item, passed)
    }
    let changed = Turn(since: since, due: due)
    guard turns.waits != changed else { return }
    turns.waits = changed
    if due > now { emit(.startTimer(.turn, at: due)) }
  }

  /// Passes over an item that isn't ready. That isn't a failure: it has its next turn when the list comes round.
  private mutating func giveTurn(of deck: PlaybackDeck, to item: ItemID, _ passed: PlayQueue) {
    emit(.cancelTimer(.turn))
    turns.waits = nil
    turns.passedOver.insert(deck.item)
    sequence.queue = passed
    emit(.tell(.itemPassed(item: deck.item)))
    guard deck.id == current?.id else {
      dropNext()
      plan(item)
      return prepareNextIfNeeded()
    }
    jump(to: item)
    // The item was never seen, so its replacement wasn't asked for either: the seam stays automatic.
    if deck.standing.startsAutomatically { current?.standing.startsAutomatically = true }
  }
}
