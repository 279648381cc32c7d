public import PlaybackCore

// What of a kiosk is for those who watch many of them.

extension KioskStatus {
  /// The machine, as far as it tells. What is nil it doesn't.
  public struct Board: Hashable, Sendable, Encodable {
    /// Of its hottest part.
    public var temperatureCelsius: Double?
    /// Whether the processor runs slower than it could: too hot, or too little power.
    public var isThrottled: Bool?
    /// Whether the power supply is too weak now.
    public var isUnderVoltage: Bool?
    /// Whether something keeps the clock right.
    public var isClockSynchronised = false
    /// Of this process.
    public var residentBytes: Int64?
    /// That this process has had written to disks since it began.
    public var writtenBytes: Int64?
    /// Of the machine.
    public var availableBytes: Int64?
    /// Of the disk where the player's state is.
    public var diskFreeBytes: Int64?
    /// How much of its life the card or chip has behind it, as it says itself, in steps of ten.
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

  /// Between items that followed each other by themselves; nil without any. Negative where the next one came early.
  public struct Gaps: Hashable, Sendable, Encodable {
    /// Of the newest.
    public var medianSeconds: Double?
    public var percentile99Seconds: Double?
    /// Of all.
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

  /// Something that was told to be wrong.
  public struct Problem: Hashable, Sendable, Encodable {
    public var number: Int
    /// One line, redacted.
    public var text: String
    /// How often it was told in a row.
    public var count: Int
    /// Since it was told last.
    public var ageSeconds: Double

    enum CodingKeys: String, CodingKey {
      case number, text, count
      case ageSeconds = "age_seconds"
    }
  }
}

/// The newest of what is wrong, for those who look now and then. What is the same as before is counted.
public struct RecentProblems: Hashable, Sendable {
  /// A page shows no more, and a line is at most some hundred characters.
  public static let limit = 8

  private struct Entry: Hashable, Sendable {
    var error: VitrineError
    var count: Int
    var at: Instant
  }

  private var entries: [Entry] = []
  /// How many there ever were.
  public private(set) var total = 0

  public init() {}

  public mutating func noteProblem(_ error: VitrineError, at now: Instant) {
    total += 1
    let same = entries.firstIndex { $0.error.number == error.number && $0.error.line == error.line }
    let count = same.map { entries.remove(at: $0).count } ?? 0
    entries.insert(Entry(error: error, count: count + 1, at: now), at: 0)
    if entries.count > Self.limit { entries.removeLast() }
  }

  /// The newest first.
  public func all(at now: Instant) -> [KioskStatus.Problem] {
    entries.map { entry in
      KioskStatus.Problem(
        number: entry.error.number, text: PlainText.clipped(Redaction.text(entry.error.line)), count: entry.count,
        ageSeconds: max(0, (now - entry.at).inSeconds))
    }
  }
}
