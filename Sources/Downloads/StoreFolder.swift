internal import ContentStore
internal import FileModel
internal import FileSystem
internal import MainLoop
internal import PlaybackCore

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
  /// Bytes of a list that are read: no more of one is fetched.
  private static let listLimit = Int(StorePolicy().listBytes)

  /// What lies there at the start. Makes the folder where it isn't there, and marks it as a store's. One that can only be read
  /// is told as such.
  ///
  /// - Throws: when it can't be used.
  func open() throws(Refusal) -> StoreFound {
    try? FileTree.makeFolder(path)
    let names: [String]
    do throws(FileError) {
      try FileTree.checkReadable(path)
      // All of them: what isn't seen would be taken for lost.
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
    // What isn't called like ours stays.
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

  /// Why nothing can be written there; nil when it can.
  var readOnly: String? {
    do throws(FileError) {
      try FileTree.checkWritable(path)
      return nil
    } catch {
      return error.words
    }
  }

  /// The whole of a small file; nil where it can't be read.
  func bytes(of name: String) -> [UInt8]? { try? SystemFileAccess().read(FilePath(full(name)), limit: Self.listLimit) }

  private func text(of name: String, limit: Int) -> String? {
    (try? SystemFileAccess().read(FilePath(full(name)), limit: limit)).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Bytes that the disk has left for us.
  var free: Int64 { (try? FileTree.freeBytes(in: path)) ?? .max }

  func full(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens a partial file, cut to what is known to be good.
  ///
  /// - Parameter size: bytes of it that are kept; less can't be there.
  func openPart(_ name: String, size: Int64) throws(DiskTrouble) -> PartFile {
    let path = FilePath(full(StoreNames.part(name)))
    return try DiskTrouble.told { () throws(FileError) in
      if size == 0 { return PartFile(try OpenFile(emptying: path, mode: 0o644)) }
      return PartFile(try .continuing(path, after: size))
    }
  }

  /// Brings a whole file to the disk and gives it its name: nobody sees a file under its name that isn't whole, whenever
  /// the process or the power goes.
  ///
  /// - Parameters:
  ///   - isRight: says of the bytes of a list whether they are one; nil for a file that is none.
  ///   - isWanted: after a no the file isn't read on, and stays without its name.
  /// - Returns: false when the checksum is another one, or the list is none.
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

  /// Removes a file, and the record of what it is a copy of.
  func remove(_ name: String) {
    try? FileTree.removeFile(full(name))
    if let copy = StoreNames.copy(of: name) { try? FileTree.removeFile(full(StoreNames.record(copy))) }
  }

  /// The one before stays, whether or not it could be written.
  func save(_ index: StoreIndex) {
    guard write(index.text, StoreNames.index(generation: index.generation)) else { return }
    try? FileTree.removeFile(full(StoreNames.oldIndex))
  }

  func record(_ file: StoredFile) { _ = write(StoreRecord(file).text, StoreNames.record(file.name)) }

  private func write(_ text: String, _ name: String) -> Bool { ReplacedFile.write(Array(text.utf8), to: full(name)) }

  /// - Parameter isWanted: after a no the file isn't read on.
  func checksum(of name: String, isWanted: () -> Bool = { true }) -> String? {
    FileChecksum.sha256(path: Array(full(name).utf8), isWanted: isWanted)
  }
}

extension DiskTrouble {
  /// What came of work on the disk, or what was wrong with it.
  fileprivate static func told<Result>(_ work: () throws(FileError) -> Result) throws(DiskTrouble) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      if case .full = error.reason { throw .full }
      throw .failed(error.words)
    }
  }
}

/// A partial file that is written to. Its owner ends it, on the worker: closing a file may take as long as writing to it.
final class PartFile: Sendable {
  private final class Handle: Sendable {
    let file: OpenFile
    init(_ file: consuming OpenFile) { self.file = file }
  }

  /// Nil after the end.
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
