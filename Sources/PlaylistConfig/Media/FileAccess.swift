internal import Glibc
internal import PlaybackCore

/// What configurations, lists, sticks and records are read through, so that tests can stand in for a disk, and a folder of somebody
/// else's can be kept to. Media are opened by who plays them. Every call may block.
public protocol FileAccess: Sendable {
  associatedtype Confined: FileAccess

  /// Follows symbolic links.
  func status(of path: FilePath) throws(FileError) -> FileStatus
  /// The first bytes of a regular file, at most `limit`.
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8]
  /// Names in a directory in no order, without `.` and `..`.
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]]
  /// Absolute.
  func currentDirectory() throws(FileError) -> FilePath
  /// The same files, but none outside of `folder` and nothing behind a symbolic link below it: for what somebody else has
  /// put there. Such paths give `FileError.Reason.confined`.
  ///
  /// - Parameter folder: absolute. What leads to it is ours, and may be a link.
  func confined(to folder: FilePath) -> Confined
}

public struct FileStatus: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case regular, directory, other }

  /// The same for two paths that lead to the same file.
  public struct Identity: Hashable, Sendable {
    public var device: UInt64
    public var inode: UInt64
    public init(device: UInt64, inode: UInt64) {
      self.device = device
      self.inode = inode
    }
  }

  public var kind: Kind
  public var identity: Identity
  /// Bytes.
  public var size: Int64
  /// Nanoseconds since 1970; a date that 64 bits don't hold (before 1678, after 2262) is the nearest one that they do.
  public var modified: Int64
  public init(kind: Kind, identity: Identity, size: Int64 = 0, modified: Int64 = 0) {
    self.kind = kind
    self.identity = identity
    self.size = size
    self.modified = modified
  }

  /// A date as a file system has it, which may be any number of seconds.
  static func nanoseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
    seconds.clampedMultiplied(by: 1_000_000_000).clampedAdding(nanoseconds)
  }
}

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
    /// Another number of errno.
    case system(Int32)
  }
  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  public var isMissing: Bool { reason == .missing }
  public var isPermission: Bool { reason == .system(EACCES) || reason == .system(EPERM) }

  /// The number of an error about a medium that this is the reason for.
  var mediaNumber: ErrorNumber {
    if reason == .confined { return .outsideStick }
    if case .tooMany = reason { return .playlistTooLarge }
    return isMissing ? .mediaMissing : isPermission ? .noPermission : .unreadable
  }

  /// What to do about it then.
  var mediaRemedy: String {
    switch reason {
    case .missing: "check the spelling"
    case .confined: "put the file itself on the stick"
    case .tooMany: "put fewer into one directory"
    case .notRegular, .system: "make it a file that vitrine may read"
    }
  }

  /// In words, without the path; no full stop.
  public var description: String {
    switch reason {
    case .missing: return "no such file or directory"
    case .notRegular: return "not a regular file"
    case .confined: return "is a link, or leads away from the stick"
    case .tooMany(let limit): return "has more than \(limit) files in it"
    case .system(let code):
      guard let text = strerror(code) else { return "system error \(code)" }
      return String(cString: text).lowercased()
    }
  }

  static func last() -> FileError { FileError(code: errno) }

  init(code: Int32) {
    // A path through something that is no directory is as missing as any other.
    self.init(code == ENOENT || code == ENOTDIR ? .missing : .system(code))
  }
}

/// The file system of the machine.
public struct SystemFileAccess: FileAccess {
  public init() {}

  public func status(of path: FilePath) throws(FileError) -> FileStatus {
    var status = stat()
    guard stat(try path.terminated(), &status) == 0 else { throw .last() }
    return FileStatus(status)
  }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    // O_NONBLOCK: what was a file at the last look may be a pipe now, and would hold the caller for ever.
    let file = OpenFile(open(try path.terminated(), O_RDONLY | O_CLOEXEC | O_NONBLOCK))
    guard file.descriptor >= 0 else { throw .last() }
    return try file.bytes(limit: limit)
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    let file = OpenFile(open(try directory.terminated(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK))
    guard file.descriptor >= 0 else { throw .last() }
    return try file.names()
  }

  public func currentDirectory() throws(FileError) -> FilePath {
    guard let path = getcwd(nil, 0) else { throw .last() }
    defer { free(path) }
    return FilePath(String(cString: path))
  }

  public func confined(to folder: FilePath) -> ConfinedFileAccess { ConfinedFileAccess(folder) }
}
