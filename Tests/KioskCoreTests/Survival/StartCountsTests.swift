import KioskCore
import Testing

@Suite("Starts of the player, by the end of the previous run")
struct StartCountsTests {
  @Test("Reading gives the written counts; unreadable lines are skipped")
  func text() {
    var counts = StartCounts()
    counts.count(after: nil, nil)
    counts.count(after: .clean, nil)
    counts.count(after: .clean, nil)
    counts.count(after: .handOver, nil)
    #expect(counts[.first] == 1 && counts[.asked] == 2 && counts[.handOver] == 1 && counts[.crash] == 0)
    #expect(StartCounts(text: counts.text) == counts)
    for text in ["", "crash", "crash x", "crash -1", "crash 99999999999999999999", "what 1", "crash 1 1"] {
      #expect(StartCounts(text: text) == StartCounts(), "\(text)")
    }
  }
}
