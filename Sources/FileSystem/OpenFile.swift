public import FileModel
internal import Glibc

/// An open file or folder; closed with its last use.
///
/// Open files aren't inherited by child processes (O_CLOEXEC), and opening never waits for the other end of a pipe
/// (O_NONBLOCK): a path that was a file when it was checked may be a pipe now, and would block the caller for ever.
public struct OpenFile: ~Copyable, Sendable {
  /// For waiting until there is something to read. Only this value closes it.
  public let descriptor: Int32

  /// - Parameter descriptor: of an open file; this value takes ownership of it.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  // MARK: Opening

  /// Opens a file for reading.
  public init(reading path: FilePath) throws(FileError) { try self.init(path, O_RDONLY) }

  /// Opens a file for reading; a link is an error.
  public init(readingUnlinked path: FilePath) throws(FileError) { try self.init(path, O_RDONLY | O_NOFOLLOW) }

  /// Opens a folder, to list its names.
  public init(folder path: FilePath) throws(FileError) { try self.init(path, O_RDONLY | O_DIRECTORY) }

  /// Makes a new file; an existing name is an error.
  public init(creating path: FilePath, mode: UInt32 = 0o644) throws(FileError) {
    try self.init(path, O_WRONLY | O_CREAT | O_EXCL, mode: mode)
  }

  /// Opens an empty file, dropping its old content; a link is an error.
  public init(emptying path: FilePath, mode: UInt32) throws(FileError) {
    try self.init(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: mode)
  }

  /// Opens an existing file to continue writing after its first `size` bytes; the rest is cut off. A link is an error,
  /// and so is a shorter file.
  public static func continuing(_ path: FilePath, after size: Int64) throws(FileError) -> OpenFile {
    let file = try OpenFile(path, O_WRONLY | O_NOFOLLOW)
    guard try file.status().size >= size else { throw FileError(.system("the file is shorter than it was")) }
    let descriptor = file.descriptor
    try SystemCall.retried { ftruncate(descriptor, off_t(size)) }
    try SystemCall.retried { lseek(descriptor, off_t(size), SEEK_SET) }
    return file
  }

  init(_ path: FilePath, _ flags: Int32, mode: UInt32 = 0) throws(FileError) {
    let terminated = try path.terminated()
    descriptor = try SystemCall.retried { open(terminated, flags | O_CLOEXEC | O_NONBLOCK, mode_t(mode)) }
  }

  // MARK: Status and reading

  public borrowing func status() throws(FileError) -> FileStatus {
    var status = stat()
    try SystemCall.retried { fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Reads the file's first bytes, at most `limit`.
  public borrowing func bytes(limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 64 * 1024))
    if limit > chunk.count {
      // Reserved at once: a growing array ends up with up to twice the room. Files that report a size of 0 (/proc) do
      // grow.
      bytes.reserveCapacity(max(0, Int(min(Int64(limit), try status().size))))
    }
    while bytes.count < limit {
      let count = try read(into: &chunk, atMost: limit - bytes.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// Reads on: returns how many bytes are in `chunk` then; 0 at the end.
  public borrowing func read(into chunk: inout [UInt8], atMost limit: Int = .max) throws(FileError) -> Int {
    try SystemCall.retried {
      chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, min($0.count, limit)) }
    }
  }

  /// Reads bytes at an offset; fewer at the file's end. The position of `read` doesn't change.
  public borrowing func bytes(at place: Int64, count: Int) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let part = try SystemCall.retried {
        bytes.withUnsafeMutableBytes {
          pread(descriptor, $0.baseAddress?.advanced(by: filled), count - filled, off_t(place) + off_t(filled))
        }
      }
      guard part > 0 else { break }
      filled += part
    }
    return Array(bytes.prefix(filled))
  }

  /// The names in a folder, without `.` and `..`.
  ///
  /// - Throws: `tooMany` where there are more than `limit`.
  public borrowing func names(limit: Int = FolderLimits.names) throws(FileError) -> [[UInt8]] {
    // closedir closes the descriptor, so it gets a copy.
    let copy = try SystemCall.retried { fcntl(descriptor, F_DUPFD_CLOEXEC, 0) }
    guard let stream = fdopendir(copy) else {
      let error = FileError.ofLastCall()
      close(copy)
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .ofLastCall() }
        return names
      }
      // Read through the pointer: a copied entry ends with its declared array, and the name may be longer.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      guard names.count < limit else { throw FileError(.tooMany(limit)) }
      names.append(name)
    }
  }

  // MARK: Writing

  /// Writes all bytes; the kernel may accept them in parts.
  public borrowing func write(_ bytes: some Collection<UInt8>) throws(FileError) {
    let bytes = Array(bytes)
    var written = 0
    while written < bytes.count {
      let count = try SystemCall.retried {
        bytes.withUnsafeBytes {
          Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
        }
      }
      // A file that accepts nothing without an error would be tried for ever.
      guard count > 0 else { throw FileError(.system("nothing more can be written")) }
      written += count
    }
  }

  /// Returns once the disk has the written bytes or, for a folder, its renames and new files.
  public borrowing func synchronise() throws(FileError) { try SystemCall.retried { fsync(descriptor) } }

  /// Sets the permissions, regardless of the process's umask.
  public borrowing func setMode(_ mode: UInt32) throws(FileError) {
    try SystemCall.retried { fchmod(descriptor, mode_t(mode)) }
  }

  /// Changes the owner, as only root may.
  public borrowing func setOwner(_ owner: FileOwner) throws(FileError) {
    try SystemCall.retried { fchown(descriptor, owner.user, owner.group) }
  }
}

extension FileStatus {
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFSOCK: .socket
      default: .other
      }
    self.init(
      kind: kind,
      identity: Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
      size: Int64(status.st_size),
      modified: Self.nanoseconds(
        seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec)),
      changed: Self.nanoseconds(
        seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec)))
  }
}

extension FilePath {
  /// The path as a C string for system calls.
  func terminated() throws(FileError) -> [CChar] {
    // A NUL would cut the path short, to another file.
    guard !bytes.isEmpty, !bytes.contains(0) else { throw FileError(.missing) }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
