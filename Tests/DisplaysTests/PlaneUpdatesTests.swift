import Foundation
import InteractionCore
import MainLoop
import PlaybackCore
import Testing

@testable import Displays

/// A driver whose call returns when the test allows it.
private final class SlowPainter: PlanePainter {
  let mayGo = DispatchSemaphore(value: 0)
  let hasBegun = DispatchSemaphore(value: 0)

  func show(_ image: OverlayImage) throws(DRMFailure) {}
  func hide() throws(DRMFailure) {
    hasBegun.signal()
    mayGo.wait()
  }
}

/// A loop for them.
private actor Desk {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init() throws { executor = try GLibExecutor(name: "planes") }

  func run(_ body: @Sendable (EventLoop) throws -> Void) rethrows { try body(EventLoop(executor: executor)) }
}

@Suite("Pictures on their way to a plane")
struct PlaneUpdatesTests {
  @Test("The start of a kernel call is known without waiting for it, and so is its return (0139)")
  func busy() async throws {
    try await Desk().run { loop in
      let painter = SlowPainter()
      let updates = PlaneUpdates(painter, loop: loop) { _ in }
      #expect(updates.busySince == nil)
      let before = EventLoop.monotonicNanoseconds()
      updates.show(OverlayImage?.none)
      painter.hasBegun.wait()
      #expect(updates.busySince.map { $0.nanoseconds >= before } == true)
      painter.mayGo.signal()
      // Waits for the call.
      _ = updates.stop()
      #expect(updates.busySince == nil)
    }
  }
}
