/// Says whether a line is written that may come up with each frame: one of each kind in a while, with how many were held back.
public struct LineLimit<Kind: Hashable & Sendable>: Sendable {
  /// Of each kind one a minute at most. A fault that comes with each frame is 1440 lines a day then, which are found, and not five
  /// million, which push all else out of the journal and wear out the card.
  public static var interval: Duration { .seconds(60) }

  private struct Written {
    var at: Instant
    var heldBack = 0
  }
  private var written: [Kind: Written] = [:]

  public init() {}

  /// A line of that kind has come up.
  ///
  /// - Returns: how many were held back since the last one; nil where this one is held back too.
  public mutating func takeLine(_ kind: Kind, at now: Instant) -> Int? {
    if let last = written[kind], now - last.at < Self.interval {
      written[kind]?.heldBack += 1
      return nil
    }
    let heldBack = written[kind]?.heldBack ?? 0
    written[kind] = Written(at: now)
    return heldBack
  }
}
