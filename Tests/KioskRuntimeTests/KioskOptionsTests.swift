import Testing

@testable import KioskRuntime
@testable import PlaybackCore

@Suite("Options of a run")
struct KioskOptionsTests {
  @Test("Each run has random delays of its own: boards that lost a network together don't come back in step")
  func seeds() {
    let starts = (0..<10).map { _ in
      KioskOptions(queue: [], processStart: Instant(nanoseconds: 0)).makeMachine().random
    }
    #expect(Set(starts).count == 10)
  }
}
