/// Why a file can't be had.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    case missing
    /// Not a regular file where one is needed: a device, a pipe, a directory.
    case notRegular
    /// A symbolic link, or a way out of the folder that all has to be in.
    case confined
    /// A directory with more names in it than this.
    case tooMany(Int)
    /// The system forbids it, in its words.
    case denied(String)
    /// The disk has no room left, or we may have no more of it, in the system's words.
    case full(String)
    /// Anything else, in the system's words.
    case system(String)
  }
  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  public var isMissing: Bool { reason == .missing }
  public var isPermission: Bool { if case .denied = reason { true } else { false } }

  /// In words, without the path; within a sentence, without a full stop.
  public var description: String { words.lowercased() }

  /// The same as the system says it, where it is the system's.
  public var words: String {
    switch reason {
    case .missing: "No such file or directory"
    case .notRegular: "not a regular file"
    case .confined: "is a link, or leads away from the stick"
    case .tooMany(let limit): "has more than \(limit) files in it"
    case .denied(let words), .full(let words), .system(let words): words
    }
  }
}
