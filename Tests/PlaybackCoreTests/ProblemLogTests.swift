import PlaybackCore
import Testing

@Suite("Errors that belong to no item")
struct ProblemLogTests {
  private func log(_ count: Int) -> ProblemLog {
    var log = ProblemLog()
    for number in 1...count { log.append(VitrineError(number, subject: "s", message: "m", remedy: "r")) }
    return log
  }

  @Test("The log keeps the first and the newest errors, and counts all")
  func bounded() {
    let limit = ProblemLog.limit
    #expect(log(10_000).entries.map(\.number) == Array(1...limit) + Array((10_001 - limit)...10_000))
    #expect(log(10_000).total == 10_000)
  }

  @Test("Errors up to the limit are all kept, in order")
  func few() {
    #expect(log(2 * ProblemLog.limit).entries.map(\.number) == Array(1...(2 * ProblemLog.limit)))
  }

  @Test("A report has the errors that belong to no item")
  func report() {
    let ledger = PlaybackStatistics(processStart: Instant(nanoseconds: 0), queue: PlayQueue([]))
    let report = ledger.report(
      version: "1", output: nil, screen: nil, problems: log(200), exitCode: 0, at: Instant(nanoseconds: 0))
    #expect(report.errorsTotal == 200 && report.errors.count == 2 * ProblemLog.limit)
  }
}
