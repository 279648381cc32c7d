/// The number of the player's starts since the machine's start, by the end of the previous run.
public struct StartCounts: Hashable, Sendable, Encodable {
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// There was no previous run.
    case first
    /// The previous run ended as planned.
    case asked
    /// The previous run handed over by itself, to get rid of something that hangs.
    case handOver = "hand-over"
    case crash
    case hang
    case signal
    /// The kernel killed the previous run for lack of memory.
    case memory
    /// The previous run ended without a record of the reason.
    case killed
  }

  private var counts: [Reason: Int] = [:]

  public init() {}

  public subscript(reason: Reason) -> Int { counts[reason] ?? 0 }

  /// - Parameters:
  ///   - end: the previous run's record of its end; nil where there was no run.
  ///   - death: its crash; nil where it ended as planned.
  public mutating func count(after end: CrashRecord.End?, _ death: Death?) {
    let reason: Reason =
      switch (end, death?.cause) {
      case (_, .fault?): .crash
      case (_, .hang?): .hang
      case (_, .signalled?): .signal
      case (_, .memory?): .memory
      case (_, .unknown?): .killed
      case (.handOver?, nil): .handOver
      case (nil, nil): .first
      case (.clean?, nil), (.asked?, nil), (CrashRecord.End.none?, nil): .asked
      }
    counts[reason, default: 0] = self[reason] &+ 1
  }

  /// Reads the format of `text`; unreadable lines are skipped.
  public init(text: String) {
    for line in text.split(separator: "\n").prefix(16) {
      let words = line.split(separator: " ")
      guard words.count == 2, let reason = Reason(rawValue: String(words[0])), let count = Int(words[1]), count > 0,
        count < 1_000_000_000
      else { continue }
      counts[reason] = count
    }
  }

  /// The file's text: a line such as `crash 2` for each reason with a count.
  public var text: String {
    Reason.allCases.filter { self[$0] > 0 }.map { "\($0.rawValue) \(self[$0])\n" }.joined()
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }))
  }
}
