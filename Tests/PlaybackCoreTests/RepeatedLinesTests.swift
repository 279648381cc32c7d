import PlaybackCore
import Testing

@Suite("Repeated lines")
struct RepeatedLinesTests {
  private let start = Instant(nanoseconds: 1_000_000_000)

  @Test("A repeated text is written once a minute with its count, and others aren't delayed")
  func limit() {
    var lines = RepeatedLines()
    var written: [Int] = []
    for frame in 0..<10_000 {
      if let heldBack = lines.admitLine("a frame was late", at: start + .milliseconds(20 * frame)) {
        written.append(heldBack)
      }
    }
    #expect(written == [0, 2999, 2999, 2999])
    #expect(lines.admitLine("another", at: start) == 0)
  }

  @Test("The number of remembered lines is bounded, and the newest ones are kept")
  func bound() {
    var lines = RepeatedLines()
    for number in 0..<10_000 {
      #expect(lines.admitLine("text \(number)", at: start + .milliseconds(number)) == 0)
    }
    let now = start + .milliseconds(10_000)
    let known = (0..<10_000).count { lines.admitLine("text \($0)", at: now) == nil }
    #expect(known <= RepeatedLines.limit)
    let long = String(repeating: "x", count: 100_000)
    #expect(lines.admitLine(long, at: now) == 0)
    #expect(lines.admitLine(long + "y", at: now) == nil, "long ones are told apart by their beginning")
  }
}
