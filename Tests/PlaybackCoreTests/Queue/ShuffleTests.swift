import Testing

@testable import PlaybackCore

@Suite("Queue: shuffle")
struct ShuffleTests {
  @Test("A round plays each item once, and another round has another order", arguments: 0..<50 as Range<UInt64>)
  func rounds(seed: UInt64) {
    var queue = queue("abcdefgh", .all, shuffle: seed)
    let played = Array(queue.play(8 * 20))
    var rounds: Set<String> = []
    for start in stride(from: 0, to: played.count, by: 8) {
      let round = played[start..<(start + 8)]
      #expect(round.sorted() == Array("abcdefgh"))
      rounds.insert(String(round))
      if start > 0 { #expect(played[start] != played[start - 1], "repeated across the border of rounds") }
    }
    #expect(rounds.count > 15)
  }

  @Test("The seed determines the order")
  func seeds() {
    let orders = (0..<20 as Range<UInt64>).map { seed in
      var queue = queue("abcdefgh", shuffle: seed)
      return queue.play(8)
    }
    #expect(Set(orders).count == 20)
    var again = queue("abcdefgh", shuffle: 3)
    #expect(again.play(8) == orders[3])
  }

  @Test("Every order of three is about as likely as another")
  func uniform() {
    var counts: [String: Int] = [:]
    for seed in 0..<6000 as Range<UInt64> {
      var queue = queue("abc", shuffle: seed)
      counts[queue.play(3), default: 0] += 1
    }
    #expect(counts.count == 6)
    // Standard deviation 29.
    for (order, count) in counts { #expect((850...1150).contains(count), "\(order): \(count)") }
  }

  @Test("Two items alternate for ever")
  func two() {
    var queue = queue("ab", .all, shuffle: 9)
    let played = Array(queue.play(100))
    for (a, b) in zip(played, played.dropFirst()) { #expect(a != b) }
  }

  @Test("Without repeat, shuffle ends after one round and can be started again")
  func once() throws {
    var queue = queue("abcd", shuffle: 5)
    let played = queue.play(6)
    #expect(played.count == 5 && played.hasSuffix("-"))
    let last = try #require(queue.current)
    let first = try #require(queue.first)
    #expect(first != last)
    queue.markStarted(first)
    #expect(Set(queue.name(first) + queue.play(3, from: first)) == Set("abcd"))
  }

  @Test("An inserted item has its turn in the same round, and none is replayed", arguments: 0..<20 as Range<UInt64>)
  func insert(seed: UInt64) {
    var queue = queue("abcdef", .all, shuffle: seed)
    let before = queue.play(3)
    queue.insert(film("x"), at: 0)
    let after = queue.play(4, from: queue.current)
    #expect((before + after).sorted() == Array("abcdefx"))
  }

  @Test("Removing an item skips no other one and keeps the order of the rest", arguments: 0..<20 as Range<UInt64>)
  func remove(seed: UInt64) throws {
    var untouched = queue("abcdef", shuffle: seed)
    let all = untouched.play(6)
    for name in all.map(String.init) {
      var queue = queue("abcdef", shuffle: seed)
      let before = queue.play(3)
      queue.remove(try queue.id(name))
      let after = queue.play(4, from: queue.current)
      #expect(before + after == before + all.dropFirst(3).filter { String($0) != name } + "-")
    }
  }

  @Test("Moving an item changes no turn")
  func move() throws {
    var untouched = queue("abcdef", shuffle: 4)
    let all = untouched.play(6)
    var queue = queue("abcdef", shuffle: 4)
    let before = queue.play(2)
    queue.move(try queue.id("a"), after: nil)
    #expect(before + queue.play(4, from: queue.current) == all)
  }

  @Test("A selected item has had its turn")
  func select() throws {
    var queue = queue("abcd", shuffle: 1)
    let first = queue.play(1)
    let last = String(try #require(Set("abcd").subtracting(first).max()))
    queue.markStarted(try queue.id(last))
    let rest = queue.play(3, from: queue.current)
    #expect((first + last + String(rest.dropLast())).sorted() == Array("abcd"))
    #expect(rest.last == "-")
  }

  @Test("After going back, the items gone back over come again, then the round goes on")
  func goBack() throws {
    var queue = queue("abcdef", .all, shuffle: 2)
    let played = Array(queue.play(4))
    #expect(queue.back() == String(played[2]))
    #expect(queue.back() == String(played[1]))
    let target = try #require(queue.current)
    queue.markStarted(target)
    let replayed = Array(queue.play(4, from: target))
    #expect(replayed[..<2] == played[2...])
    #expect((played + replayed[2...]).sorted() == Array("abcdef"))
  }

  @Test("The first item has none before it")
  func nothingBefore() {
    var queue = queue("abc", .all, shuffle: 2)
    _ = queue.play(1)
    #expect(queue.goBack() == nil)
  }

  @Test("A failed item has had its turn, and isn't in the history")
  func passed() throws {
    var queue = queue("abcd", .all, shuffle: 11)
    let first = queue.play(1)
    let failing = try #require(queue.automaticSuccessor(of: queue.current))
    queue.markPassed(failing)
    let rest = queue.play(2, from: queue.current)
    #expect((first + queue.name(failing) + rest).sorted() == Array("abcd"))
    #expect(queue.back() == String(rest.prefix(1)))
    #expect(queue.back() == first)
  }

  @Test("When shuffle is switched on, the current item counts as played")
  func switchOn() throws {
    for seed in 0..<20 as Range<UInt64> {
      var queue = queue("abcd", .all)
      queue.markStarted(try queue.id("b"))
      queue.shuffle = seed
      #expect(queue.play(3, from: queue.current).sorted() == Array("acd"))
    }
  }
}

/// Random edits while items play to their end: turns stay fair after all of them.
@Suite("Queue: random edits")
struct PlayQueueRandomTests {
  @Test("20,000 steps keep rounds fair and identities unique", arguments: [nil, 1, 2] as [UInt64?])
  func random(shuffle: UInt64?) throws {
    var generator = SplitMix64(state: 77 &+ (shuffle ?? 0))
    var queue = queue("abc", .all, shuffle: shuffle)
    var names = 0
    var everUsed = Set(queue.entries.map(\.id))
    var playedThisRound: Set<ItemID> = []
    var roundsEnded = 0
    for _ in 0..<20_000 {
      let victim = queue.entries.randomElement(using: &generator)?.id
      let anchor = queue.entries.randomElement(using: &generator)?.id
      let known = Set(queue.entries.map(\.id))
      switch Int.random(in: 0..<12, using: &generator) {
      case 0 where queue.count < 12:
        names += 1
        #expect(queue.insert(film("n\(names)"), after: anchor) != nil)
      case 1 where queue.count < 12:
        names += 1
        queue.insert(film("n\(names)"), at: Int.random(in: -1...13, using: &generator))
      case 2, 3: if let victim { #expect(queue.remove(victim) == true) }
      case 4: if let victim { queue.move(victim, after: anchor) }
      case 5 where Int.random(in: 0..<20, using: &generator) == 0:
        var items = queue.entries.map(\.item).shuffled(using: &generator)
        items.removeLast(Int.random(in: 0...items.count, using: &generator))
        names += 1
        items.append(film("n\(names)"))
        let result = queue.replaceAll(items)
        try #require(Set(result.kept + result.inserted) == Set(queue.entries.map(\.id)))
        try #require(Set(result.kept + result.removed) == known)
      default:
        let current = queue.current
        let next = queue.automaticSuccessor(of: current)
        guard let next else {
          try #require(queue.isEmpty, "no successor although there are items")
          continue
        }
        try #require(queue.index(of: next) != nil, "a successor that isn't listed")
        if queue.count > 1 { try #require(next != current, "repeated at once") }
        if shuffle != nil {
          if playedThisRound.contains(next) {
            // A new round may begin only when all items have had their turn.
            try #require(known.isSubset(of: playedThisRound), "played twice, while others wait")
            playedThisRound = []
            roundsEnded += 1
          }
          playedThisRound.insert(next)
        }
        queue.markStarted(next)
        try #require(queue.current == next)
      }
      let ids = queue.entries.map(\.id)
      try #require(Set(ids).count == ids.count, "two entries with one identity")
      for id in ids where !known.contains(id) {
        try #require(everUsed.insert(id).inserted, "an identity was used again")
      }
      playedThisRound.formIntersection(ids)
    }
    if shuffle != nil { #expect(roundsEnded > 100) }
  }

  @Test("20,000 other random steps keep the queue whole", arguments: [nil, 1] as [UInt64?])
  func wild(shuffle: UInt64?) throws {
    var generator = SplitMix64(state: 5)
    var queue = queue("abcd", .all, shuffle: shuffle)
    for step in 0..<20_000 {
      let some = queue.entries.randomElement(using: &generator)?.id ?? ItemID(rawValue: UInt64(step))
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: queue.append(film("\(step)"))
      case 1: queue.remove(some)
      case 2: queue.markStarted(some)
      case 3: queue.markPassed(some)
      case 4:
        let before = queue.current
        if let target = queue.goBack() {
          try #require(queue.index(of: target) != nil && target != before)
          try #require(queue.current == target)
        } else {
          try #require(queue.current == before)
        }
      case 5: queue.repeatMode = RepeatMode.allCases.randomElement(using: &generator) ?? .all
      case 6: if shuffle != nil { queue.shuffle = Bool.random(using: &generator) ? 1 : nil }
      case 7: if queue.count > 10 { queue.removeAll() }
      default:
        if let next = queue.nextOnRequest(after: queue.current) { queue.markStarted(next) }
      }
      let listed = Set(queue.entries.map(\.id))
      for id in [queue.first, queue.automaticSuccessor(of: some), queue.nextOnRequest(after: queue.current)] {
        if let id { try #require(listed.contains(id)) }
      }
      try #require((queue.first == nil) == queue.isEmpty)
      try #require(listed.isSuperset(of: queue.history) && listed.isSuperset(of: queue.ahead))
      try #require(zip(queue.history, queue.history.dropFirst()).allSatisfy { $0 != $1 })
      if queue.repeatMode != .none { try #require((queue.nextOnRequest(after: some) == nil) == queue.isEmpty) }
    }
  }
}
