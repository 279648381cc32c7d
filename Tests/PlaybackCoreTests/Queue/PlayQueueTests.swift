import Testing

@testable import PlaybackCore

func film(_ name: String) -> MediaItem { MediaItem(uri: "file:///\(name).mp4", title: name, kind: .file) }

/// A queue of items named by one letter each.
func queue(_ names: String, _ repeatMode: RepeatMode = .none, shuffle: UInt64? = nil) -> PlayQueue {
  PlayQueue(names.map { film(String($0)) }, repeatMode: repeatMode, shuffle: shuffle)
}

extension PlayQueue {
  var names: String { entries.map(\.item.title).joined() }
  func name(_ id: ItemID?) -> String { id.flatMap { entry($0)?.item.title } ?? "-" }
  func id(_ name: String) throws -> ItemID { try #require(entries.first { $0.item.title == name }?.id) }
  /// Goes back and gives the name of that item.
  mutating func back() -> String {
    let id = goBack()
    return name(id)
  }
  /// The items played from `start` on when each comes to its end.
  mutating func play(_ count: Int, from start: ItemID? = nil) -> String {
    var played = ""
    var id = start
    for _ in 0..<count {
      id = automaticSuccessor(of: id)
      guard let id else { return played + "-" }
      markStarted(id)
      played += name(id)
    }
    return played
  }
}

@Suite("Queue: edits")
struct PlayQueueEditTests {
  @Test("insert(after:) and canInsert(after:) as in AVQueuePlayer; nil is the end")
  func insertAfter() throws {
    var queue = queue("abc")
    let (a, b) = (try queue.id("a"), try queue.id("b"))
    #expect(queue.canInsert(film("x"), after: a))
    #expect(queue.canInsert(film("x"), after: nil))
    let x = queue.insert(film("x"), after: a)
    #expect(queue.names == "axbc")
    #expect(queue.name(x) == "x")
    let y = queue.insert(film("y"), after: nil)
    #expect(queue.name(y) == "y")
    #expect(queue.names == "axbcy")
    queue.remove(b)
    #expect(!queue.canInsert(film("z"), after: b))
    #expect(queue.insert(film("z"), after: b) == nil)
    #expect(queue.names == "axcy")
  }

  @Test("The same item may be listed twice, as two entries")
  func twice() throws {
    var queue = queue("ab")
    let a = try queue.id("a")
    #expect(queue.canInsert(film("a"), after: a))
    let inserted = queue.insert(film("a"), after: a)
    let again = try #require(inserted)
    #expect(again != a)
    #expect(queue.entry(again)?.item == queue.entry(a)?.item)
    #expect(queue.remove(a) == true)
    #expect(queue.index(of: again) == 0)
  }

  @Test("An item's id is never used again")
  func identity() throws {
    var queue = queue("ab")
    let b = try queue.id("b")
    queue.removeAll()
    #expect(queue.isEmpty)
    #expect(queue.append(film("b")) > b)
    #expect(queue.remove(b) == false)
    #expect(queue.entry(b) == nil)
  }

  @Test("insert(at:) beyond an end inserts at that end", arguments: [(-9, "xab"), (1, "axb"), (9, "abx")])
  func insertAt(place: Int, names: String) {
    var queue = queue("ab")
    queue.insert(film("x"), at: place)
    #expect(queue.names == names)
  }

  @Test(
    "move(after:) moves one entry and keeps the others in order",
    arguments: [
      ("a", "c", "bcad"), ("d", "a", "adbc"), ("b", "a", "abcd"), ("a", nil, "bcda"), ("d", nil, "abcd"),
      ("c", "d", "abdc"),
    ] as [(String, String?, String)])
  func moveAfter(name: String, after: String?, names: String) throws {
    var queue = queue("abcd")
    let before = Set(queue.entries)
    let target = after.flatMap { name in queue.entries.first { $0.item.title == name }?.id }
    #expect(queue.move(try queue.id(name), after: target) == true)
    #expect(queue.names == names)
    #expect(Set(queue.entries) == before)
  }

