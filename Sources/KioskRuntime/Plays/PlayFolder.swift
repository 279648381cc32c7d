public import FileModel
internal import FileSystem
internal import PlaybackCore
public import TelemetryCore

/// The files of proof of play: `plays.jsonl`, which is written to, and `plays.1.jsonl` and so on, which are older. Blocks.
public struct PlayFolder: Hashable, Sendable {
  public var path: String
  /// Where that is kept which isn't in a file yet, in memory that outlives the process; nil keeps it nowhere.
  public var unwritten: String?

  /// Bytes of a file, and how many there are. 64 MB in all: a month of items of 10 s, two years of films of 5 minutes. A file is read whole
  /// in a second by a small board.
  public static let fileBytes: Int64 = 4 << 20
  public static let fileCount = 16
  /// Of what isn't written yet: more than 2000 plays with the longest names that are met.
  private static let unwrittenBytes = 16 << 20

  public init(_ path: String, unwritten: String? = nil) {
    self.path = path
    self.unwritten = unwritten
  }

  private func file(_ number: Int) -> String { number == 0 ? "\(path)/plays.jsonl" : "\(path)/plays.\(number).jsonl" }

  // MARK: Writing

  /// Adds lines; when it returns the disk has them. What a power cut has torn off before is cut away first.
  ///
  /// - Throws: nothing was added: what a full disk took of it is taken back, as all of it is given again.
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
        // Cuts it off there.
        _ = try? OpenFile.continuing(FilePath(file(0)), after: size)
        throw error
      }
    }
  }

  /// - Parameters:
  ///   - entries: to be added.
  ///   - bytes: how long they are.
  /// - Returns: bytes of the newest file that stay: whole lines, and none of what is to be added. Where a write failed and couldn't be taken
  ///   back, some of that is there already. It is written again: nobody knows whether the disk has it.
  private func heal(before entries: [PlayEntry], bytes: Int) throws(FileError) -> Int64 {
    guard FileTree.isThere(file(0)) else { return 0 }
    let last = try end(max(PlayTail.looksAt, bytes + PlayEntry.longestLine))
    switch PlayTail(last.bytes, size: last.size) {
    case .whole(let size):
      let whole = last.bytes.dropLast(Int(last.size - size))
      return size - Int64(PlayTail.count(ofLastLines: whole, in: entries))
    case .foreign:
      // Whatever it is, somebody may want it.
      try rotate()
      return 0
    }
  }

  /// The last bytes of the newest file, at most so many.
  private func end(_ count: Int) throws(FileError) -> (bytes: [UInt8], size: Int64) {
    let open = try OpenFile(readingUnlinked: FilePath(file(0)))
    let status = try open.status()
    guard status.kind == .regular else { throw FileError(.notRegular) }
    let start = max(0, status.size - Int64(count))
    return (try open.bytes(at: start, count: Int(status.size - start)), status.size)
  }

  /// The oldest goes, each other becomes the next older one. Cut short by a power cut it leaves a number out, which nobody minds.
  private func rotate() throws(FileError) {
    try? FileTree.removeFile(file(Self.fileCount - 1))
    for number in stride(from: Self.fileCount - 2, through: 0, by: -1) where FileTree.isThere(file(number)) {
      try FileTree.rename(file(number), to: file(number + 1))
    }
  }

  // MARK: What isn't written yet

  /// Keeps it where a process that dies leaves it to the next one. No card is worn by that: it is memory.
  public func keep(_ pending: [PlayEntry]) {
    guard let unwritten else { return }
    guard !pending.isEmpty else {
      try? FileTree.removeFile(unwritten)
      return
    }
    // As a whole: who dies in the midst of it, or has no room for it, leaves what was there.
    _ = ReplacedFile.write(Self.lines(pending), to: unwritten)
  }

  private static func lines(_ entries: [PlayEntry]) -> [UInt8] {
    var text: [UInt8] = []
    for entry in entries { text += Array((entry.line + "\n").utf8) }
    return text
  }

  /// What a process before this one has left that isn't in the log.
  public func left() -> [PlayEntry] {
    guard let unwritten else { return [] }
    let bytes = SmallFile.bytes(unwritten, limit: Self.unwrittenBytes)
    guard !bytes.isEmpty else { return [] }
    var reader = PlayReader()
    let left = reader.read(bytes)
    // It may have died between writing and saying so. What it wrote then is no longer than what it has left, and is the end of the log;
    // more of that isn't looked at while a screen waits for it.
    let count = bytes.count + PlayEntry.longestLine
    guard FileTree.isThere(file(0)), let last = try? end(count) else { return left }
    var logged = PlayReader()
    let known = Set(logged.read(last.bytes))
    return left.filter { !known.contains($0) }
  }

  // MARK: Reading

  /// All that there is, the oldest first.
  ///
  /// - Returns: how many lines couldn't be read.
  public func read(_ take: (PlayEntry) -> Void) throws(FileError) -> Int {
    var unreadable = 0
    // A folder that can't be looked into isn't one without plays.
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
