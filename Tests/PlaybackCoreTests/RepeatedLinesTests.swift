import PlaybackCore
import Testing

@Suite("Repeated lines")
struct RepeatedLinesTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  @Test("A text comes once a minute, with how often it was held back; others aren't held up by it")
  func limit() {
    var lines = RepeatedLines()
    var written: [Int] = []
    for frame in 0..<10_000 {
      if let heldBack = lines.takeLine("a frame was late", at: start + .milliseconds(20 * frame)) {
        written.append(heldBack)
      }
    }
    #expect(written == [0, 2999, 2999, 2999])
    #expect(lines.takeLine("another", at: start) == 0)
  }

  @Test("What is kept is bounded, and what was written last is known for longest")
  func bound() {
    var lines = RepeatedLines()
    for number in 0..<10_000 {
      #expect(lines.takeLine("text \(number)", at: start + .milliseconds(number)) == 0)
    }
    let now = start + .milliseconds(10_000)
    let known = (0..<10_000).count { lines.takeLine("text \($0)", at: now) == nil }
    #expect(known <= RepeatedLines.limit)
    let long = String(repeating: "x", count: 100_000)
    #expect(lines.takeLine(long, at: now) == 0)
    #expect(lines.takeLine(long + "y", at: now) == nil, "long ones are told apart by their beginning")
  }
}
