import Glibc

/// The one door to the file system. Every call may block.
public protocol FileAccess: Sendable {
  /// Follows symbolic links.
  func status(of path: FilePath) throws(FileError) -> FileStatus
  /// The first bytes of a regular file, at most `limit`.
  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8]
  /// Names in a directory in no order, without `.` and `..`.
  func names(in directory: FilePath) throws(FileError) -> [[UInt8]]
  /// Absolute.
  func currentDirectory() throws(FileError) -> FilePath
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
  public init(kind: Kind, identity: Identity) {
    self.kind = kind
    self.identity = identity
  }
}

/// Why a file can't be had.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: Hashable, Sendable {
    case missing
    /// Not a regular file where one is needed: a device, a pipe, a directory.
    case notRegular
    /// Another number of errno.
    case system(Int32)
  }
  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }

  public var isMissing: Bool { reason == .missing }
  public var isPermission: Bool { reason == .system(EACCES) || reason == .system(EPERM) }

  /// The number of an error about a medium that this is the reason for.
  var mediaNumber: ErrorNumber { isMissing ? .mediaMissing : isPermission ? .noPermission : .unreadable }

  /// In words, without the path; no full stop.
  public var description: String {
    switch reason {
    case .missing: return "no such file or directory"
    case .notRegular: return "not a regular file"
    case .system(let code):
      guard let text = strerror(code) else { return "system error \(code)" }
      return String(cString: text).lowercased()
    }
  }

  static func last() -> FileError {
    let code = errno
    // A path through something that is no directory is as missing as any other.
    return FileError(code == ENOENT || code == ENOTDIR ? .missing : .system(code))
  }
}

/// The file system of the machine.
public struct SystemFileAccess: FileAccess {
  public init() {}

  public func status(of path: FilePath) throws(FileError) -> FileStatus {
    var status = stat()
    guard stat(try Self.terminated(path), &status) == 0 else { throw .last() }
    let kind: FileStatus.Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    return FileStatus(
      kind: kind,
      identity: FileStatus.Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)))
  }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    // O_NONBLOCK: what was a file at the last look may be a pipe now, and would hold the caller for ever.
    let descriptor = open(try Self.terminated(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last() }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 64 * 1024))
    while bytes.count < limit {
      let wanted = min(chunk.count, limit - bytes.count)
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last() }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    guard let stream = opendir(try Self.terminated(directory)) else { throw .last() }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last() }
        return names
      }
      // Through the pointer: a copy of the entry ends where its declared array ends, the name may not.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
  }

  public func currentDirectory() throws(FileError) -> FilePath {
    guard let path = getcwd(nil, 0) else { throw .last() }
    defer { free(path) }
    return FilePath(String(cString: path))
  }

  private static func terminated(_ path: FilePath) throws(FileError) -> [CChar] {
    // A NUL would cut the path short, to another file.
    guard !path.bytes.isEmpty, !path.bytes.contains(0) else { throw FileError(.missing) }
    return path.bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
