/// What is done about a pipeline that tells that its clock is lost: docs/decisions/0140-lost-clocks.md.
///
/// GStreamer asks for PAUSED and PLAYING, by which a pipeline chooses a clock anew. One that loses its clock again and again gets no
/// better by that, and is made anew.
public struct ClockLosses: Hashable, Sendable {
  /// Each restart stops the picture for some ten milliseconds. Three in ten seconds are a stutter; a fourth is a pattern.
  public static let limit = 3
  public static let window: Duration = .seconds(10)

  public enum Answer: Hashable, Sendable {
    /// The pipeline goes to PAUSED and back to PLAYING.
    case restart
    /// Another pipeline takes its place.
    case rebuild
  }

  private var restarts: [Instant] = []

  public init() {}

  /// The clock is lost, and the pipeline can be restarted now.
  public mutating func answer(at now: Instant) -> Answer {
    restarts.removeAll { now - $0 >= Self.window }
    guard restarts.count < Self.limit else {
      restarts = []
      return .rebuild
    }
    restarts.append(now)
    return .restart
  }
}
