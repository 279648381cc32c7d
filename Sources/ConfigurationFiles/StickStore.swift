public import FileModel
internal import FileSystem
internal import PlaybackCore
public import PlaylistConfig

/// Stores copies of USB sticks in a folder of the player. All calls block; off the loop.
///
///     content-MARK/    a complete copy
///     new/             a copy that is being made
///     current          a symbolic link to the copy in use
///
/// Nothing of a copy plays before it is complete, whenever the power fails or the stick is pulled:
/// 1. All files go to `new`, which no reader opens. Each is brought to the disk (fsync), then each folder.
/// 2. `new` is renamed to `content-MARK`. Nothing links there yet; the next copy removes the remains of one that ends
/// here.
/// 3. A link under another name is renamed to `current`, which is atomic, and the folder is brought to the disk. Only
/// then does the copy count as made.
/// The content before stays until the new one is confirmed, so that the player can go back to it.
public struct StickStore: Sendable {
  public let directory: String

  /// - Parameter state: the state's directories. Copies lie in the lasting one, even if it has become read-only and the
  ///   state has moved to one in memory, which a copy would fill: an earlier copy still plays, and a new one fails with
  ///   an error.
  public init(state: LastGoodStore) { directory = "\(state.older ?? state.directory)/\(Self.folderName)" }

  /// The name within the state's directory.
  static let folderName = "usb"

  /// Why something wasn't copied.
  public enum CopyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Reading from the stick, or writing to the board, failed.
    case file(String, FileError)
    case tooManyFiles
    case tooDeep(String)
    /// The stick was pulled, or its file was changed, while it was copied.
    case changed(String)
    case noRoom(needed: Int64, free: Int64)

