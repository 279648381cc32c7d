internal import PlaybackCore

extension KioskStatus {
  /// What died lately, and what follows from it.
  public struct Survival: Hashable, Sendable, Encodable {
    /// An item that isn't played.
    public struct Held: Hashable, Sendable, Encodable {
      /// Redacted.
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
    /// Since it began; nil for the normal one.
    public var modeSeconds: Double?
    public var lastCrash: CrashSummary?
    public var quarantine: [Held]
    /// How often the player was started since the machine was, this time included, by what became of the run before.
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
