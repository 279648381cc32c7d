internal import FileModel
internal import FileSystem
internal import FoundationEssentials
internal import KioskCore
internal import MainLoop
internal import PlaybackCore

/// The folder of kept small pictures, a file for each film. Blocks.
///
/// A file is a line of JSON and the picture's planes as they are: reading it needs no decoder. A power cut may damage
/// it, and it is made again then: waiting for the disk with each of some hundred files would be worse.
struct PosterFolder: Hashable, Sendable {
  var path: String

  /// Goes into the names: files of other versions aren't found, and go when there is no room for them.
  private static let version = 1
  private static let ending = ".poster"
  /// In bytes, with the line break.
  private static let longestHead = 1024

  private struct Head: Codable {
    var facts: FilmFacts
    /// Nil for a film that gives no picture.
    var size: PixelSize?
    /// MD5 of the planes.
    var sum: String?
  }

  init(_ path: String) { self.path = path }

  /// The name of a film's file: it differs when the film's file, its poster, the part that is played, or the box does.
  ///
  /// - Returns: nil where the film's file isn't there. A film that isn't opened for its picture needs none.
  static func name(of item: MediaItem, in box: PixelSize) -> String? {
    let isOpened = PosterMachine.isOpened(item)
    let film = isOpened ? status(of: item.uri) : nil
    guard film != nil || !isOpened && item.poster != nil else { return nil }
    return name(of: item, status: film, poster: item.poster.flatMap(status), in: box)
  }

  private static func status(of uri: String) -> FileStatus? {
    guard let path = FileAddress.path(of: uri), let status = try? SystemFileAccess().status(of: FilePath(bytes: path)),
      status.kind == .regular
    else { return nil }
    return status
  }

  /// - Parameters:
  ///   - status: of the film's file; nil where it isn't opened.
  ///   - poster: of the file of the item's own poster.
  static func name(of item: MediaItem, status: FileStatus?, poster: FileStatus? = nil, in box: PixelSize) -> String? {
    func text(_ status: FileStatus?) -> String { status.map { "\($0.size) \($0.modified)" } ?? "-" }
    let played = [item.start, item.end].map { $0.map { "\($0.wholeNanoseconds)" } ?? "-" }
    let own = item.poster.map { " \(text(poster)) \($0)" } ?? ""
    let whole = "\(version) \(box.width)x\(box.height) \(text(status)) \(played[0]) \(played[1]) \(item.uri)\(own)"
    return TextChecksum.md5(Array(whole.utf8)).map { $0 + ending }
  }

  /// The kept facts of a film, without its picture; nil where there is no file, or a damaged one.
  func survey(_ name: String) -> PosterMachine.Kept? {
    guard let file = try? OpenFile(readingUnlinked: FilePath("\(path)/\(name)")), let status = try? file.status(),
      let start = try? file.bytes(limit: Self.longestHead), let (head, length) = Self.head(in: start)
    else { return nil }
    let count = head.size.map(PosterImage.byteCount) ?? 0
    guard status.size == Int64(length + count) else { return nil }
    return PosterMachine.Kept(facts: head.facts, hasPicture: head.size != nil)
  }

  /// The kept picture; nil without one, or where the file is damaged.
  func image(_ name: String, in box: PixelSize) -> PosterImage? {
    let most = Self.longestHead + PosterImage.byteCount(of: box)
    guard let file = try? OpenFile(readingUnlinked: FilePath("\(path)/\(name)")),
      let bytes = try? file.bytes(limit: most), let (head, length) = Self.head(in: bytes), let size = head.size
    else { return nil }
    let planes = Array(bytes[length...])
    guard TextChecksum.md5(planes) == head.sum else { return nil }
    return PosterImage(size: size, planes: planes)
  }

  private static func head(in bytes: [UInt8]) -> (head: Head, length: Int)? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let head = try? JSONDecoder().decode(Head.self, from: Data(bytes[..<end]))
    else { return nil }
    return (head, end + 1)
  }

  /// Keeps what was found of a film. The file appears whole or not at all, unless the power fails.
  ///
  /// - Parameter image: nil for a film that gives no picture.
  func keep(_ facts: FilmFacts, _ image: PosterImage?, as name: String) throws(FileError) {
    var head = Head(facts: facts)
    if let image { (head.size, head.sum) = (image.size, TextChecksum.md5(image.planes)) }
    guard let line = try? JSONEncoder().encode(head), line.count < Self.longestHead else {
      throw FileError(.system("it can't be written as JSON"))
    }
    try FileTree.makeFolder(path)
    guard try FileTree.freeBytes(in: path) > PosterPolicy.spareBytes else {
      throw FileError(.full("less than \(PosterPolicy.spareBytes >> 20) MB are free"))
    }
    let temporary = "\(path)/\(name).new"
    try? FileTree.removeFile(temporary)
    let file = try OpenFile(creating: FilePath(temporary))
    do throws(FileError) {
      try file.write(Array(line) + [UInt8(ascii: "\n")] + (image?.planes ?? []))
      try FileTree.rename(temporary, to: "\(path)/\(name)")
    } catch {
      try? FileTree.removeFile(temporary)
      throw error
    }
  }

  /// Removes files of films that aren't listed, except the newest ones, and what a run that ended has left half
  /// written.
  ///
  /// - Parameters:
  ///   - listed: names of files.
  ///   - most, bytes: see `PosterPolicy`.
  func removeOthers(
    than listed: Set<String>, most: Int = PosterPolicy.mostUnlisted, bytes: Int64 = PosterPolicy.mostBytes
  ) {
    var others: [(path: String, size: Int64, modified: Int64)] = []
    var room = bytes
    for name in SmallFile.names(in: path) {
      let file = "\(path)/\(name)"
      guard let status = try? FileTree.statusOfLink(file), status.kind == .regular else { continue }
      if name.hasSuffix(Self.ending + ".new"), !listed.contains(String(name.dropLast(".new".count))) {
        try? FileTree.removeFile(file)
      } else if listed.contains(name) {
        room -= status.size
      } else if name.hasSuffix(Self.ending) {
        others.append((file, status.size, status.modified))
      }
    }
    others.sort { $0.modified > $1.modified }
    for (place, other) in others.enumerated() {
      room -= other.size
      if place >= most || room < 0 { try? FileTree.removeFile(other.path) }
    }
  }
}
