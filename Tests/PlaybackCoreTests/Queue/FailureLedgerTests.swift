import Testing

@testable import PlaybackCore

@Suite("Failure ledger")
struct FailureLedgerTests {
  private let error = VitrineError(4002, subject: "s", message: "m", remedy: "r")
  private let now = Instant(nanoseconds: 5_000_000_000)

  @Test("A failed item isn't tried again before something has played")
  func mark() throws {
    let queue = queue("abc", .all)
    let (a, b) = (try queue.id("a"), try queue.id("b"))
    var ledger = FailureLedger()
    #expect(ledger.shouldTry(b))
    ledger.noteFailure(of: b, error, at: now)
    #expect(!ledger.shouldTry(b))
    #expect(ledger.shouldTry(a))
    ledger.noteSuccess(of: a)
    #expect(ledger.shouldTry(b))
    // Marked still, until it plays itself.
    #expect(ledger.mark(of: b)?.failures == 1)
    ledger.noteFailure(of: b, error, at: now)
    #expect(ledger.mark(of: b)?.failures == 2)
    #expect(ledger.mark(of: b)?.error == error)
    ledger.noteSuccess(of: b)
    #expect(ledger.mark(of: b) == nil)
  }

  @Test("When all have failed, the next pass is due after the pause")
  func allFailed() {
    let queue = queue("abc", .all)
    var ledger = FailureLedger(pause: .seconds(10))
    for (index, entry) in queue.entries.enumerated() {
      #expect(ledger.retryTime(for: queue) == nil)
      ledger.noteFailure(of: entry.id, error, at: now + .seconds(index))
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
    var ledger = FailureLedger()
    let a = try queue.id("a")
    ledger.noteFailure(of: a, error, at: now)
    #expect(ledger.allFailed(in: queue))
    queue.append(film("b"))
    #expect(ledger.retryTime(for: queue) == nil)
    queue.removeAll()
    #expect(!ledger.allFailed(in: queue))
    ledger.forget([a])
    #expect(ledger.mark(of: a) == nil && ledger.shouldTry(a))
  }

  @Test("nextToTry passes over what failed, in the list", arguments: [RepeatMode.none, .one, .all])
  func nextToTry(mode: RepeatMode) throws {
    var queue = queue("abcd", mode)
    var ledger = FailureLedger()
    func next(after id: ItemID, isAutomatic: Bool) -> String {
      let next = ledger.nextToTry(after: id, isAutomatic: isAutomatic, in: &queue)
      return queue.name(next)
    }
    let a = try queue.id("a")
    queue.noteStarted(a)
    for name in ["b", "c"] { ledger.noteFailure(of: try queue.id(name), error, at: now) }
    #expect(next(after: a, isAutomatic: false) == "d")
    #expect(next(after: a, isAutomatic: true) == (mode == .one ? "a" : "d"))
    let d = try queue.id("d")
    #expect(next(after: d, isAutomatic: false) == (mode == .none ? "-" : "a"))
    for name in ["a", "d"] { ledger.noteFailure(of: try queue.id(name), error, at: now) }
    #expect(next(after: a, isAutomatic: true) == "-")
  }

  @Test("Shuffled, the one item that works is found, whichever it is", arguments: 0..<30 as Range<UInt64>)
  func shuffled(seed: UInt64) throws {
    for good in "abcde" {
      var queue = queue("abcde", .all, shuffle: seed)
      var ledger = FailureLedger()
      var last: ItemID?
      var tried: [String] = []
      for _ in 0..<40 {
        let next = ledger.nextToTry(after: last, isAutomatic: true, in: &queue)
        let id = try #require(next)
        last = id
        tried.append(queue.name(id))
        if queue.name(id) == String(good) {
          queue.noteStarted(id)
          ledger.noteSuccess(of: id)
        } else {
          ledger.noteFailure(of: id, error, at: now)
          queue.notePassed(id)
        }
      }
      // Between two times of the good one, nothing is tried twice: no busy loop; and all are tried again and again.
      for run in tried.split(separator: String(good)) { #expect(Set(run).count == run.count, "\(tried)") }
      #expect(Set(tried) == ["a", "b", "c", "d", "e"])
      #expect(tried.filter { $0 == String(good) }.count >= 5, "\(tried)")
    }
  }
}
