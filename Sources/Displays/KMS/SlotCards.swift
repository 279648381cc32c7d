import PlaybackCore

/// Gives one of several displays its card: a whole card if the display is alone on it, else a lease.
struct SlotCards: CardSource {
  /// The result of the last grant.
  final class Grant {
    fileprivate(set) var owner: Card?
    /// Nil for a whole card, like `share`.
    fileprivate(set) var lease: Card?
    fileprivate(set) var share: CardShare?
  }
  let granted = Grant()
  let slot: KMSSlot
  let request: KMSRequest
  let screens: KMSScreens

  private var others: [KMSSlot] { screens.slots.filter { $0 !== slot } }

  func openCard(_ path: String) throws(VitrineError) -> Card {
    // A card that was removed for good doesn't answer, and another may have its path by now.
    let own = screens.slots.compactMap { $0.holding?.owner }.first { $0.path == path && $0.hasScreens }
    if let own { return own }
    // Another open file couldn't become master: the file that was kept still is.
    if let left = screens.kept.owner(path) { return left }
    return try Card.openForScreens(path) { (path) throws(DRMFailure) in try screens.openCard(path) }
  }

  /// Hides the connectors that other screens have or name, if this screen takes any that is free.
  func part(of card: CardSnapshot) -> CardSnapshot {
    guard request.connector == KMSRequest.auto else { return card }
    var card = card
    let taken = connectors(on: card, of: others)
    card.connectors.removeAll { taken.contains($0.id) }
    return card
  }

  func grant(_ candidate: CardChoice.Candidate, of card: Card) throws(VitrineError) -> (Card, CardChoice.Candidate) {
    granted.owner = card
    (granted.lease, granted.share) = (nil, nil)
    let connector = candidate.plan.connector.id
    if let kept = keptLease(of: card, connector), let share = slot.holding?.share {
      (granted.lease, granted.share) = (kept, share)
      return (kept, try plan(for: kept))
    }
    let isShared = isShared(candidate.card, card)
    if let left = try leftLease(of: card, connector, isShared: isShared) {
      (granted.lease, granted.share) = (left.card, left.share)
      return (left.card, try plan(for: left.card))
    }
    guard isShared else { return (card, candidate) }
    let share = try share(of: card, for: connector)
    let lease: Card
    do throws(DRMFailure) {
      for other in others where other.holding?.owner === card { other.leaveRest() }
      let clearing = share.clearing(try card.snapshot())
      if !clearing.assignments.isEmpty { try card.commit(clearing, .modeset) }
      lease = try card.lease(share.objects)
    } catch {
      throw KMSError.leaseRefused(
        "\(card.path) \(candidate.plan.connector.name)", detail: error.description)
    }
    (granted.lease, granted.share) = (lease, share)
    return (lease, try plan(for: lease))
  }

  /// The lease from before the screen was unplugged, if it fits the request.
  private func keptLease(of card: Card, _ connector: UInt32) -> Card? {
    guard let kept = slot.kept, let holding = slot.holding, holding.owner === card, kept !== card,
      holding.share.connector == connector, kept.hasScreens
    else { return nil }
    return kept
  }

  func leftovers(on card: Card) -> Leftovers? { screens.kept.leftovers(on: card) }
  func wasLeft(_ card: Card) -> Bool { screens.kept.wasLeft(card.path) }

  /// The lease that the process before had for this screen, if the card is still shared in the same way. Otherwise all
  /// of that card's leases are revoked.
  private func leftLease(of card: Card, _ connector: UInt32, isShared: Bool) throws(VitrineError) -> KeptCards.Lease? {
    let left = screens.kept.leases(of: card)
    guard !left.isEmpty else { return nil }
    let snapshot = try card.snapshotOrTell()
    let held = screens.slots.compactMap(\.holding).filter { $0.owner === card }.map(\.share.connector)
    let leased = Set(left.map(\.share.connector) + held)
    let wanting = screens.slots.filter { wants($0, snapshot, card) }
    let named = Set(connectors(on: snapshot, of: wanting) + [connector])
    if isShared, named.isSubset(of: leased), wanting.count == leased.count {
      return left.first { $0.share.connector == connector }
    }
    screens.kept.giveUpLeases(of: card)
    return nil
  }

  private func wants(_ slot: KMSSlot, _ snapshot: CardSnapshot, _ card: Card) -> Bool {
    if let holding = slot.holding { return holding.owner === card }
    guard let wanted = slot.wanted, snapshot.isNamed(wanted.card) else { return false }
    return wanted.connector == KMSRequest.auto || snapshot.connectors.contains { $0.name == wanted.connector }
  }

  private func isShared(_ snapshot: CardSnapshot, _ card: Card) -> Bool {
    others.contains { wants($0, snapshot, card) }
  }

  private func share(of card: Card, for connector: UInt32) throws(VitrineError) -> CardShare {
    let snapshot = try card.snapshotOrTell()
    let name = snapshot.connectors.first { $0.id == connector }?.name ?? ""
    // Without the slot's earlier lease, which is given up for this one.
    screens.giveUpKept(slot)
    let held = others.compactMap(\.holding).filter { $0.owner === card }.map(\.share)
    guard !held.contains(where: { $0.connector == connector }) else {
      throw KMSError.noShare("\(card.path) \(name)", message: "another screen of this configuration has this connector")
    }
    let wanted = screens.slots.flatMap { $0 === slot ? [connector] : connectors(on: snapshot, of: [$0]) }
    guard let share = CardSplit.shares(of: snapshot, among: wanted, held: held)[connector] else {
      throw KMSError.noShare(
        "\(card.path) \(name)", message: "the card can't drive this screen beside the others of this configuration")
    }
    return share
  }

  /// The connectors of a card that slots have, or have named.
  private func connectors(on card: CardSnapshot, of slots: [KMSSlot]) -> [UInt32] {
    slots.compactMap { slot in
      if let holding = slot.holding { return holding.owner.path == card.path ? holding.share.connector : nil }
      guard let wanted = slot.wanted, card.isNamed(wanted.card) else { return nil }
      return card.connectors.first { $0.name == wanted.connector }?.id
    }
  }

  private func plan(for lease: Card) throws(VitrineError) -> CardChoice.Candidate {
    let card = try lease.snapshotOrTell()
    return CardChoice.Candidate(card: card, plan: try DisplayPlan.choose(card: card, request: request).get())
  }
}
