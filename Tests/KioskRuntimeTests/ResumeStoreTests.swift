import EngineTestSupport
import Foundation
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import Testing
import VitrinePlayback

@testable import KioskRuntime

@Suite("The file of places, written on a slow card")
struct ResumeStoreTests {
  /// Writes that continue when the test says so.
  private final class SlowCard: Sendable {
    let places = Locked<[Duration]>([])
    let gate = DispatchSemaphore(value: 0)

    func write(_ new: [String: ResumePoint]) -> Bool {
      gate.wait()
      places.withLock { $0.append(new[""]?.position ?? .zero) }
      return true
    }
  }

  private actor Bench {
    nonisolated let executor: GLibExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var keeper: ResumeStore?
    let clock = ManualClock()
    var position = Duration.seconds(1)
    var ends = 0

    init() throws { executor = try GLibExecutor.start(name: "places") }

    func begin(_ card: SlowCard) {
      keeper = ResumeStore(
        "/nowhere", written: [:], on: EventLoop(executor: executor), clock: clock,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, write: { places, _ in card.write(places) }
      ) { [unowned self] in
        ["": .at(ResumePoint(list: nil, address: "a", index: 0, position: assumeIsolated { $0.position }))]
      }
    }

    func advance(by time: Duration) {
      let end = clock.now + time
      while clock.step(until: end) {}
    }

    func end(at position: Duration) {
      self.position = position
      keeper?.end { [unowned self] in assumeIsolated { $0.ends += 1 } }
    }
  }

  @Test("The run's end waits for its own write, not for an earlier one")
  func lastWrite() async throws {
    let (bench, card) = (try Bench(), SlowCard())
    await bench.begin(card)
    await bench.advance(by: ResumeMachine.interval)
    await bench.end(at: .seconds(2))
    card.gate.signal()
    // The answer to the first write says nothing of the second.
    try await eventually("the first write") { card.places.withLock { !$0.isEmpty } }
    try await Task.sleep(for: .milliseconds(100))
    #expect(await bench.ends == 0)
    card.gate.signal()
    try await eventually("an end") { await bench.ends > 0 }
    #expect(await bench.ends == 1 && card.places.withLock { $0 } == [.seconds(1), .seconds(2)])
  }

  @Test("A card that takes too long doesn't delay the run's end")
  func patience() async throws {
    let (bench, card) = (try Bench(), SlowCard())
    await bench.begin(card)
    await bench.end(at: .seconds(2))
    await bench.advance(by: .seconds(1))
    #expect(await bench.ends == 1)
    card.gate.signal()
  }
}
