/// The place where playback begins when the board starts again.
public enum ResumeChoice: String, Hashable, Sendable, CaseIterable {
  /// The item that played last; a long item begins at the position that it had reached.
  case position
  /// The item that played last, from its start.
  case item
  /// The first item of the list. No position is saved.
  case off
}
