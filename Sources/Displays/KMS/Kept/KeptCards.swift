import Glibc

/// The cards and leases that outlive a process: those that the process before left, until a screen takes them, and
/// those that are kept for the next. Confined to the loop's thread.
///
/// Why it works: docs/decisions/0126-card-outlives.md.
final class KeptCards {
  /// A lease that was left, with the objects that it covers.
  struct Lease {
    let card: Card
    let share: CardShare
  }

  private let keeper: (any DescriptorStore)?
  /// Cards that were left and that no screen has taken yet.
  private(set) var owners: [Card] = []
  private var leases: [Lease] = []
  /// Leases that fit no screen and still show a picture; closed when their screen shows another.
  private var fading: [Card] = []
  private var leftovers: [ObjectIdentifier: Leftovers] = [:]
  /// The names of the kept files.
  private var names: [ObjectIdentifier: String] = [:]

  /// - Parameter files: the keeper's files; useless ones are closed and forgotten.
  init(keeper: (any DescriptorStore)?, files: [KeptFile]) {
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
      // A file keeps the client capabilities that were set on it; one that wasn't the player's may have none.
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
      adoptCard(card, text)
    }
    for (name, text, card) in found {
      guard case .lease(_, _, let id) = name else { continue }
      let owner = owners.first { $0.path == card.path }
      let isFirst = !leases.contains { $0.card.path == card.path && $0.card.leaseID == id }
      guard isFirst, let owner, owner.lessees().contains(id), let share = card.leasedShare() else {
        spare.append(text)
        continue
      }
      adoptCard(card, text)
      leases.append(Lease(card: card, share: share))
    }
    for name in Set(spare) { keeper?.forget(name) }
    // The keeper forgets all files of a name together: those in use are kept again.
    for card in owners + leases.map(\.card) {
      if let name = names[ObjectIdentifier(card)], spare.contains(name) { keeper?.keep(card.descriptor, as: name) }
    }
  }

  private func adoptCard(_ card: Card, _ name: String) {
    if card.leaseID == nil { owners.append(card) }
    names[ObjectIdentifier(card)] = name
    leftovers[ObjectIdentifier(card)] = Leftovers(on: card)
  }

  // MARK: Files of the process before

  /// The card at a path, if the process before left it.
  func owner(_ path: String) -> Card? { owners.first { $0.path == path } }

  /// The objects that an earlier process left on that file; nil if only this process has used it.
  func leftovers(on card: Card) -> Leftovers? { leftovers[ObjectIdentifier(card)] }

  /// Whether a dead process used that card, all of it or a lease.
  func wasLeft(_ path: String) -> Bool { leftovers.values.contains { $0.card.path == path } }

  /// The leases of a card that no screen has taken yet.
  func leases(of owner: Card) -> [Lease] { leases.filter { $0.card.path == owner.path } }

  /// Revokes the leases of a card, because they don't fit the present screens. Their pictures stay until `settled`.
  func giveUpLeases(of owner: Card) {
    for lease in leases(of: owner) {
      owner.revoke(lease.card)
      forget(lease.card)
      fading.append(lease.card)
    }
    leases.removeAll { $0.card.path == owner.path }
  }

  /// Hands a card or lease over to a screen, which calls `keep` and `forget` for it from now on.
  func claim(_ card: Card) {
    owners.removeAll { $0 === card }
    leases.removeAll { $0.card === card }
  }

  /// A display shows its own picture on this card or lease: removes the pictures of earlier processes there.
  func settled(on card: Card) {
    fading.removeAll { $0.path == card.path }
    // The pictures on the whole card, if it is shared by now. Displays on its leases settle their own.
    if card.leaseID == nil, let left = leftovers[ObjectIdentifier(card)] { left.removeAll() }
  }

  /// Gives up all files that are left: their screens go dark, and the console gets them.
  func giveUpRest() {
    for card in leases.map(\.card) + owners { forget(card) }
    fading = []
    leases = []
    owners = []
  }

  // MARK: Files for the next process

  /// Whether the picture stays when this process ends.
  var isKeeping: Bool { keeper != nil && !names.isEmpty }

  /// Makes the file outlive this process. One call is enough.
  func keep(_ card: Card, as name: KeptName) {
    guard let keeper, names[ObjectIdentifier(card)] == nil else { return }
    names[ObjectIdentifier(card)] = name.text
    keeper.keep(card.descriptor, as: name.text)
  }

  /// Ends the keeping of a file. Must be called before the card is released, or another program would find the screen
  /// dark and the card still taken.
  func forget(_ card: Card) {
    leftovers[ObjectIdentifier(card)] = nil
    guard let name = names.removeValue(forKey: ObjectIdentifier(card)) else { return }
    keeper?.forget(name)
  }
}

extension Card {
  /// The objects that a lease covers, sorted by kind; nil if they aren't those of one screen.
  fileprivate func leasedShare() -> CardShare? {
    guard let card = try? snapshot() else { return nil }
    guard card.connectors.count == 1, card.crtcs.count == 1, !card.planes.isEmpty else { return nil }
    let primary = card.planes.filter { $0.kind == .primary } + card.planes.filter { $0.kind != .primary }
    return CardShare(connector: card.connectors[0].id, crtc: card.crtcs[0].id, planes: primary.map(\.id))
  }
}
