internal import ContentStore
internal import FileModel
internal import FileSystem
internal import MainLoop
internal import PlaybackCore

/// The store's folder. Every call blocks; all are made on one worker, in order.
struct StoreFolder: Sendable {
  let path: String

  /// The reason for which a folder isn't used at all.
  enum Refusal: Error {
    case trouble(String)
    case foreign(String)
    case later
  }

  /// The most bytes of an index that are read: some hundred thousand files, which are kept in memory anyway.
  private static let indexLimit = 64 << 20
  /// The most bytes of a record and of the marker that are read; an address and two headers are far below.
  private static let recordLimit = 64 << 10
  /// The most bytes of a list that are read; longer ones aren't fetched.
  private static let listLimit = Int(StorePolicy().listBytes)

  /// Reads the folder at the start. Makes it if it is missing, and marks it as a store's. A folder that can only be
  /// read is reported as such.
  ///
  /// - Throws: when the folder can't be used.
  func open() throws(Refusal) -> StoreFound {
    try? FileTree.makeFolder(path)
    let names: [String]
    do throws(FileError) {
      try FileTree.checkReadable(path)
      // All names: a file that isn't listed would count as lost.
      names = try OpenFile(folder: FilePath(path)).names(limit: .max).map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .trouble(error.words)
    }
    let there = Set(names)
    let texts = StoreNames.indexes.compactMap { there.contains($0) ? text(of: $0, limit: Self.indexLimit) ?? "" : nil }
    var readOnly = readOnly
    switch StoreClaim.of(names: names, marker: text(of: StoreNames.marker, limit: Self.recordLimit), indexes: texts) {
    case .ours: break
    case .toBeMarked:
      guard readOnly == nil else { break }
      do throws(FileError) {
        try DurableFile.replace(full(StoreNames.marker), with: Array(StoreClaim.marker.utf8))
      } catch {
        readOnly = error.words
      }
    case .foreign(let name): throw .foreign(name)
    case .later: throw .later
    }
    var found = StoreFound(index: StoreIndex.newest(of: texts), sizes: [:], free: free, readOnly: readOnly)
    found.damagedIndexes = texts.count { StoreIndex(text: $0) == nil }
    // Files with other names are left alone.
    for name in names {
      guard let copy = StoreNames.copy(of: name) else { continue }
      guard name != StoreNames.record(copy) else {
        found.recorded.insert(copy)
        continue
      }
      guard let status = try? FileTree.statusOfLink(full(name)), status.kind == .regular else { continue }
      found.sizes[name] = status.size
    }
    let listed = Set(found.index?.files.map(\.name) ?? [])
    for name in found.recorded.subtracting(listed).sorted() where found.sizes[name] != nil {
      let record = text(of: StoreNames.record(name), limit: Self.recordLimit).flatMap { StoreRecord(text: $0) }
      if let record, record.file.name == name { found.records.append(record.file) }
    }
    return found
  }

  /// The reason for which the folder can't be written to; nil when it can.
  var readOnly: String? {
    do throws(FileError) {
      try FileTree.checkWritable(path)
      return nil
    } catch {
      return error.words
    }
  }

  /// The whole content of a small file; nil where it can't be read.
  func bytes(of name: String) -> [UInt8]? { try? SystemFileAccess().read(FilePath(full(name)), limit: Self.listLimit) }

  private func text(of name: String, limit: Int) -> String? {
    (try? SystemFileAccess().read(FilePath(full(name)), limit: limit)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Bytes of the disk that are free for the player.
  var free: Int64 { (try? FileTree.freeBytes(in: path)) ?? .max }

  func full(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens a partial file, cut to the size that is known to be good.
  ///
  /// - Parameter size: bytes to keep; a shorter file is an error.
  func openPart(_ name: String, size: Int64) throws(DiskTrouble) -> PartFile {
    let path = FilePath(full(StoreNames.part(name)))
    return try DiskTrouble.told { () throws(FileError) in
      if size == 0 { return PartFile(try OpenFile(emptying: path, mode: 0o644)) }
      return PartFile(try .continuing(path, after: size))
    }
  }

  /// Flushes a whole file to the disk and gives it its name: whenever the process or the power fails, a file under its
  /// name is whole.
  ///
  /// - Parameters:
  ///   - isRight: checks that a list has a playable entry; nil for a file that isn't a list.
  ///   - isWanted: when this returns false, reading stops, and the file stays without its name.
  /// - Returns: false for a wrong checksum, and for a list without a playable entry.
  func finish(
    _ name: String, file: PartFile, sha256: String?, isRight: (([UInt8]) -> Bool)? = nil,
    isWanted: () -> Bool = { true }
  ) throws(DiskTrouble) -> Bool {
    try file.synchronise()
    let part = full(StoreNames.part(name))
    if let sha256, FileChecksum.sha256(path: Array(part.utf8), isWanted: isWanted) != sha256 { return false }
    if let isRight {
      guard let bytes = bytes(of: StoreNames.part(name)), isRight(bytes) else { return false }
    }
    try DiskTrouble.told { () throws(FileError) in
      try FileTree.rename(part, to: full(name))
      try FileTree.synchronise(folder: path)
    }
    return true
  }

  /// Removes a file, and the record of the copy that it belongs to.
  func remove(_ name: String) {
    try? FileTree.removeFile(full(name))
    if let copy = StoreNames.copy(of: name) { try? FileTree.removeFile(full(StoreNames.record(copy))) }
  }

  /// Writes an index; the other index stays, whether or not writing succeeds.
  func save(_ index: StoreIndex) {
    guard write(index.text, StoreNames.index(generation: index.generation)) else { return }
    try? FileTree.removeFile(full(StoreNames.oldIndex))
  }

  func record(_ file: StoredFile) { _ = write(StoreRecord(file).text, StoreNames.record(file.name)) }

  private func write(_ text: String, _ name: String) -> Bool { ReplacedFile.write(Array(text.utf8), to: full(name)) }

  /// - Parameter isWanted: when this returns false, reading stops.
  func checksum(of name: String, isWanted: () -> Bool = { true }) -> String? {
    FileChecksum.sha256(path: Array(full(name).utf8), isWanted: isWanted)
  }
}

extension DiskTrouble {
  /// Runs work on the disk, and throws its failure as a `DiskTrouble`.
  fileprivate static func told<Result>(_ work: () throws(FileError) -> Result) throws(DiskTrouble) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      if case .full = error.reason { throw .full }
      throw .failed(error.words)
    }
  }
}

/// A partial file that is being written. Its owner ends it on the worker: closing a file may take as long as writing to
/// it.
final class PartFile: Sendable {
  private final class Handle: Sendable {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// Nil after `end`.
  private let handle: Locked<Handle?>

  init(_ file: consuming OpenFile) { handle = Locked(Handle(file)) }

  func write(_ bytes: [UInt8]) throws(DiskTrouble) {
    let handle = try opened()
    try DiskTrouble.told { () throws(FileError) in try handle.file.write(bytes) }
  }

  func synchronise() throws(DiskTrouble) {
    let handle = try opened()
    try DiskTrouble.told { () throws(FileError) in try handle.file.synchronise() }
  }

  func end() { handle.withLock { $0 = nil } }

  private func opened() throws(DiskTrouble) -> Handle {
    guard let handle = handle.withLock({ $0 }) else { throw .failed("the file is closed") }
    return handle
  }
}
