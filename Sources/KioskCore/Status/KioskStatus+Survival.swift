internal import PlaybackCore

extension KioskStatus {
  /// The recent crashes and their consequences.
  public struct Survival: Hashable, Sendable, Encodable {
    /// An item that isn't played.
    public struct Held: Hashable, Sendable, Encodable {
      /// The redacted address.
      public var uri: String
      public var deaths: Int
      public var signal: Int
      public var number: Int

      public init(_ entry: Quarantine.Entry) {
        uri = entry.subject.toldURI
        deaths = entry.deaths
        signal = Int(entry.signal)
        number = entry.error.number
      }
    }

    public var mode: CrashLoop.Mode
    /// The time since the mode began; nil for the normal mode.
    public var modeSeconds: Double?
    public var lastCrash: CrashSummary?
    public var quarantine: [Held]
    /// The number of starts since the machine's start, this one included, by the end of the previous run.
    public var starts = StartCounts()

    public init(mode: CrashLoop.Mode, modeSeconds: Double?, lastCrash: CrashSummary?, quarantine: [Held]) {
      self.mode = mode
      self.modeSeconds = modeSeconds
      self.lastCrash = lastCrash
      self.quarantine = quarantine
    }

    enum CodingKeys: String, CodingKey {
      case mode, quarantine, starts
      case modeSeconds = "mode_seconds"
      case lastCrash = "last_crash"
    }
  }
}
