internal import MainLoop
internal import MediaPipeline

/// The player's objects that must be used and released on its loop.
final class LoopBound {
  var engine: PlayerEngine?
  var scheduleTimer: (any EngineTimer)?
  var frameTimer: (any EngineTimer)?
}

/// Releases a player's loop-bound objects on the loop, whichever thread releases the player.
///
/// An isolated deinit of the actor would do the same, but Swift 6.3 can't optimise programs that make such a player:
/// the compiler fails with "circular reference" across modules.
///
/// `@unchecked Sendable` holds because `held` is private to the actor that owns the keeper and touches it on its
/// executor only; when the keeper goes, the last reference is handed to that executor.
final class LoopKeeper: @unchecked Sendable {
  let held = LoopBound()
  private let executor: GLibExecutor

  init(_ executor: GLibExecutor) { self.executor = executor }

  deinit {
    // The only reference, passed as an address: just the task uses it.
    let address = UInt(bitPattern: Unmanaged.passRetained(held).toOpaque())
    Task(executorPreference: executor) {
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
      Unmanaged<LoopBound>.fromOpaque(pointer).release()
    }
  }
}
