internal import MainLoop
internal import MediaPipeline

/// What a player has that belongs to its loop: used there, and let go there.
final class LoopBound {
  var engine: PlayerEngine?
  var scheduleTimer: (any EngineTimer)?
  var frameTimer: (any EngineTimer)?
}

/// Lets a player's loop-bound things go on the loop, whichever thread lets go of the player.
///
/// An isolated deinit of the actor would say the same, but Swift 6.3 then can't optimise programs that make a player: their
/// compiler ends with "circular reference" when it looks at it across modules.
///
/// `@unchecked Sendable` holds because `held` is private to the actor that owns the keeper and touches it on its executor
/// only; when the keeper goes, nobody else has it, and the one reference left goes to that executor.
final class LoopKeeper: @unchecked Sendable {
  let held = LoopBound()
  private let executor: GLibExecutor

  init(_ executor: GLibExecutor) { self.executor = executor }

  deinit {
    // The one reference, as an address: what it leads to is no one's but the task's.
    let address = UInt(bitPattern: Unmanaged.passRetained(held).toOpaque())
    Task(executorPreference: executor) {
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
      Unmanaged<LoopBound>.fromOpaque(pointer).release()
    }
  }
}
