/// Limits repeated log lines: each text is written once in a while, with the number of its repetitions since.
///
/// Like `LineLimit`, for callers that don't know the kinds of lines. The memory is bounded: beyond `limit` texts, the
/// one that was written longest ago is forgotten, and counts as new when it comes again.
public struct RepeatedLines: Sendable {
  /// Texts that are remembered: about as many different troubles as a log has at a time. At most 300 bytes of each are
  /// kept.
  public static let limit = 128
  private static let longest = 300

  private struct Known {
    var at: Instant
    var heldBack = 0
  }
  private var known: [String: Known] = [:]

  public init() {}

  /// - Returns: the number of lines held back since it was written last; nil where this one is held back too.
  public mutating func admitLine(_ text: String, at now: Instant) -> Int? {
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
