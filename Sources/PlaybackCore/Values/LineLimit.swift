/// Limits log lines that may come with each frame: decides whether a line is written, and counts those that are held
/// back.
public struct LineLimit<Kind: Hashable & Sendable>: Sendable {
  /// Least time between two lines of a kind. A fault that comes with each frame is then 1440 lines a day, which are
  /// found, and not five million, which would push all others out of the journal and wear out the card.
  public static var interval: Duration { .seconds(60) }

  private struct Written {
    var at: Instant
    var heldBack = 0
  }
  private var written: [Kind: Written] = [:]

  public init() {}

  /// Takes a line of that kind.
  ///
  /// - Returns: the number of lines held back since the last one; nil where this one is held back too.
  public mutating func admitLine(_ kind: Kind, at now: Instant) -> Int? {
    if let last = written[kind], now - last.at < Self.interval {
      written[kind]?.heldBack += 1
      return nil
    }
    let heldBack = written[kind]?.heldBack ?? 0
    written[kind] = Written(at: now)
    return heldBack
  }
}
