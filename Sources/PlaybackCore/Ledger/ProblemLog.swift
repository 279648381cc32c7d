/// Errors that belong to no item: of screens, of the configuration, of files that can't be written.
public struct ProblemLog: Hashable, Sendable {
  /// Errors kept at each end: a playlist that can't be played reports one every ten seconds until a person comes. The
  /// first 64 reach well past the start, and the newest 64 cover the last ten minutes; together they take some 20 kB.
  public static let limit = 64

  private var log = BoundedLog<PlaybackReport.Problem>(limit: ProblemLog.limit)

  public init() {}

  /// The kept errors, in the order in which they came.
  public var entries: [PlaybackReport.Problem] { log.entries }
  /// Number of errors that ever came.
  public var total: Int { log.total }

  public mutating func append(_ error: VitrineError) { log.append(PlaybackReport.Problem(error)) }
}