  @Test("move(to:) takes the final place", arguments: [("a", 2, "bcad"), ("d", -1, "dabc"), ("b", 9, "acdb")])
  func moveTo(name: String, place: Int, names: String) throws {
    var queue = queue("abcd")
    #expect(queue.move(try queue.id(name), to: place) == true)
    #expect(queue.names == names)
  }

  @Test("Moving an entry after itself, or with an unlisted one, changes nothing")
  func badMove() throws {
    var queue = queue("abc")
    let (a, b) = (try queue.id("a"), try queue.id("b"))
    queue.remove(b)
    #expect(queue.move(a, after: a) == false)
    #expect(queue.move(a, after: b) == false)
    #expect(queue.move(b, after: a) == false)
    #expect(queue.move(b, to: 0) == false)
    #expect(queue.names == "ac")
  }

  @Test("A reload keeps the entries that are still listed, in the new order")
  func reload() throws {
    var queue = queue("abac")
    let old = queue.entries.map(\.id)
    var renamed = film("c")
    renamed.title = "C"
    let result = queue.replaceAll([renamed, film("a"), film("x"), film("a"), film("a")])
    #expect(queue.names == "Caxaa")
    let new = queue.entries.map(\.id)
    #expect(result == .init(kept: [old[3], old[0], old[2]], removed: [old[1]], inserted: [new[2], new[4]]))
    #expect(new[0] == old[3] && new[1] == old[0] && new[3] == old[2])
    #expect(Set(new).isDisjoint(with: [old[1]]))
  }

  @Test(
    "A guest outside the list stays through a reload, after the remaining entries before it",
    arguments: [
      ("abc", "xbca", "xbGca"), ("abc", "ca", "caG"), ("abc", "xyz", "Gxyz"), ("abc", "", "G"), ("", "ab", "Gab"),
    ])
  func guest(before: String, reloaded: String, after: String) throws {
    var queue = queue(before)
    // The guest has the same file as a listed item.
    let guest = queue.insert(film(String(before.first ?? "a")), at: 2)
    let result = queue.replaceAll(reloaded.map { film(String($0)) }, keeping: guest)
    #expect(queue.entries.map { $0.id == guest ? "G" : queue.name($0.id) }.joined() == after)
    #expect(result.kept.contains(guest) && !result.removed.contains(guest))
    // A guest that has gone meanwhile changes nothing.
    queue.remove(guest)
    queue.replaceAll([film("q")], keeping: guest)
    #expect(queue.names == "q")
  }
}

@Suite("Queue: order")
struct PlayQueueOrderTests {
  @Test(
    "The item that follows depends on the repeat mode, and on whether it was requested",
    arguments: [
      (.none, "a", "b", "b"), (.none, "c", "-", "-"), (.all, "c", "a", "a"), (.one, "b", "b", "c"),
      (.one, "c", "c", "a"),
    ] as [(RepeatMode, String, String, String)])
  func successor(mode: RepeatMode, name: String, automatic: String, request: String) throws {
    let queue = queue("abc", mode)
    let id = try queue.id(name)
    #expect(queue.name(queue.automaticSuccessor(of: id)) == automatic)
    #expect(queue.name(queue.nextOnRequest(after: id)) == request)
  }

  @Test(
    "The predecessor is the list's",
    arguments: [(.none, "a", "-"), (.all, "a", "c"), (.one, "a", "c"), (.none, "c", "b")]
      as [(RepeatMode, String, String)])
  func predecessor(mode: RepeatMode, name: String, expected: String) throws {
    let queue = queue("abc", mode)
    #expect(queue.name(queue.predecessor(of: try queue.id(name))) == expected)
  }

  @Test("An empty queue has no item; a single item follows itself when repeated", arguments: [nil, 7] as [UInt64?])
  func small(seed: UInt64?) throws {
    let empty = queue("", .all, shuffle: seed)
    #expect(empty.first == nil)
    #expect(empty.automaticSuccessor(of: nil) == nil)
    var one = queue("a", .all, shuffle: seed)
    #expect(one.play(3) == "aaa")
    one.repeatMode = .none
    #expect(one.play(2, from: try one.id("a")) == "-")
  }

