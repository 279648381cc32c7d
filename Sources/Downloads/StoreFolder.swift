internal import ContentStore
internal import Glibc
internal import MainLoop
internal import PlaybackCore
internal import PlaylistConfig

/// The store's folder: every call blocks, and all are made on one worker, in order.
struct StoreFolder: Sendable {
  let path: String

  /// Why a folder isn't used at all.
  enum Refusal: Error {
    case trouble(String)
    case foreign(String)
    case later
  }

  /// Bytes of an index that are read: some hundred thousand files. What it lists is held in memory anyway.
  private static let indexLimit = 64 << 20
  /// Bytes of a record and of the marker that are read; an address and two headers are far below.
  private static let recordLimit = 64 << 10

  /// What lies there at the start. Makes the folder where it isn't there, and marks it as a store's. One that can only be read
  /// is told as such.
  ///
  /// - Throws: when it can't be used.
  func open() throws(Refusal) -> StoreFound {
    mkdir(path, 0o755)
    guard access(path, R_OK | X_OK) == 0, let directory = opendir(path) else { throw .trouble(errorText) }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    let there = Set(names)
    let texts = StoreNames.indexes.compactMap { there.contains($0) ? text(of: $0, limit: Self.indexLimit) ?? "" : nil }
    var readOnly = readOnly
    switch StoreClaim.of(names: names, marker: text(of: StoreNames.marker, limit: Self.recordLimit), indexes: texts) {
    case .ours: break
    case .toBeMarked:
      if readOnly == nil, !ReplacedFile.write(Array(StoreClaim.marker.utf8), to: full(StoreNames.marker)) {
        readOnly = errorText
      }
    case .foreign(let name): throw .foreign(name)
    case .later: throw .later
    }
    var found = StoreFound(index: StoreIndex.newest(of: texts), sizes: [:], free: free, readOnly: readOnly)
    found.damagedIndexes = texts.count { StoreIndex(text: $0) == nil }
    // What isn't called like ours stays.
    for name in names {
      guard let copy = StoreNames.copy(of: name) else { continue }
      guard name != StoreNames.record(copy) else {
        found.recorded.insert(copy)
        continue
      }
      var status = stat()
      guard lstat(full(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      found.sizes[name] = Int64(status.st_size)
    }
    let listed = Set(found.index?.files.map(\.name) ?? [])
    for name in found.recorded.subtracting(listed).sorted() where found.sizes[name] != nil {
      let record = text(of: StoreNames.record(name), limit: Self.recordLimit).flatMap { StoreRecord(text: $0) }
      if let record, record.file.name == name { found.records.append(record.file) }
    }
    return found
  }

  /// Why nothing can be written there; nil when it can.
  var readOnly: String? { access(path, W_OK | X_OK) == 0 ? nil : errorText }

  private var errorText: String { String(cString: strerror(errno)) }

  private func text(of name: String, limit: Int) -> String? {
    (try? SystemFileAccess().read(FilePath(full(name)), limit: limit)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Bytes that the disk has left for us.
  var free: Int64 {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return .max }
    return Int64(clamping: status.f_bavail).clampedMultiplied(by: Int64(clamping: status.f_frsize))
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
  /// - Parameter isWanted: after a no the file isn't read on, and stays without its name.
  /// - Returns: false when the checksum is another one.
  func finish(
    _ name: String, descriptor: Int32, sha256: String?, isWanted: () -> Bool = { true }
  ) throws(DiskTrouble) -> Bool {
    guard fsync(descriptor) == 0 else { throw .last() }
    let part = full(StoreNames.part(name))
    if let sha256, FileChecksum.sha256(path: Array(part.utf8), isWanted: isWanted) != sha256 { return false }
    guard rename(part, full(name)) == 0 else { throw .last() }
    let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .last() }
    defer { close(directory) }
    guard fsync(directory) == 0 else { throw .last() }
    return true
  }

  /// Removes a file, and the record of what it is a copy of.
  func remove(_ name: String) {
    unlink(full(name))
    if let copy = StoreNames.copy(of: name) { unlink(full(StoreNames.record(copy))) }
  }

  /// The one before stays, whether or not it could be written.
  func save(_ index: StoreIndex) {
    guard write(index.text, StoreNames.index(generation: index.generation)) else { return }
    unlink(full(StoreNames.oldIndex))
  }

  func record(_ file: StoredFile) { _ = write(StoreRecord(file).text, StoreNames.record(file.name)) }

  private func write(_ text: String, _ name: String) -> Bool { ReplacedFile.write(Array(text.utf8), to: full(name)) }

  /// - Parameter isWanted: after a no the file isn't read on.
  func checksum(of name: String, isWanted: () -> Bool = { true }) -> String? {
    FileChecksum.sha256(path: Array(full(name).utf8), isWanted: isWanted)
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
