/// Waits until something is so; a test that waits in vain says for what.
///
/// - Parameters:
///   - what: asked for when it hasn't come.
///   - seconds: for how long, in real time.
public func eventually(
  _ what: @autoclosure () -> String, within seconds: Double = 60, _ isIt: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try await isIt() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw InVain(description: what())
}

/// What was waited for.
public struct InVain: Error, CustomStringConvertible { public var description: String }
