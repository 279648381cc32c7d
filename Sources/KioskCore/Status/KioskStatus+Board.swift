public import PlaybackCore

// The parts of the status for monitoring many boards.

extension KioskStatus {
  /// The machine's facts; nil where the machine doesn't report one.
  public struct Board: Hashable, Sendable, Encodable {
    /// The hottest sensor's temperature.
    public var temperatureCelsius: Double?
    /// Whether the processor is slowed down by heat or too little voltage.
    public var isThrottled: Bool?
    /// Whether the power supply is too weak now.
    public var isUnderVoltage: Bool?
    /// Whether the clock is synchronised.
    public var isClockSynchronised = false
    /// The memory of this process.
    public var residentBytes: Int64?
    /// The bytes that this process has written to disks since its start.
    public var writtenBytes: Int64?
    /// The machine's available memory.
    public var availableBytes: Int64?
    /// The free space on the disk with the player's state.
    public var diskFreeBytes: Int64?
    /// The used part of the card's or chip's life, as it reports it, in steps of ten.
    public var wearPercent: Int?

    public init() {}

    enum CodingKeys: String, CodingKey {
      case temperatureCelsius = "temperature_celsius"
      case isThrottled = "is_throttled"
      case isUnderVoltage = "is_under_voltage"
      case isClockSynchronised = "is_clock_synchronised"
      case residentBytes = "resident_bytes"
      case writtenBytes = "written_bytes"
      case availableBytes = "available_bytes"
      case diskFreeBytes = "disk_free_bytes"
      case wearPercent = "wear_percent"
    }
  }

  /// The gaps between items that followed each other without a command; nil without any. Negative where the next item
  /// came early.
  public struct Gaps: Hashable, Sendable, Encodable {
    /// Over the newest gaps.
    public var medianSeconds: Double?
    public var percentile99Seconds: Double?
    /// Over all gaps.
    public var longestSeconds: Double?

    public init() {}

    public init(_ summary: PlaybackReport.GapSummary) {
      medianSeconds = summary.medianMilliseconds.map { $0 / 1000 }
      percentile99Seconds = summary.percentile99Milliseconds.map { $0 / 1000 }
      longestSeconds = summary.longestMilliseconds.map { $0 / 1000 }
    }

    enum CodingKeys: String, CodingKey {
      case medianSeconds = "p50_seconds"
      case percentile99Seconds = "p99_seconds"
      case longestSeconds = "max_seconds"
    }
  }

  /// A reported problem.
  public struct Problem: Hashable, Sendable, Encodable {
    public var number: Int
    /// One line, redacted.
    public var text: String
    /// How often it was reported in a row.
    public var count: Int
    /// The time since its last report.
    public var ageSeconds: Double

    enum CodingKeys: String, CodingKey {
      case number, text, count
      case ageSeconds = "age_seconds"
    }
  }
}

/// The newest problems, for those who look now and then. Equal ones are counted.
public struct RecentProblems: Hashable, Sendable {
  /// The number of problems on a page; a line has at most some hundred characters.
  public static let limit = 8

  private struct Entry: Hashable, Sendable {
    var error: VitrineError
    var count: Int
    var at: Instant
  }

  private var entries: [Entry] = []
  /// The number of all problems since the start.
  public private(set) var total = 0

  public init() {}

  public mutating func recordProblem(_ error: VitrineError, at now: Instant) {
    total += 1
    let same = entries.firstIndex { $0.error.number == error.number && $0.error.line == error.line }
    let count = same.map { entries.remove(at: $0).count } ?? 0
    entries.insert(Entry(error: error, count: count + 1, at: now), at: 0)
    if entries.count > Self.limit { entries.removeLast() }
  }

  /// The problems, the newest first.
  public func all(at now: Instant) -> [KioskStatus.Problem] {
    entries.map { entry in
      KioskStatus.Problem(
        number: entry.error.number, text: PlainText.clipped(Redaction.text(entry.error.line)), count: entry.count,
        ageSeconds: max(0, (now - entry.at).inSeconds))
    }
  }
}
