/// Where playback begins when the board starts again.
public enum ResumeChoice: String, Hashable, Sendable, CaseIterable {
  /// With the item that played last, and where it is long at the place that it had come to.
  case position
  /// With the item that played last, from its start.
  case item
  /// With the first item of the list. Nothing is written.
  case off
}
