import PlaybackCore
import Testing

@testable import KioskCore

@Suite("Cues: the queue of one receiver")
struct CueQueueTests {
  private var queue = CueQueue<Int>()

  private mutating func feed(_ event: CueQueue<Int>.Event, after seconds: Double = 0) -> [String] {
    let now = Instant(nanoseconds: 1_000_000_000_000) + .seconds(seconds)
    return queue.handle(event, at: now).map { action in
      switch action {
      case .deliver(let message): "deliver \(message)"
      case .giveUp: "give up"
      case .tellFailure(let reason): "fails: \(reason)"
      case .tellRecovery(let lost): "goes again, \(lost) lost"
      }
    }
  }

  @Test("Messages are delivered one at a time, in their order")
  mutating func order() {
    #expect(feed(.send(1)) == ["deliver 1"])
    #expect(feed(.send(2)) + feed(.send(3)) == [])
    #expect(feed(.delivered) == ["deliver 2"])
    #expect(feed(.delivered) == ["deliver 3"])
    #expect(feed(.delivered) + feed(.delivered) == [] && queue.due == nil)
  }

  @Test("A failure is told once, and the recovery with what was lost")
  mutating func health() {
    _ = feed(.send(1))
    #expect(feed(.failed("refused")) == ["fails: refused"])
    _ = feed(.send(2))
    #expect(feed(.failed("refused")).isEmpty)
    _ = feed(.send(3))
    #expect(feed(.delivered, after: 1) == ["goes again, 2 lost"])
    // A receiver that comes and goes fills no log.
    _ = feed(.send(4), after: 2)
    #expect(feed(.failed("refused"), after: 2).isEmpty)
    _ = feed(.send(5), after: 3)
    #expect(feed(.delivered, after: 3).isEmpty)
    _ = feed(.send(6), after: 61)
    #expect(feed(.failed("refused"), after: 61) == ["fails: refused"])
  }

  @Test("A receiver that doesn't answer is given up after its limit, and what is late by then isn't sent")
  mutating func silence() {
    _ = feed(.send(1))
    #expect(feed(.send(2), after: 1) == [])
    #expect(feed(.send(3), after: 4) == [])
    #expect(feed(.looked, after: 4.9) == [])
    #expect(feed(.looked, after: 5) == ["give up", "fails: it doesn't answer", "deliver 3"])
    #expect(feed(.delivered, after: 5) == ["goes again, 2 lost"])
  }

  @Test("The queue has an end")
  mutating func full() {
    _ = feed(.send(0))
    for number in 1...CueQueue<Int>.mostWaiting { #expect(feed(.send(number)) == []) }
    #expect(feed(.send(99)) == ["fails: more than 32 messages wait for it"])
    #expect(feed(.send(100)).isEmpty)
  }
}
