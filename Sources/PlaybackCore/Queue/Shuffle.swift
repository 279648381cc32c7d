/// SplitMix64: a small seeded generator with the same numbers on every machine. Not for secrets.
public struct SplitMix64: RandomNumberGenerator, Hashable, Sendable {
  var state: UInt64

  public init(state: UInt64) { self.state = state }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// 0..<1.
  public mutating func nextFraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// Mixes the bits of a number; a bijection.
  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A round of a shuffled queue.
///
/// The order isn't a list: each entry has a random rank in each round, made from seed, round and identity, and the
/// entry of the lowest rank that hasn't had its turn is next. So an edit changes no other entry's turn, and there is no
/// second list to keep in step with the queue.
struct ShuffleRound: Hashable, Sendable, Codable {
  var number: UInt64 = 0
  /// Entries that have had their turn in this round.
  var played: Set<ItemID> = []

  /// Gives an entry its turn. If all entries have had theirs, a new round begins with it.
  mutating func markPlayed(_ id: ItemID, among entries: [PlayQueue.Entry]) {
    if played.contains(id), entries.allSatisfy({ played.contains($0.id) }) {
      number += 1
      played = []
    }
    played.insert(id)
  }

  /// The next entry in turn after `id`.
  ///
  /// - Parameters:
  ///   - playing: the item on the screen now; it isn't repeated at once unless there is no other.
  ///   - wraps: whether another round follows this one.
  func next(among entries: [PlayQueue.Entry], seed: UInt64, after id: ItemID?, playing: ItemID?, wraps: Bool)
    -> ItemID?
  {
    let open = entries.filter { $0.id != id && !played.contains($0.id) }
    if !open.isEmpty { return lowest(of: open, seed: seed, round: number, avoiding: [playing]) }
    guard wraps || id == nil else { return nil }
    return lowest(of: entries, seed: seed, round: number + 1, avoiding: [id, playing])
      ?? lowest(of: entries, seed: seed, round: number + 1, avoiding: [id])
  }

  private func lowest(of entries: [PlayQueue.Entry], seed: UInt64, round: UInt64, avoiding: Set<ItemID?>) -> ItemID? {
    let allowed = entries.filter { !avoiding.contains($0.id) }
    let base = SplitMix64.mix(SplitMix64.mix(seed &+ 0x9E37_79B9_7F4A_7C15) &+ round)
    let rank = { (id: ItemID) in SplitMix64.mix(base ^ SplitMix64.mix(id.rawValue)) }
    let candidates = allowed.isEmpty ? entries : allowed
    return candidates.map { (rank: rank($0.id), id: $0.id) }.min { $0 < $1 }?.id
  }
}
