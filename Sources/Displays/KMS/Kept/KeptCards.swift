import Glibc

/// The cards and leases that outlive this process: what the process before has left, until a screen takes it, and what is
/// kept of ours. Confined to the loop's thread.
///
/// Why it works: docs/decisions/0126-card-outlives.md.
final class KeptCards {
  /// A lease that was left, with what it is of.
  struct Lease {
    let card: Card
    let share: CardShare
  }

  private let keeper: (any CardKeeper)?
  /// Nobody's yet.
  private(set) var owners: [Card] = []
  private var leases: [Lease] = []
  /// Leases that fit nothing and that still show something; closed when their screen shows something else.
  private var fading: [Card] = []
  private var leftovers: [ObjectIdentifier: Leftovers] = [:]
  /// Under which name each is kept.
  private var names: [ObjectIdentifier: String] = [:]

  /// - Parameter files: what the keeper has handed over; what is of no use is closed and forgotten.
  init(keeper: (any CardKeeper)?, files: [KeptFile]) {
    self.keeper = keeper
    var found: [(name: KeptName, text: String, card: Card)] = []
    for file in files {
      guard let name = KeptName(file.name), let path = Card.path(of: file.descriptor) else {
        close(file.descriptor)
        keeper?.forget(file.name)
        continue
      }
      let id: UInt32? = if case .lease(_, _, let id) = name { id } else { nil }
      let card = Card(path: path, adopting: file.descriptor, leaseID: id)
      // What a file was told of its card's abilities it still knows; another's may have been told nothing.
      guard (try? card.enableAtomic()) != nil else {
        keeper?.forget(file.name)
        continue
      }
      found.append((name, file.name, card))
    }
    var spare: [String] = []
    for (name, text, card) in found {
      guard case .card = name else { continue }
      guard !owners.contains(where: { $0.path == card.path }), card.hasScreens, card.isMaster else {
        spare.append(text)
        continue
      }
      takeCard(card, text)
    }
    for (name, text, card) in found {
      guard case .lease(_, _, let id) = name else { continue }
      let owner = owners.first { $0.path == card.path }
      let isFirst = !leases.contains { $0.card.path == card.path && $0.card.leaseID == id }
      guard isFirst, let owner, owner.lessees().contains(id), let share = card.leasedShare() else {
        spare.append(text)
        continue
      }
      takeCard(card, text)
      leases.append(Lease(card: card, share: share))
    }
    for name in Set(spare) { keeper?.forget(name) }
    // All of a name are forgotten together.
    for card in owners + leases.map(\.card) {
      if let name = names[ObjectIdentifier(card)], spare.contains(name) { keeper?.keep(card.descriptor, as: name) }
    }
  }

  private func takeCard(_ card: Card, _ name: String) {
    if card.leaseID == nil { owners.append(card) }
    names[ObjectIdentifier(card)] = name
    leftovers[ObjectIdentifier(card)] = Leftovers(on: card)
  }

  // MARK: What was left

  /// The card at a path, as it was left.
  func owner(_ path: String) -> Card? { owners.first { $0.path == path } }

  /// What a dead process has left on that file; nil where it has been ours alone.
  func leftovers(on card: Card) -> Leftovers? { leftovers[ObjectIdentifier(card)] }

  /// Whether a dead process has had that card, as a whole or a lease of it.
  func wasLeft(_ path: String) -> Bool { leftovers.values.contains { $0.card.path == path } }

  /// The leases of a card that nobody has taken yet.
  func leases(of owner: Card) -> [Lease] { leases.filter { $0.card.path == owner.path } }

  /// They are for other screens than those that are wanted now. What they show stays until `settled`.
  func giveUpLeases(of owner: Card) {
    for lease in leases(of: owner) {
      owner.revoke(lease.card)
      forget(lease.card)
      fading.append(lease.card)
    }
    leases.removeAll { $0.card.path == owner.path }
  }

  /// A screen has taken it: what becomes of it is told by `keep` and `forget` from now on.
  func claim(_ card: Card) {
    owners.removeAll { $0 === card }
    leases.removeAll { $0.card === card }
  }

  /// A display shows on this card, or on a lease of it, what it is to show.
  func settled(on card: Card) {
    fading.removeAll { $0.path == card.path }
    // Of a card that is shared now, what was shown on it as a whole. Those on its leases settle each for itself.
    if card.leaseID == nil, let left = leftovers[ObjectIdentifier(card)] { left.removeAll() }
  }

  /// Nobody will take what is left: its screens go dark, and the console has them.
  func giveUpRest() {
    for card in leases.map(\.card) + owners { forget(card) }
    fading = []
    leases = []
    owners = []
  }

  // MARK: What is ours

  /// Whether what is shown stays when this process is gone.
  var isKeeping: Bool { keeper != nil && !names.isEmpty }

  /// Has the file outlive this process. Once is enough.
  func keep(_ card: Card, as name: KeptName) {
    guard let keeper, names[ObjectIdentifier(card)] == nil else { return }
    names[ObjectIdentifier(card)] = name.text
    keeper.keep(card.descriptor, as: name.text)
  }

  /// It is given back: to be called before it is, so that nobody finds the screen dark and its card taken.
  func forget(_ card: Card) {
    leftovers[ObjectIdentifier(card)] = nil
    guard let name = names.removeValue(forKey: ObjectIdentifier(card)) else { return }
    keeper?.forget(name)
  }
}

extension Card {
  /// What a lease is of, by its kinds; nil where it isn't of one screen.
  fileprivate func leasedShare() -> CardShare? {
    guard let card = try? snapshot() else { return nil }
    guard card.connectors.count == 1, card.crtcs.count == 1, !card.planes.isEmpty else { return nil }
    let primary = card.planes.filter { $0.kind == .primary } + card.planes.filter { $0.kind != .primary }
    return CardShare(connector: card.connectors[0].id, crtc: card.crtcs[0].id, planes: primary.map(\.id))
  }
}
