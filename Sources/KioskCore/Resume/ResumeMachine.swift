public import PlaybackCore

/// When the places at which playback could go on are written to the disk: docs/decisions/0141-coming-back.md.
///
/// Boards live on SD cards, which wear out by being written. What is written is what has changed, at most once in `interval` and once
/// when the run ends; a list of one short film is written once in its life.
///
/// Transitions: waiting -> (`look`) -> waiting; from there to over (`end`), and nothing after that.
public struct ResumeMachine: Hashable, Sendable {
  /// At most one small write in so long: 52,560 a year, which cards stand for decades (0141). What a power cut loses is as much of a
  /// long film, and nothing of a list of short ones but the turn.
  public static let interval: Duration = .seconds(600)

  /// What a screen has to say of its place.
  public enum Place: Hashable, Sendable {
    case at(ResumePoint)
    /// It is to begin with its list: that was played to its end, or nothing is to be kept.
    case none
    /// Nothing new: something plays that is in no list, or nothing does.
    case unchanged
  }

  /// As they are on the disk; nil where something else is there.
  public private(set) var written: [String: ResumePoint]?
  /// When to look next; nil when it is over.
  public private(set) var due: Instant?

  /// - Parameter written: what is on the disk; nil where that is something else, which is replaced in its time.
  public init(written: [String: ResumePoint]?, at now: Instant) {
    self.written = written
    due = now + Self.interval
  }

  /// The time of a look has come.
  ///
  /// - Parameter places: of all screens that there are, by their names.
  /// - Returns: what is to be written now, in place of the whole; nil writes nothing.
  public mutating func look(at places: [String: Place], _ now: Instant) -> [String: ResumePoint]? {
    guard let due, now >= due else { return nil }
    self.due = now + Self.interval
    return takePlaces(places)
  }

  /// The run ends.
  public mutating func end(with places: [String: Place]) -> [String: ResumePoint]? {
    guard due != nil else { return nil }
    due = nil
    return takePlaces(places)
  }

  private mutating func takePlaces(_ places: [String: Place]) -> [String: ResumePoint]? {
    var new: [String: ResumePoint] = [:]
    // Of a screen that isn't there any more nothing is kept.
    for (name, place) in places {
      switch place {
      case .at(let point): new[name] = point
      case .unchanged: new[name] = written?[name]
      case .none: break
      }
    }
    guard new != written else { return nil }
    written = new
    return new
  }
}
