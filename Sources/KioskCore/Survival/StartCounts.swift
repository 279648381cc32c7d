/// How often the player was started since the machine was, by what became of the run before it.
public struct StartCounts: Hashable, Sendable, Encodable {
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There was none.
    case first
    /// It ended because somebody asked for it.
    case asked
    /// It handed over by itself: to get rid of what hangs.
    case handOver = "hand-over"
    case crash
    case hang
    case signal
    /// The kernel ended it for want of memory.
    case memory
    /// It ended without a word.
    case killed
  }

  private var counts: [Reason: Int] = [:]

  public init() {}

  public subscript(reason: Reason) -> Int { counts[reason] ?? 0 }

  /// - Parameters:
  ///   - end: how the run before said that it ended; nil where there was none.
  ///   - death: what it died of; nil where it didn't.
  public mutating func count(after end: RunRecord.End?, _ death: Death?) {
    let reason: Reason =
      switch (end, death?.cause) {
      case (_, .fault?): .crash
      case (_, .hang?): .hang
      case (_, .signalled?): .signal
      case (_, .memory?): .memory
      case (_, .unknown?): .killed
      case (.handOver?, nil): .handOver
      case (nil, nil): .first
      case (.clean?, nil), (.asked?, nil), (RunRecord.End.none?, nil): .asked
      }
    counts[reason, default: 0] = self[reason] &+ 1
  }

  /// Reads what `text` writes; what can't be read counts as nothing.
  public init(text: String) {
    for line in text.split(separator: "\n").prefix(16) {
      let words = line.split(separator: " ")
      guard words.count == 2, let reason = Reason(rawValue: String(words[0])), let count = Int(words[1]), count > 0,
        count < 1_000_000_000
      else { continue }
      counts[reason] = count
    }
  }

  /// `crash 2` for each that there was.
  public var text: String {
    Reason.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue) \(self[$0])\n" }.joined()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }))
  }
}
