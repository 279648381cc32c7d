/// Errors that belong to no item: of screens, of the configuration, of files that can't be written.
public struct ProblemLog: Hashable, Sendable {
  /// How many are kept at each end: a playlist that can't be played tells one every ten seconds, for as long as nobody comes. The
  /// first 64 reach well past the start, the newest 64 over the last ten minutes; all of them together are some 20 kB.
  public static let limit = 64

  private var log = BoundedLog<PlaybackReport.Problem>(limit: ProblemLog.limit)

  public init() {}

  /// What is kept, in the order in which it came.
  public var entries: [PlaybackReport.Problem] { log.entries }
  /// How many there ever were.
  public var total: Int { log.total }

  public mutating func append(_ error: VitrineError) { log.append(PlaybackReport.Problem(error)) }
}
