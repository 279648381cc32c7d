/// The reason why a file operation failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    case missing
    /// Not a regular file where one is needed: a device, a pipe, a directory.
    case notRegular
    /// A symbolic link, or a path out of the folder to which access is confined.
    case confined
    /// A directory with more names in it than this.
    case tooMany(Int)
    /// The system forbids it, in its words.
    case denied(String)
    /// The disk or the quota is full, in the system's words.
    case full(String)
    /// Anything else, in the system's words.
    case system(String)
  }
  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  public var isMissing: Bool { reason == .missing }
  public var isPermission: Bool { if case .denied = reason { true } else { false } }

  /// The reason in words, without the path; for use within a sentence, without a full stop.
  public var description: String { words.lowercased() }

  /// The description with the system's own capital letters.
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
