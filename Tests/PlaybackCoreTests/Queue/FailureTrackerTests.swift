import Testing

@testable import PlaybackCore

@Suite("Failure ledger")
struct FailureTrackerTests {
  private let error = VitrineError(4002, subject: "s", message: "m", remedy: "r")
  private let now = Instant(nanoseconds: 5_000_000_000)

  @Test("A failed item isn't tried again before another one has played")
  func mark() throws {
    let queue = queue("abc", .all)
    let (a, b) = (try queue.id("a"), try queue.id("b"))
    var ledger = FailureTracker()
    #expect(ledger.shouldTry(b))
    ledger.recordFailure(of: b, error, at: now)
    #expect(!ledger.shouldTry(b))
    #expect(ledger.shouldTry(a))
    ledger.recordSuccess(of: a)
    #expect(ledger.shouldTry(b))
    // The mark stays until the item itself plays.
    #expect(ledger.mark(of: b)?.failures == 1)
    ledger.recordFailure(of: b, error, at: now)
    #expect(ledger.mark(of: b)?.failures == 2)
    #expect(ledger.mark(of: b)?.error == error)
    ledger.recordSuccess(of: b)
    #expect(ledger.mark(of: b) == nil)
  }

  @Test("When all have failed, the next pass is due after the pause")
  func allFailed() {
    let queue = queue("abc", .all)
    var ledger = FailureTracker(pause: .seconds(10))
    for (index, entry) in queue.entries.enumerated() {
      #expect(ledger.retryTime(for: queue) == nil)
      ledger.recordFailure(of: entry.id, error, at: now + .seconds(index))
    }
    #expect(ledger.allFailed(in: queue))
    #expect(ledger.retryTime(for: queue) == now + .seconds(12))
    ledger.beginPass()
    #expect(!ledger.allFailed(in: queue))
    #expect(queue.entries.allSatisfy { ledger.shouldTry($0.id) && ledger.mark(of: $0.id)?.failures == 1 })
  }

  @Test("A new item ends the pause; an empty queue hasn't failed")
  func edits() throws {
    var queue = queue("a", .all)
    var ledger = FailureTracker()
    let a = try queue.id("a")
    ledger.recordFailure(of: a, error, at: now)
    #expect(ledger.allFailed(in: queue))
    queue.append(film("b"))
    #expect(ledger.retryTime(for: queue) == nil)
    queue.removeAll()
    #expect(!ledger.allFailed(in: queue))
    ledger.forget([a])
    #expect(ledger.mark(of: a) == nil && ledger.shouldTry(a))
  }

  @Test("nextToTry passes over failed items, in the list's order", arguments: [RepeatMode.none, .one, .all])
  func nextToTry(mode: RepeatMode) throws {
    var queue = queue("abcd", mode)
    var ledger = FailureTracker()
    func next(after id: ItemID, isAutomatic: Bool) -> String {
      let next = ledger.nextToTry(after: id, isAutomatic: isAutomatic, in: &queue)
      return queue.name(next)
    }
    let a = try queue.id("a")
    queue.markStarted(a)
    for name in ["b", "c"] { ledger.recordFailure(of: try queue.id(name), error, at: now) }
    #expect(next(after: a, isAutomatic: false) == "d")
    #expect(next(after: a, isAutomatic: true) == (mode == .one ? "a" : "d"))
    let d = try queue.id("d")
    #expect(next(after: d, isAutomatic: false) == (mode == .none ? "-" : "a"))
    for name in ["a", "d"] { ledger.recordFailure(of: try queue.id(name), error, at: now) }
    #expect(next(after: a, isAutomatic: true) == "-")
  }

  @Test("In shuffle the one item that works is found", arguments: 0..<30 as Range<UInt64>)
  func shuffled(seed: UInt64) throws {
    for good in "abcde" {
      var queue = queue("abcde", .all, shuffle: seed)
      var ledger = FailureTracker()
      var last: ItemID?
      var tried: [String] = []
      for _ in 0..<40 {
        let next = ledger.nextToTry(after: last, isAutomatic: true, in: &queue)
        let id = try #require(next)
        last = id
        tried.append(queue.name(id))
        if queue.name(id) == String(good) {
          queue.markStarted(id)
          ledger.recordSuccess(of: id)
        } else {
          ledger.recordFailure(of: id, error, at: now)
          queue.markPassed(id)
        }
      }
      // Between two plays of the good item no other one is tried twice (no busy loop), and all are tried again later.
      for run in tried.split(separator: String(good)) { #expect(Set(run).count == run.count, "\(tried)") }
      #expect(Set(tried) == ["a", "b", "c", "d", "e"])
      #expect(tried.filter { $0 == String(good) }.count >= 5, "\(tried)")
    }
  }
}
