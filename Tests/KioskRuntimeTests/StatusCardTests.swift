import InteractionCore
import KioskCore
import Logging
import PlaybackCore
import Testing

@testable import KioskRuntime

/// Counts the queries.
private final class Count {
  var asked = 0
}

extension Kiosk {
  /// Draws the status card a number of times in a row.
  fileprivate func drawCards(_ times: Int) -> (asked: Int, titles: Set<String>) {
    let count = Count()
    telemetry.host = HostBook {
      count.asked += 1
      return HostFacts(name: "board-7", addresses: ["10.0.0.7"])
    }
    let playback = KioskStatus.Playback(options.makeMachine(), at: options.processStart)
    let screen = KioskStatus.Screen(name: nil, presence: .on, playback: playback, counters: PlaybackCounters())
    let cards = (0..<times).map { _ in status.card(for: screen) }
    return (
      count.asked, Set(cards.flatMap { card in [card.title] + card.rows.map { VisitorTexts.english.text($0.value) } })
    )
  }
}

@Suite("Status card")
struct StatusCardTests {
  @Test("A hundred cards in a row ask the kernel for the machine's addresses once")
  func asksOnce() async throws {
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let kiosk = try Kiosk(options: KioskOptions(queue: [], processStart: Instant(nanoseconds: 0)), log: log)
    let (asked, shown) = await kiosk.drawCards(100)
    #expect(asked == 1)
    #expect(shown.isSuperset(of: ["board-7", "10.0.0.7"]))
  }

  @Test("The facts are read when a card opens, and again after the interval")
  func interval() {
    let count = Count()
    var book = HostBook {
      count.asked += 1
      return HostFacts(name: "", addresses: ["10.0.0.\(count.asked)"])
    }
    let start = Instant(nanoseconds: 1_000_000_000)
    for step in 0..<300 { _ = book.facts(at: start + HostBook.interval / 300 * step) }
    #expect(count.asked == 1)
    #expect(book.facts(at: start + HostBook.interval).addresses == ["10.0.0.2"])
    book.forget()
    #expect(book.facts(at: start + HostBook.interval).addresses == ["10.0.0.3"])
  }
}
