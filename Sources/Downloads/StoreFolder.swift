internal import ContentStore
internal import Glibc
internal import MainLoop
internal import PlaylistConfig

/// The store's folder: every call blocks, and all are made on one worker, in order.
struct StoreFolder: Sendable {
  let path: String

  /// What lies there at the start. Makes the folder where it isn't there.
  ///
  /// - Throws: when it can't be used.
  func open() throws(DiskTrouble) -> StoreFound {
    mkdir(path, 0o755)
    guard access(path, R_OK | W_OK | X_OK) == 0, let directory = opendir(path) else { throw .last() }
    defer { closedir(directory) }
    var sizes: [String: Int64] = [:]
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      // What isn't ours stays: somebody may have named a folder of theirs.
      let plain = name.hasSuffix(StoreNames.partSuffix) ? String(name.dropLast(StoreNames.partSuffix.count)) : name
      guard StoreIndex.isName(plain) else { continue }
      var status = stat()
      guard lstat(full(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      sizes[name] = Int64(status.st_size)
    }
    let text = try? SystemFileAccess().read(FilePath(full(StoreNames.index)), limit: 64 << 20)
    return StoreFound(
      index: text.flatMap { StoreIndex(text: String(decoding: $0, as: UTF8.self)) }, sizes: sizes, free: free)
  }

  /// Bytes that the disk has left for us.
  var free: Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  func full(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens a partial file, cut to what is known to be good.
  ///
  /// - Parameter size: bytes of it that are kept; less can't be there.
  func openPart(_ name: String, size: Int64) throws(DiskTrouble) -> Int32 {
    let flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (size == 0 ? O_CREAT | O_TRUNC : 0)
    let descriptor = Glibc.open(full(StoreNames.part(name)), flags, 0o644)
    guard descriptor >= 0 else { throw .last() }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int64(status.st_size) >= size, ftruncate(descriptor, off_t(size)) == 0,
      lseek(descriptor, off_t(size), SEEK_SET) == off_t(size)
    else {
      let trouble = DiskTrouble.last()
      close(descriptor)
      throw trouble
    }
    return descriptor
  }

  /// Brings a whole file to the disk and gives it its name: nobody sees a file under its name that isn't whole, whenever
  /// the process or the power goes.
  ///
  /// - Returns: false when the checksum is another one.
  func finish(_ name: String, descriptor: Int32, sha256: String?) throws(DiskTrouble) -> Bool {
    guard fsync(descriptor) == 0 else { throw .last() }
    let part = full(StoreNames.part(name))
    if let sha256, FileChecksum.sha256(path: Array(part.utf8)) != sha256 { return false }
    guard rename(part, full(name)) == 0 else { throw .last() }
    let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .last() }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw .last() }
    return true
  }

  func remove(_ name: String) { unlink(full(name)) }

  /// False when it couldn't be written: the old one stays.
  func save(_ index: StoreIndex) -> Bool {
    ReplacedFile.write(Array(index.text.utf8), to: full(StoreNames.index))
  }
}

extension DiskTrouble {
  /// By errno.
  static func last() -> DiskTrouble {
    let code = errno
    return code == ENOSPC || code == EDQUOT ? .full : .failed(String(cString: strerror(code)))
  }
}

/// A partial file that is written to. Its owner closes it, once, on the worker.
struct PartFile: Sendable {
  let descriptor: Int32

  func write(_ bytes: [UInt8]) throws(DiskTrouble) {
    guard WholeWrite.write(bytes, to: descriptor) else { throw .last() }
  }

  func synchronise() throws(DiskTrouble) {
    guard fsync(descriptor) == 0 else { throw .last() }
  }

  func end() { close(descriptor) }
}