  @Test("select(index) counts in the list, and selects nothing outside it", arguments: [nil, 7] as [UInt64?])
  func select(seed: UInt64?) {
    let queue = queue("abc", shuffle: seed)
    #expect([-1, 0, 2, 3].map { queue.name(queue.select(index: $0)) } == ["-", "a", "c", "-"])
  }

  @Test("Removing the current item continues with the one after it, whatever else changes")
  func removeCurrent() throws {
    var queue = queue("abcd", .all)
    let b = try queue.id("b")
    queue.markStarted(b)
    queue.remove(b)
    #expect(queue.current == b)
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "c")
    queue.insert(film("x"), at: 0)
    queue.remove(try queue.id("a"))
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "c")
    queue.remove(try queue.id("c"))
    #expect(queue.name(queue.nextOnRequest(after: b)) == "d")
    queue.move(try queue.id("x"), after: nil)
    #expect(queue.names == "dx")
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "d")
    queue.removeAll()
    #expect(queue.automaticSuccessor(of: b) == nil)
    queue.append(film("n"))
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "n")
    // Repeat one has no item left to repeat.
    queue.repeatMode = .one
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "n")
  }

  @Test("Removing the last item ends a queue without a loop")
  func removeLast() throws {
    var queue = queue("abc")
    let c = try queue.id("c")
    queue.markStarted(c)
    queue.remove(c)
    #expect(queue.automaticSuccessor(of: c) == nil)
    queue.repeatMode = .all
    #expect(queue.name(queue.automaticSuccessor(of: c)) == "a")
  }

  @Test("After a reload without the current item playback continues after its nearest predecessor")
  func reloadWithoutCurrent() throws {
    var queue = queue("abcd", .all)
    let c = try queue.id("c")
    queue.markStarted(c)
    queue.replaceAll("xaydz".map { film(String($0)) })
    #expect(queue.name(queue.automaticSuccessor(of: c)) == "y")
    queue.replaceAll("dq".map { film(String($0)) })
    #expect(queue.name(queue.automaticSuccessor(of: c)) == "d")
  }

  @Test("A reload with the current item continues after its new place")
  func reloadWithCurrent() throws {
    var queue = queue("abcd", .all)
    let b = try queue.id("b")
    queue.markStarted(b)
    queue.replaceAll("dxbq".map { film(String($0)) })
    #expect(queue.name(queue.automaticSuccessor(of: b)) == "q")
  }

  @Test("goBack leads to the item played before, not to the list's neighbour")
  func goBack() throws {
    var queue = queue("abcde", .all)
    for name in ["a", "d", "b"] { queue.markStarted(try queue.id(name)) }
    #expect(queue.back() == "d")
    queue.markStarted(try queue.id("d"))
    #expect(queue.back() == "a")
    queue.markStarted(try queue.id("a"))
    // With no history, back goes to the list's neighbour.
    #expect(queue.back() == "e")
    queue.repeatMode = .none
    queue.markStarted(try queue.id("e"))
    #expect(queue.name(queue.automaticSuccessor(of: queue.current)) == "-")
  }

  @Test("goBack passes over removed items, and never leads to the current one")
  func goBackRemoved() throws {
    var queue = queue("abc")
    for name in ["c", "a", "b", "a"] { queue.markStarted(try queue.id(name)) }
    queue.remove(try queue.id("b"))
    #expect(queue.back() == "c")
    queue.markStarted(try queue.id("a"))
    queue.remove(try queue.id("a"))
    #expect(queue.back() == "c")
    #expect(queue.goBack() == nil)
  }

  @Test("The history is bounded")
  func bounded() {
    var queue = queue("ab", .all)
    _ = queue.play(2000)
    #expect(queue.history.count == PlayQueue.maximumHistory)
    var steps = 0
    while steps < 5000, queue.goBack() != nil { steps += 1 }
    #expect(steps == 5000, "repeated, so there is always a predecessor")
    #expect(queue.ahead.count == PlayQueue.maximumHistory)
  }
}
