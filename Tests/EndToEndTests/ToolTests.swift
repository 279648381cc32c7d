import KioskTestSupport
import Testing

@Suite("Programs that tests run")
struct ToolTests {
  @Test("One that takes too long goes with all that it has started, and holds nobody up")
  func limit() async throws {
    // What lives on would have the run fail: the end of its parent isn't heard of.
    let outcome = try await Tool.run("sh", ["-c", "sleep 600 & sh -c 'sleep 600; true'"], limit: 1)
    #expect(outcome.wasKilled)
  }
}
