/// The time between two moments, for lines of the log; nil leaves it open.
public struct PlayPeriod: Hashable, Sendable {
  /// In milliseconds since 1970.
  private let since: Int64?
  private let until: Int64?

  /// - Parameters:
  ///   - since: then or later.
  ///   - until: before then.
  public init(since: Int64? = nil, until: Int64? = nil) { (self.since, self.until) = (since, until) }

  /// - Parameter start: when a play or a visit began.
  public func contains(_ start: Int64) -> Bool {
    (since.map { start >= $0 } ?? true) && (until.map { start < $0 } ?? true)
  }
}
