import ContentStore
import PlaybackCore
import Testing

@Suite("The store and a clock that isn't set")
struct StoreClockTests {
  private func second(_ count: Int64) -> Instant { Instant(nanoseconds: count * 1_000_000_000) }
  private func requests(_ actions: [StoreAction]) -> [StoreRequest] {
    actions.compactMap { if case .request(let request) = $0 { request } else { nil } }
  }
  private func problems(_ actions: [StoreAction]) -> [Int] {
    actions.compactMap { if case .tell(.problem(let error)) = $0 { error.number } else { nil } }
  }

  /// A store whose download has been refused for ten minutes, so that its next try is far away.
  private func refused(_ failure: StoreFailure) -> (machine: StoreMachine, told: [Int], at: Int64) {
    var machine = StoreMachine(settings: StoreSettings(), seed: 1)
    var told: [Int] = []
    _ = machine.handle(.opened(StoreFound(index: nil, sizes: [:], free: 1 << 40)), at: second(0))
    var actions = machine.handle(.wanted([WantedFile(uri: "https://host/a.mp4")]), at: second(0))
    var time: Int64 = 0
    while time < 600 {
      if let request = requests(actions).first {
        actions = machine.handle(.transferFailed(request.transfer, failure), at: second(time))
        told += problems(actions)
      } else {
        time += 1
        actions = machine.handle(.timerFired, at: second(time))
      }
    }
    return (machine, told, time)
  }

  @Test("Setting the clock retries a download that the clock may have broken, at once", arguments: [true, false])
  func clockSet(isKnown: Bool) throws {
    var (machine, told, time) = refused(isKnown ? .clockNotSet("not yet valid") : .certificate("unknown authority"))
    #expect(told == [isKnown ? ClockDoubt.errorNumber : 2601], "told once")
    #expect(requests(machine.handle(.timerFired, at: second(time))).isEmpty)
    let actions = machine.handle(.clockSet, at: second(time))
    #expect(requests(actions).map(\.uri) == ["https://host/a.mp4"])
    // A second refusal is reported again, and the store waits as after a first failure.
    let request = try #require(requests(actions).first)
    #expect(problems(machine.handle(.transferFailed(request.transfer, .certificate("")), at: second(time))) == [2601])
    time += 10
    #expect(requests(machine.handle(.timerFired, at: second(time))).count == 1)
  }

  @Test("Setting the clock doesn't retry a server that failed for another reason")
  func other() {
    var (machine, told, time) = refused(.connection("refused"))
    #expect(told == [2001])
    #expect(requests(machine.handle(.clockSet, at: second(time))).isEmpty)
  }

  @Test("Playback and the store report a certificate refused by an unset clock in the same words")
  func words() {
    var (machine, _, _) = refused(.clockNotSet(""))
    let stored = machine.status.problem
    var fault = MediaFault(domain: .resource, code: 5, message: "", debug: "")
    (fault.isUntrusted, fault.isClockInDoubt) = (true, true)
    let played = MediaErrors.classify(fault, uri: "https://host/a.mp4", isRemote: true)
    #expect(stored?.number == played.number && stored?.message == played.message && stored?.remedy == played.remedy)
    _ = machine.handle(.clockSet, at: second(0))
  }
}
