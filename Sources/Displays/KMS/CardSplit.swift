import PlaybackCore

/// How the screens of one card share it: a CRTC and planes for each connector, so that the worst served is served as well as
/// can be (docs/decisions/0124-leases.md).
///
/// Made from the card's snapshot and the connectors that are wanted, plugged in or not, so that a screen that comes later
/// finds its share.
struct CardSplit {
  /// Boards have at most four CRTCs in the reach of one connector, which is 24 ways; beyond that the first are as good.
  private static let mostWays = 64

  private let card: CardSnapshot
  private let held: [CardShare]
  /// Bits of the CRTCs that screens have or get, in the way that is looked at.
  private var usedCRTCs: UInt32 = 0

  /// A connector, and the CRTC that drives it in the way that is looked at.
  private struct Place {
    var connector: ConnectorSnapshot
    var crtc: CRTCSnapshot
    var index: Int
    var primary: UInt32?
  }

  private struct Way {
    var shares: [UInt32: CardShare]
    /// Ranks of the planes, the worst first.
    var ranks: [Int]
  }

  /// - Parameters:
  ///   - connectors: the connectors that need a share, the most important first; those of `held` needn't be among them.
  ///   - held: shares of screens that are already open, which keep them.
  /// - Returns: the new shares by connector. A connector that can't be served beside those before it is missing.
  static func shares(of card: CardSnapshot, among connectors: [UInt32], held: [CardShare] = []) -> [UInt32: CardShare] {
    var wanted = connectors.filter { id in !held.contains { $0.connector == id } }
      .compactMap { id in card.connectors.first { $0.id == id } }
    while !wanted.isEmpty {
      if let way = CardSplit(card: card, held: held, wanted: wanted).best(for: wanted) { return way.shares }
      wanted.removeLast()
    }
    return [:]
  }

  private init(card: CardSnapshot, held: [CardShare], wanted: [ConnectorSnapshot]) {
    self.card = card
    self.held = held
    let taken = Set(held.flatMap(\.planes))
    let own = Set(wanted.map(\.id))
    let foreign = Set(card.connectors.filter { !own.contains($0.id) }.map(\.crtcID))
    // A plane that another of the player's screens shows is free too: clearing takes leased planes off it first. A
    // screen that the player doesn't use keeps its planes, unless its CRTC is needed.
    freePlanes = card.planes.filter { !taken.contains($0.id) }.map {
      var plane = $0
      if !foreign.contains(plane.crtcID) { plane.crtcID = 0 }
      return plane
    }
  }

  /// In the card's own order, like every list of planes here: it may be the order of stacking.
  private let freePlanes: [PlaneSnapshot]

  private func best(for wanted: [ConnectorSnapshot]) -> Way? {
    var best: Way?
    // The ranks that each would have alone: no way can be better.
    let ideal = wanted.map { connector in
      crtcs(for: connector).compactMap {
        PlaneRoles.choose(from: freePlanes, crtc: $0.crtc.id, index: $0.index)?.rank
      }.max() ?? 0
    }.sorted()
    for places in ways(for: wanted) {
      for way in distributions(places) where best.map({ $0.ranks.lexicographicallyPrecedes(way.ranks) }) ?? true {
        best = way
      }
      if best?.ranks == ideal { break }
    }
    return best
  }

  // MARK: CRTCs

  /// The CRTCs that are free for a connector: first the one that drives it now, then those that are off, then the
  /// others in the card's order.
  private func crtcs(for connector: ConnectorSnapshot) -> [(crtc: CRTCSnapshot, index: Int)] {
    let free = card.crtcs.enumerated().filter { index, crtc in
      connector.possibleCRTCs.hasBit(index) && !held.contains { $0.crtc == crtc.id }
    }
    func order(_ crtc: CRTCSnapshot) -> Int { crtc.id == connector.crtcID ? 0 : crtc.mode == nil ? 1 : 2 }
    return free.sorted { (order($0.element), $0.offset) < (order($1.element), $1.offset) }
      .map { ($0.element, $0.offset) }
  }

  private func ways(for wanted: [ConnectorSnapshot]) -> [[Place]] {
    var ways: [[Place]] = []
    func extend(_ places: [Place]) {
      guard ways.count < Self.mostWays else { return }
      guard places.count < wanted.count else { return ways.append(places) }
      let connector = wanted[places.count]
      for (crtc, index) in crtcs(for: connector) where !places.contains(where: { $0.crtc.id == crtc.id }) {
        extend(places + [Place(connector: connector, crtc: crtc, index: index)])
      }
    }
    extend([])
    return ways
  }

  // MARK: Planes

