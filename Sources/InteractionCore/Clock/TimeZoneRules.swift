/// The offsets of a time zone, injected: the rules themselves are the system's.
public struct TimeZoneRules: Sendable {
  /// The zone's name, for people.
  public var name: String
  /// Seconds by which the local clock is ahead of UTC.
  ///
  /// - Parameter: seconds since 1970-01-01 00:00 UTC.
  public var offset: @Sendable (Int64) -> Int

  public init(name: String, offset: @escaping @Sendable (Int64) -> Int) {
    self.name = name
    self.offset = offset
  }

  public static let utc = TimeZoneRules(name: "UTC") { _ in 0 }

  /// The local time at a moment.
  public func civilTime(at utc: Int64) -> CivilTime { CivilTime(localSeconds: utc + Int64(offset(utc))) }

  /// Seconds around a local time within which a zone changes its clock at most once. Two days hold the date line's
  /// skipped day too (Samoa, 2011).
  private static let window: Int64 = 2 * 86_400

  /// The first moment at which local time is `time` or later.
  ///
  /// A time that comes twice, when the clock is put back, counts the first time; a time that is skipped, when the clock
  /// is put forward, is the moment of the change. So each local time is one moment, and later local times are never
  /// earlier moments.
  public func firstInstant(of time: CivilTime) -> Int64 {
    let local = time.localSeconds
    let (early, late) = (local - Self.window, local + Self.window)
    let (before, after) = (offset(early), offset(late))
    let matches = [before, after].map { local - Int64($0) }.filter { offset($0) == Int(local - $0) }
    if let first = matches.min() { return first }
    // Skipped: the clock jumps over it once in this window, and runs forward on both sides of the jump.
    var (low, high) = (early, late)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if middle + Int64(offset(middle)) >= local { high = middle } else { low = middle }
    }
    return high
  }
}

/// The time of the system's clock.
public enum ScheduleClock: Hashable, Sendable {
  /// The clock has not been set since the start.
  case notSet
  /// Seconds since 1970-01-01 00:00 UTC.
  case utc(Int64)
}
