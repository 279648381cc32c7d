/// Says whether a line of a log is written that has been written before: each text once in a while, with how often it came since.
///
/// `LineLimit` for whoever doesn't know what kinds of lines there are. What is kept is bounded: of more texts than `limit`, the one that was
/// written longest ago is forgotten, and is a new one when it comes again.
public struct RepeatedLines: Sendable {
  /// As many as a log tells of different troubles at a time; at most 300 bytes each are kept of a text.
  public static let limit = 128
  private static let longest = 300

  private struct Known {
    var at: Instant
    var heldBack = 0
  }
  private var known: [String: Known] = [:]

  public init() {}

  /// - Returns: how many were held back since it was written last; nil where this one is held back too.
  public mutating func takeLine(_ text: String, at now: Instant) -> Int? {
    let key = text.utf8.count > Self.longest ? String(text.prefix(Self.longest)) : text
    if let last = known[key], now - last.at < LineLimit<Int>.interval {
      known[key]?.heldBack += 1
      return nil
    }
    let heldBack = known[key]?.heldBack ?? 0
    if known[key] == nil, known.count >= Self.limit, let oldest = known.min(by: { $0.value.at < $1.value.at }) {
      known[oldest.key] = nil
    }
    known[key] = Known(at: now)
    return heldBack
  }
}