  /// Ways to share out planes: each screen takes all that it can use, or at most one above its primary plane; and each
  /// screen may be the first to choose.
  private func distributions(_ places: [Place]) -> [Way] {
    var split = self
    let taken = card.crtcs.enumerated().filter { _, crtc in
      held.contains { $0.crtc == crtc.id } || places.contains { $0.crtc.id == crtc.id }
    }
    split.usedCRTCs = taken.reduce(0) { $0 | (1 << UInt32(truncatingIfNeeded: $1.offset)) }
    guard let places = split.withPrimaries(places) else { return [] }
    return [false, true].flatMap { isThrifty in
      places.indices.compactMap { first in
        split.deal(to: Array(places[first...] + places[..<first]), isThrifty: isThrifty)
      }
    }
  }

  /// Whether no other of the player's screens could use the plane.
  private func isOwn(_ plane: PlaneSnapshot, of place: Place) -> Bool {
    plane.possibleCRTCs & usedCRTCs == 1 << UInt32(truncatingIfNeeded: place.index)
  }

  private func planes(for place: Place, without taken: Set<UInt32>) -> [PlaneSnapshot] {
    freePlanes.filter {
      $0.possibleCRTCs.hasBit(place.index) && !taken.contains($0.id) && ($0.crtcID == 0 || $0.crtcID == place.crtc.id)
    }
  }

  /// Chooses a primary plane for each screen; screens with the fewest candidates come first.
  private func withPrimaries(_ places: [Place]) -> [Place]? {
    func choices(_ place: Place, _ taken: Set<UInt32>) -> [PlaneSnapshot] {
      planes(for: place, without: taken).filter { $0.kind == .primary && $0.formats.contains(.xrgb8888) }
    }
    var places = places
    var taken: Set<UInt32> = []
    let order = places.indices.sorted { (choices(places[$0], []).count, $0) < (choices(places[$1], []).count, $1) }
    for index in order {
      let free = choices(places[index], taken)
      let lit = free.first { card.plane($0.id)?.crtcID == places[index].crtc.id }
      guard let plane = lit ?? free.first(where: { isOwn($0, of: places[index]) }) ?? free.first else { return nil }
      places[index].primary = plane.id
      taken.insert(plane.id)
    }
    return places
  }

  private func deal(to places: [Place], isThrifty: Bool) -> Way? {
    let primaries = Set(places.compactMap(\.primary))
    var taken = primaries
    var way = Way(shares: [:], ranks: [])
    for place in places {
      guard let roles = roles(for: place, without: taken, isThrifty: isThrifty) else { return nil }
      let share = CardShare(
        connector: place.connector.id, crtc: place.crtc.id,
        planes: [roles.primary] + (roles.video == roles.primary ? [] : [roles.video])
          + (roles.overlay.map { [$0] } ?? []))
      taken.formUnion(share.planes)
      way.shares[place.connector.id] = share
      way.ranks.append(roles.rank)
    }
    for place in places {
      let cursors = planes(for: place, without: taken).filter { $0.kind == .cursor }
      guard let cursor = cursors.first(where: { isOwn($0, of: place) }) ?? cursors.first else { continue }
      taken.insert(cursor.id)
      way.shares[place.connector.id]?.planes.append(cursor.id)
    }
    way.ranks.sort()
    return way
  }

  /// The best use of the planes that are left; of planes that no other screen could use, if they serve as well.
  private func roles(for place: Place, without taken: Set<UInt32>, isThrifty: Bool) -> PlaneRoles? {
    let free = freePlanes.filter { plane in
      plane.id == place.primary
        || (plane.kind != .primary && plane.possibleCRTCs.hasBit(place.index) && !taken.contains(plane.id))
    }
    let own = free.filter { $0.id == place.primary || isOwn($0, of: place) }
    let (best, modest) = (choose(free, place, isThrifty), choose(own, place, isThrifty))
    return modest?.rank == best?.rank ? modest : best
  }

  private func choose(_ planes: [PlaneSnapshot], _ place: Place, _ isThrifty: Bool) -> PlaneRoles? {
    func roles(_ planes: [PlaneSnapshot]) -> PlaneRoles? {
      PlaneRoles.choose(from: planes, crtc: place.crtc.id, index: place.index)
    }
    guard isThrifty else { return roles(planes) }
    var best = roles(planes.filter { $0.id == place.primary })
    for extra in planes where extra.id != place.primary {
      let found = roles(planes.filter { $0.id == place.primary || $0.id == extra.id })
      if (found?.rank ?? -1) > (best?.rank ?? -1) { best = found }
    }
    return best
  }
}
