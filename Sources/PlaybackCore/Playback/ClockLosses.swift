/// Decides how to answer a pipeline that reports the loss of its clock: decision 0140.
///
/// GStreamer asks for PAUSED and PLAYING, in which the pipeline selects a clock again. A pipeline that keeps losing its
/// clock isn't helped by that, and is rebuilt.
public struct ClockLosses: Hashable, Sendable {
  /// Restarts allowed within `window`. Each stops the picture for some ten milliseconds. Three in ten seconds are a
  /// stutter; a fourth shows a pattern.
  public static let limit = 3
  public static let window: Duration = .seconds(10)

  public enum Answer: Hashable, Sendable {
    /// The pipeline goes to PAUSED and back to PLAYING.
    case restart
    /// Another pipeline replaces it.
    case rebuild
  }

  private let ownWindow: Duration
  private var restarts: [Instant] = []

  /// - Parameter window: another time than usual within which losses are counted.
  public init(window: Duration = window) { ownWindow = window }

  /// Decides for a pipeline that has lost its clock and can be restarted now.
  public mutating func answer(at now: Instant) -> Answer {
    restarts.removeAll { now - $0 >= ownWindow }
    guard restarts.count < Self.limit else {
      restarts = []
      return .rebuild
    }
    restarts.append(now)
    return .restart
  }
}
