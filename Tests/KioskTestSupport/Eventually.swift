/// Waits until a condition is true; a test that waits in vain reports the condition.
///
/// - Parameters:
///   - what: the text to report when the condition doesn't come true.
///   - seconds: the time limit, in real time.
public func eventually(
  _ what: @autoclosure () -> String, within seconds: Double = patience / .seconds(1), _ isIt: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < deadline {
    if try await isIt() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw InVain(description: what())
}

/// The error of a wait in vain.
public struct InVain: Error, CustomStringConvertible { public var description: String }
