public import PlaybackCore

/// Decides when the screens' places are written to the disk: docs/decisions/0141-coming-back.md.
///
/// Boards live on SD cards, which wear out with writes. Only changes are written, at most once in `interval` and once
/// when the run ends; a list of one short film is written once in its life.
///
/// Transitions: waiting -> (`update`) -> waiting; waiting -> (`end`) -> over, which is final.
public struct ResumeMachine: Hashable, Sendable {
  /// The least time between two small writes: 52,560 a year, which cards stand for decades (0141). A power cut loses as
  /// much of a long film; a list of short ones begins at most this much earlier.
  public static let interval: Duration = .seconds(600)

  /// The place of a screen.
  public enum Place: Hashable, Sendable {
    case at(ResumePoint)
    /// The list begins at its start next time: it was played to its end, or no place is to be kept.
    case none
    /// The written place stays: an item plays that is in no list, or none plays.
    case unchanged
  }

  /// The places on the disk; nil where the file has other content.
  public private(set) var written: [String: ResumePoint]?
  /// When to look next; nil after the end.
  public private(set) var due: Instant?

  /// - Parameter written: the places on the disk; nil for a file with other content, which the next write replaces.
  public init(written: [String: ResumePoint]?, at now: Instant) {
    self.written = written
    due = now + Self.interval
  }

  /// Compares the places with those on the disk, when `due` has come.
  ///
  /// - Parameter places: the places of all present screens, by their names.
  /// - Returns: the places to write now, in place of the whole file; nil writes nothing.
  public mutating func update(from places: [String: Place], _ now: Instant) -> [String: ResumePoint]? {
    guard let due, now >= due else { return nil }
    self.due = now + Self.interval
    return recordPlaces(places)
  }

  /// Compares the places for the last time, at the run's end.
  public mutating func end(with places: [String: Place]) -> [String: ResumePoint]? {
    guard due != nil else { return nil }
    due = nil
    return recordPlaces(places)
  }

  private mutating func recordPlaces(_ places: [String: Place]) -> [String: ResumePoint]? {
    var new: [String: ResumePoint] = [:]
    // The place of a screen that no longer exists isn't kept.
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
