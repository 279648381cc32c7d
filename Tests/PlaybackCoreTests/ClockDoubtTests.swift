import Testing

@testable import PlaybackCore

@Suite("A clock that isn't set yet")
struct ClockDoubtTests {
  private let error = VitrineError(ClockDoubt.errorNumber, subject: "s", message: "m", remedy: "r")

  private func remote(_ place: Int) -> MediaItem {
    MediaItem(uri: "https://server/clip\(place).mp4", kind: .progressive)
  }

  @Test("A certificate of the future is the clock's fault only while the clock isn't synchronised")
  func doubt() {
    for isNotYetValid in [false, true] {
      for isSynchronised in [false, true] {
        #expect(
          ClockDoubt.explains(isNotYetValid: isNotYetValid, isSynchronised: isSynchronised)
            == (isNotYetValid && !isSynchronised))
      }
    }
    let fault = MediaFault(domain: .resource, code: 5, message: "", isUntrusted: true, isClockInDoubt: true)
    let error = MediaErrors.classify(fault, uri: "https://a/b", isRemote: true)
    #expect(error.number == ClockDoubt.errorNumber && error.message.contains("clock isn't set"))
    #expect(ErrorRecovery(number: error.number) == .reconnect)
  }

  @Test("A certificate refused by an unset clock is waited for once, until the clock is set or found to be right")
  func waiting() {
    for end in [ClockWait.Event.jumped, .looked(isSynchronised: true)] {
      var wait = ClockWait()
      #expect(wait.handle(end) == [])
      #expect(wait.handle(.refused(isSynchronised: true)) == [])
      #expect(wait.handle(.refused(isSynchronised: false)) == [.watch])
      #expect(wait.handle(.refused(isSynchronised: false)) == [])
      #expect(wait.handle(.looked(isSynchronised: false)) == [])
      #expect(wait.handle(end) == [.unwatch, .tellClockSet])
      #expect(!wait.isWaiting)
      #expect(wait.handle(.refused(isSynchronised: false)) == [.watch], "it may have been set wrong")
    }
  }

  @Test("The only item is opened as soon as the clock is set, ahead of its next try")
  func onlyItem() throws {
    var bench = Bench([remote(0)], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    bench.feed(.deckFailed(try #require(bench.machine.current?.id), error))
    bench.feed(.deckFailed(try #require(bench.machine.current?.id), error))
    let waiting = try #require(bench.machine.current)
    try #require(!waiting.isBuilt)
    let actions = bench.feed(.clockSet)
    #expect(actions.contains { if case .buildDeck(waiting.id, _, _, _, _) = $0 { true } else { false } })
    #expect(bench.feed(.clockSet) == [], "once it is being opened there is nothing to do")
  }

  @Test("A round in which all items failed is tried again at once when the clock is set")
  func allItems() throws {
    var bench = Bench([remote(0), remote(1)], loops: true)
    bench.feed(.start)
    bench.feed(.outputReady)
    for _ in 0..<20 where bench.machine.current.map({ $0.isBuilt }) ?? false {
      bench.feed(.deckFailed(try #require(bench.machine.current?.id), error))
    }
    let actions = bench.feed(.clockSet)
    #expect(actions.contains { if case .buildDeck = $0 { true } else { false } }, "\(actions)")
  }
}
