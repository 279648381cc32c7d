import CGLibShims
import Glibc
import KioskTestSupport
import Testing

@testable import MainLoop

@Suite("Watching the clock")
struct ClockWatchTests {
  private actor Watcher {
    nonisolated let executor: GLibExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    private var watch: ClockWatch?

    init() throws { executor = try GLibExecutor(name: "clock-test") }

    func begin(_ told: AsyncStream<Bool>.Continuation) {
      watch = ClockWatch(
        on: EventLoop(executor: executor), every: .milliseconds(20), jumped: {}, looked: { told.yield($0) })
    }

    func end() { watch = nil }
  }

  @Test("The watch reports the kernel's clock state again and again until it ends")
  func looks() async throws {
    let (looks, told) = AsyncStream<Bool>.makeStream()
    let watcher = try Watcher()
    await watcher.begin(told)
    for _ in 0..<2 { #expect(try await first(of: looks) { $0 } == SystemClock.isSynchronised) }
    await watcher.end()
  }

  @Test("A clock that wasn't set counts no jump")
  func noJump() {
    let descriptor = vit_clock_jumps_open()
    #expect(descriptor >= 0)
    #expect(vit_clock_jumps_take(descriptor) == 0)
    close(descriptor)
  }
}
