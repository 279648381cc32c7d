internal import Glibc

/// A file that is open; closed with the last use. Negative where opening it failed.
struct OpenFile: ~Copyable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { if descriptor >= 0 { close(descriptor) } }

  borrowing func status() throws(FileError) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last() }
    return FileStatus(status)
  }

  /// The first bytes, at most `limit`.
  borrowing func bytes(limit: Int) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 64 * 1024))
    while bytes.count < limit {
      let count = try read(into: &chunk, atMost: limit - bytes.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// One step on: how many bytes are in `chunk` then; 0 at the end.
  borrowing func read(into chunk: inout [UInt8], atMost limit: Int = .max) throws(FileError) -> Int {
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, min($0.count, limit)) }
      if count >= 0 { return count }
      guard errno == EINTR else { throw .last() }
    }
  }

  /// More than a configuration may list, with as many files beside them. A folder with millions of files in it, as a stick may
  /// have, would fill the memory before anything else of it was looked at.
  static let mostNames = 2 * ConfigurationLimits.items

  /// Of a directory that was opened for reading; without `.` and `..`.
  ///
  /// - Throws: `tooMany` where there are more than `limit`.
  borrowing func names(limit: Int = Self.mostNames) throws(FileError) -> [[UInt8]] {
    // The stream closes what it is given.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last() }
    guard let stream = fdopendir(copy) else {
      let error = FileError.last()
      close(copy)
      throw error
    }
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
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      guard names.count < limit else { throw FileError(.tooMany(limit)) }
      names.append(name)
    }
  }
}

extension FileStatus {
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      default: .other
      }
    self.init(
      kind: kind,
      identity: Identity(device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(status.st_ino)),
      size: Int64(status.st_size),
      modified: Self.nanoseconds(
        seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec)))
  }
}

extension FilePath {
  /// As the kernel's calls take it.
  func terminated() throws(FileError) -> [CChar] {
    // A NUL would cut the path short, to another file.
    guard !bytes.isEmpty, !bytes.contains(0) else { throw FileError(.missing) }
    return bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