    public var description: String {
      switch self {
      case .file(let path, let error): "\(path): \(error)"
      case .tooManyFiles: "it has more than \(StickStore.fileLimit) files"
      case .tooDeep(let path): "\(path): folders are nested more than \(StickStore.depthLimit) deep"
      case .changed(let path): "\(path): it changed while it was copied"
      case .noRoom(let needed, let free):
        "it needs \(needed >> 20) MB and there are \(free >> 20) MB, of which \(StickStore.reserve >> 20) stay free"
      }
    }
  }

  /// As many as a configuration may list.
  package static let fileLimit = ConfigurationLimits.items
  package static let depthLimit = 16
  /// Room that is left to the board for everything else.
  static let reserve: Int64 = 64 << 20
  private static let chunk = 1 << 20

  private var current: String { "\(directory)/current" }
  private var new: String { "\(directory)/new" }

  /// The content in use, by its own folder: it stays there when other content replaces it.
  public func content() -> StickContent? {
    guard let name = FileTree.target(ofLink: current), name.hasPrefix("content-"), !name.contains("/") else {
      return nil
    }
    let folder = FilePath("\(directory)/\(name)")
    let file = folder.resolving(FilePath(StickReader<SystemFileAccess>.fileName))
    let files = ConfinedFileAccess(folder)
    if (try? files.status(of: file).kind) == .regular {
      return StickContent(stick: folder, kind: .configuration(file))
    }
    guard (try? files.status(of: folder).kind) == .directory else { return nil }
    return StickContent(stick: folder, kind: .media(folder))
  }

  /// Whether the copy in use was made from this content, by the names, sizes and times of its files.
  public func has(_ content: StickContent) -> Bool {
    guard let list = try? Listing(of: content) else { return false }
    return FileTree.target(ofLink: current) == "content-\(list.mark)"
  }

  /// Copies the folder of a content and puts the copy in use. When it returns it is on disk.
  public func installContent(_ content: StickContent) throws(CopyError) {
    let list = try Listing(of: content)
    // A list of addresses may have passwords in it: only the player may read the folder.
    try make(directory, 0o700)
    try? OpenFile(readingUnlinked: FilePath(directory)).setMode(0o700)
    FileTree.removeTree(new)
    try checkRoom(for: list.bytes)
    let target = "\(directory)/content-\(list.mark)"
    do throws(CopyError) {
      try make(new)
      for path in list.folders { try make("\(new)/\(path)") }
      for file in list.files { try copy(file, of: list) }
      // Innermost folders come first, so that each is on disk after its content.
      for path in list.folders.reversed() { try synchronise("\(new)/\(path)") }
      try synchronise(new)
      // The remains of a copy that was cut off between its two renames.
      FileTree.removeTree(target)
      try telling(target) { () throws(FileError) in try FileTree.rename(new, to: target) }
      try point(to: "content-\(list.mark)")
    } catch {
      FileTree.removeTree(new)
      throw error
    }
  }

  /// Removes all copies except the one in use and those that `sources` come from.
  public func removeOthers(keeping sources: [String]) {
    let names = (try? SystemFileAccess().names(in: FilePath(directory))) ?? []
    let inUse = FileTree.target(ofLink: current)
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name.hasPrefix("content-") || name == "new" {
      let path = "\(directory)/\(name)"
      guard name != inUse, !sources.contains(where: { $0.hasPrefix(path + "/") }) else { continue }
      FileTree.removeTree(path)
    }
  }

  // MARK: Parts

  /// The content of a stick's folder. Symbolic links, devices and hidden files are left out, and the path to the folder
  /// may have no link in it either: a stick can't make the board copy its own files.
  private struct Listing {
    struct File {
      var path: String
      var size: Int64
      /// Seconds since 1970.
      var modified: Int64
    }
    /// Relative paths; a folder comes before its content.
    var folders: [String] = []
    var files: [File] = []
    /// Sparse files may claim more than any disk has.
    var bytes: Int64 { files.reduce(0) { $0.clampedAdding($1.size) } }
    let root: FilePath
    let access: ConfinedFileAccess

    init(of content: StickContent) throws(CopyError) {
      guard let folder = content.folder else { throw .file(content.stick.text, FileError(.missing)) }
      root = folder
      access = ConfinedFileAccess(content.stick)
      try add("", depth: 0)
    }

    /// A hash of the names, sizes and times.
    var mark: String {
      let text = files.map { "\($0.path) \($0.size) \($0.modified)" } + folders
      return ConfigurationSource.fingerprint(of: [
        ConfigurationSource(path: "", text: Array(text.joined(separator: "\n").utf8))
      ])
    }

    func place(_ relative: String) -> FilePath { relative.isEmpty ? root : root.resolving(FilePath(relative)) }

    private mutating func add(_ relative: String, depth: Int) throws(CopyError) {
      guard depth <= StickStore.depthLimit else { throw .tooDeep(relative) }
      let names: [[UInt8]]
      do throws(FileError) {
        names = try access.names(in: place(relative))
      } catch {
        throw .file(place(relative).text, error)
      }
      for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) where name.first != UInt8(ascii: ".") {
        // Names that aren't UTF-8 can't be named by a configuration either.
        guard let text = String(validating: name, as: UTF8.self) else { continue }
        let path = relative.isEmpty ? text : "\(relative)/\(text)"
        let status: FileStatus
        do throws(FileError) {
          status = try access.status(of: place(path))
        } catch {
          if error.reason == .confined { continue }
          throw .file(path, error)
        }
        switch status.kind {
        case .directory:
          guard folders.count < StickStore.fileLimit else { throw .tooManyFiles }
          folders.append(path)
          try add(path, depth: depth + 1)
        case .regular:
          guard files.count < StickStore.fileLimit else { throw .tooManyFiles }
          files.append(File(path: path, size: status.size, modified: status.modified / 1_000_000_000))
        case .socket, .other: continue
        }
      }
    }
  }

  private func checkRoom(for bytes: Int64) throws(CopyError) {
    let free = try telling(directory) { () throws(FileError) in try FileTree.freeBytes(in: directory) }
    guard free - Self.reserve >= bytes else { throw .noRoom(needed: bytes, free: free) }
  }

  private func copy(_ file: Listing.File, of list: Listing) throws(CopyError) {
    let (from, to) = (list.place(file.path), "\(new)/\(file.path)")
    let input: OpenFile
    let output: OpenFile
    do throws(FileError) { input = try list.access.openFile(from) } catch { throw .file(from.text, error) }
    do throws(FileError) { output = try OpenFile(creating: FilePath(to)) } catch { throw .file(to, error) }
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var copied: Int64 = 0
    while true {
      let count: Int
      do throws(FileError) { count = try input.read(into: &buffer) } catch { throw .file(from.text, error) }
      guard count > 0 else { break }
      copied = copied.clampedAdding(Int64(count))
      // A file that grows while it is read would never end.
      guard copied <= file.size else { throw .changed(file.path) }
      do throws(FileError) { try output.write(buffer[..<count]) } catch { throw .file(to, error) }
    }
    guard copied == file.size else { throw .changed(file.path) }
    do throws(FileError) { try output.synchronise() } catch { throw .file(to, error) }
  }

  private func make(_ path: String, _ mode: UInt32 = 0o755) throws(CopyError) {
    try telling(path) { () throws(FileError) in try FileTree.makeFolder(path, mode: mode) }
  }

  private func point(to name: String) throws(CopyError) {
    try telling(current) { () throws(FileError) in try FileTree.replaceLink(current, to: name) }
    try synchronise(directory)
  }

  private func synchronise(_ path: String) throws(CopyError) {
    try telling(path) { () throws(FileError) in try FileTree.synchronise(folder: path) }
  }

  /// Runs work on a file of the store, and adds the file's path to an error.
  private func telling<Result>(_ path: String, _ work: () throws(FileError) -> Result) throws(CopyError) -> Result {
    do throws(FileError) { return try work() } catch { throw .file(path, error) }
  }
}
