public import FileModel
internal import FileSystem
internal import PlaybackCore
public import TelemetryCore

/// The files of proof of play: `plays.jsonl` gets the new lines; `plays.1.jsonl` and so on are older. Blocks.
public struct PlayFolder: Hashable, Sendable {
  public var path: String
  /// The file for plays that aren't written yet, in memory that outlives the process; nil keeps them nowhere.
  public var unwritten: String?

  /// The size of a file in bytes, and the number of files. 64 MB in all: a month of items of 10 s, two years of films
  /// of 5 minutes. A small board reads a file of that size in a second.
  public static let fileBytes: Int64 = 4 << 20
  public static let fileCount = 16
  /// The size limit for unwritten plays in bytes: room for more than 2000 plays with the longest usual names.
  private static let unwrittenBytes = 16 << 20

  public init(_ path: String, unwritten: String? = nil) {
    self.path = path
    self.unwritten = unwritten
  }

  private func file(_ number: Int) -> String { number == 0 ? "\(path)/plays.jsonl" : "\(path)/plays.\(number).jsonl" }

  // MARK: Writing

  /// Adds lines; when it returns, they are on the disk. First cuts off a line that a power cut has left incomplete.
  ///
  /// - Throws: nothing was added. If a full disk took a part of the lines, that part is removed: the caller gives all
  ///   of them again.
  public func append(_ entries: [PlayEntry], limit: Int64 = Self.fileBytes) throws(FileError) {
    guard !entries.isEmpty else { return }
    try FileTree.makeFolder(path, mode: 0o755)
    let text = Self.lines(entries)
    var size = try heal(before: entries, bytes: text.count)
    if size > 0, size + Int64(text.count) > limit {
      try rotate()
      size = 0
    }
    if size == 0, !FileTree.isThere(file(0)) {
      let new = try OpenFile(creating: FilePath(file(0)))
      do throws(FileError) {
        try new.write(text)
        try new.synchronise()
        try FileTree.synchronise(folder: path)
      } catch {
        try? FileTree.removeFile(file(0))
        throw error
      }
    } else {
      let old = try OpenFile.continuing(FilePath(file(0)), after: size)
      do throws(FileError) {
        try old.write(text)
        try old.synchronise()
      } catch {
        // Opening the file with a length cuts off the rest.
        _ = try? OpenFile.continuing(FilePath(file(0)), after: size)
        throw error
      }
    }
  }

  /// - Parameters:
  ///   - entries: the entries to add.
  ///   - bytes: their length.
  /// - Returns: the bytes of the newest file that stay: whole lines, without those to be added. After a failed write
  ///   that couldn't be undone, some of them are there already. They are written again, because they may not be on the
  ///   disk.
  private func heal(before entries: [PlayEntry], bytes: Int) throws(FileError) -> Int64 {
    guard FileTree.isThere(file(0)) else { return 0 }
    let last = try end(max(PlayTail.looksAt, bytes + PlayEntry.longestLine))
    switch PlayTail(last.bytes, size: last.size) {
    case .whole(let size):
      let whole = last.bytes.dropLast(Int(last.size - size))
      return size - Int64(PlayTail.count(ofLastLines: whole, in: entries))
    case .foreign:
      // The file isn't the player's; it is kept, because somebody may want it.
      try rotate()
      return 0
    }
  }

  /// The last bytes of the newest file, at most `count`.
  private func end(_ count: Int) throws(FileError) -> (bytes: [UInt8], size: Int64) {
    let open = try OpenFile(readingUnlinked: FilePath(file(0)))
    let status = try open.status()
    guard status.kind == .regular else { throw FileError(.notRegular) }
    let start = max(0, status.size - Int64(count))
    return (try open.bytes(at: start, count: Int(status.size - start)), status.size)
  }

  /// Removes the oldest file and renumbers the others. A power cut in between leaves a gap in the numbers, which does
  /// no harm.
  private func rotate() throws(FileError) {
    try? FileTree.removeFile(file(Self.fileCount - 1))
    for number in stride(from: Self.fileCount - 2, through: 0, by: -1) where FileTree.isThere(file(number)) {
      try FileTree.rename(file(number), to: file(number + 1))
    }
  }

  // MARK: Unwritten plays

  /// Keeps unwritten plays for the next process, should this one crash. They are in memory: that doesn't wear the SD
  /// card.
  public func keep(_ pending: [PlayEntry]) {
    guard let unwritten else { return }
    guard !pending.isEmpty else {
      try? FileTree.removeFile(unwritten)
      return
    }
    // The file is replaced as a whole: a crash or a lack of room leaves the old one.
    _ = ReplacedFile.write(Self.lines(pending), to: unwritten)
  }

  private static func lines(_ entries: [PlayEntry]) -> [UInt8] {
    var text: [UInt8] = []
    for entry in entries { text += Array((entry.line + "\n").utf8) }
    return text
  }

  /// The plays that an earlier process has left and that aren't in the log.
  public func left() -> [PlayEntry] {
    guard let unwritten else { return [] }
    let bytes = SmallFile.bytes(unwritten, limit: Self.unwrittenBytes)
    guard !bytes.isEmpty else { return [] }
    var reader = PlayReader()
    let left = reader.read(bytes)
    // The earlier process may have crashed after writing and before removing these. Then they are at the end of the
    // log, and no longer than this file; more of the log isn't read while a screen waits.
    let count = bytes.count + PlayEntry.longestLine
    guard FileTree.isThere(file(0)), let last = try? end(count) else { return left }
    var logged = PlayReader()
    let known = Set(logged.read(last.bytes))
    return left.filter { !known.contains($0) }
  }

  // MARK: Reading

  /// Reads all plays, the oldest first.
  ///
  /// - Returns: the number of unreadable lines.
  public func read(_ take: (PlayEntry) -> Void) throws(FileError) -> Int {
    var unreadable = 0
    // An unreadable folder is an error, not a folder without plays.
    _ = try SystemFileAccess().names(in: FilePath(path))
    for number in stride(from: Self.fileCount - 1, through: 0, by: -1) where FileTree.isThere(file(number)) {
      let open = try OpenFile(readingUnlinked: FilePath(file(number)))
      var reader = PlayReader()
      var chunk = [UInt8](repeating: 0, count: 256 * 1024)
      while true {
        let count = try open.read(into: &chunk)
        guard count > 0 else { break }
        for entry in reader.read(chunk[..<count]) { take(entry) }
      }
      reader.end()
      unreadable += reader.unreadable
    }
    return unreadable
  }
}
