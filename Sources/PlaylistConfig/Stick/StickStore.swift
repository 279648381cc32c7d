import Glibc

/// What has been copied from USB sticks, in a folder of our own. All calls block; off the loop.
///
///     content-MARK/    what was copied, whole
///     new/             what is being copied
///     current          a symbolic link to the one in use
///
/// The order of a copy, and why nothing of it plays before it is whole, whenever the power goes or the stick is pulled:
/// 1. All files go to `new`, which nobody reads. Each is brought to the disk (fsync), then each folder.
/// 2. `new` is renamed to `content-MARK`. Nothing points there yet; what is left of a copy that ends here is removed by the
///    next one.
/// 3. A link under another name is renamed to `current`, which is atomic, and the folder is brought to the disk. Only then
///    the copy is said to be there.
/// The content before it stays until the new one is confirmed, so that it can be gone back to.
public struct StickStore: Sendable {
  public let directory: String

  /// - Parameter state: where what outlives a loss of power is kept.
  public init(state: LastGoodStore) { directory = "\(state.directory)/usb" }

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
  static let fileLimit = ConfigurationLimits.items
  static let depthLimit = 16
  /// Room that is left to the board for everything else.
  static let reserve: Int64 = 64 << 20
  private static let chunk = 1 << 20

  private var current: String { "\(directory)/current" }
  private var new: String { "\(directory)/new" }

  /// The content in use, under its own name: it stays where it is when other content takes its place.
  public func content() -> StickContent? {
    guard let name = Self.target(of: current), name.hasPrefix("content-"), !name.contains("/") else { return nil }
    let folder = FilePath("\(directory)/\(name)")
    let file = folder.resolving(FilePath(StickReader<SystemFileAccess>.fileName))
    let files = SystemFileAccess()
    if (try? files.status(of: file).kind) == .regular {
      return StickContent(stick: folder, kind: .configuration(file))
    }
    guard (try? files.status(of: folder).kind) == .directory else { return nil }
    return StickContent(stick: folder, kind: .media(folder))
  }

  /// Whether what is in use was copied from this folder, by the names, sizes and times of its files.
  public func has(_ folder: FilePath) -> Bool {
    guard let list = try? Listing(of: folder) else { return false }
    return Self.target(of: current) == "content-\(list.mark)"
  }

  /// Copies a folder and puts the copy in use. When it returns it is on disk.
  public func take(_ folder: FilePath) throws(CopyError) {
    let list = try Listing(of: folder)
    try make(directory)
    remove(new)
    try checkRoom(for: list.bytes)
    let target = "\(directory)/content-\(list.mark)"
    do throws(CopyError) {
      try make(new)
      for path in list.folders { try make("\(new)/\(path)") }
      for file in list.files { try copy(file, from: folder.text) }
      // Innermost last, so that each is on disk after what it has in it.
      for path in list.folders.reversed() { try synchronise("\(new)/\(path)") }
      try synchronise(new)
      // Of a copy that was cut off between its two renames.
      remove(target)
      try rename(new, to: target)
      try point(to: "content-\(list.mark)")
    } catch {
      remove(new)
      throw error
    }
  }

  /// Removes all content but what is in use and what `sources` come from.
  public func removeOthers(keeping sources: [String]) {
    let names = (try? SystemFileAccess().names(in: FilePath(directory))) ?? []
    let inUse = Self.target(of: current)
    for name in names.map({ String(decoding: $0, as: UTF8.self) }) where name.hasPrefix("content-") || name == "new" {
      let path = "\(directory)/\(name)"
      guard name != inUse, !sources.contains(where: { $0.hasPrefix(path + "/") }) else { continue }
      remove(path)
    }
  }

  // MARK: Parts

  /// What is in a folder. Symbolic links, devices and hidden files are left out: a stick can't make the board read its own.
  private struct Listing {
    struct File {
      var path: String
      var size: Int64
      var modified: Int64
    }
    /// Relative; folders before what is in them.
    var folders: [String] = []
    var files: [File] = []
    var bytes: Int64 { files.reduce(0) { $0 + $1.size } }

    init(of folder: FilePath) throws(CopyError) { try add("", below: folder.text, depth: 0) }

    /// The same for the same names, sizes and times.
    var mark: String {
      let text = files.map { "\($0.path) \($0.size) \($0.modified)" } + folders
      return ConfigurationSource.fingerprint(of: [
        ConfigurationSource(path: "", text: Array(text.joined(separator: "\n").utf8))
      ])
    }

    private mutating func add(_ relative: String, below root: String, depth: Int) throws(CopyError) {
      guard depth <= StickStore.depthLimit else { throw .tooDeep(relative) }
      let names: [[UInt8]]
      do throws(FileError) {
        names = try SystemFileAccess().names(in: FilePath("\(root)/\(relative)"))
      } catch {
        throw .file("\(root)/\(relative)", error)
      }
      for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) where name.first != UInt8(ascii: ".") {
        // Names that aren't UTF-8 can't be named by a configuration either.
        guard let text = String(validating: name, as: UTF8.self) else { continue }
        let path = relative.isEmpty ? text : "\(relative)/\(text)"
        var status = stat()
        guard lstat("\(root)/\(path)", &status) == 0 else { throw .file(path, .last()) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
          folders.append(path)
          try add(path, below: root, depth: depth + 1)
        case S_IFREG:
          guard files.count < StickStore.fileLimit else { throw .tooManyFiles }
          files.append(
            File(path: path, size: Int64(status.st_size), modified: Int64(status.st_mtim.tv_sec)))
        default: continue
        }
      }
    }
  }

  private func checkRoom(for bytes: Int64) throws(CopyError) {
    var system = statvfs()
    guard statvfs(directory, &system) == 0 else { throw .file(directory, .last()) }
    let free = Int64(clamping: system.f_bavail) * Int64(clamping: system.f_frsize)
    guard free - Self.reserve >= bytes else { throw .noRoom(needed: bytes, free: free) }
  }

  private func copy(_ file: Listing.File, from root: String) throws(CopyError) {
    let (from, to) = ("\(root)/\(file.path)", "\(new)/\(file.path)")
    let input = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard input >= 0 else { throw .file(from, .last()) }
    defer { close(input) }
    let output = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw .file(to, .last()) }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    var copied: Int64 = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(from, .last()) }
      guard count > 0 else { break }
      copied += Int64(count)
      // A file that grows while it is read would never end.
      guard copied <= file.size else { throw .changed(file.path) }
      var written = 0
      while written < count {
        let step = buffer.withUnsafeBytes { write(output, $0.baseAddress?.advanced(by: written), count - written) }
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw .file(to, .last()) }
        written += step
      }
    }
    guard copied == file.size else { throw .changed(file.path) }
    guard fsync(output) == 0 else { throw .file(to, .last()) }
  }

  private func make(_ path: String) throws(CopyError) {
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw .file(path, .last()) }
  }

  private func rename(_ from: String, to: String) throws(CopyError) {
    guard Glibc.rename(from, to) == 0 else { throw .file(to, .last()) }
  }

  private func point(to name: String) throws(CopyError) {
    let link = "\(current).new"
    unlink(link)
    guard symlink(name, link) == 0 else { throw .file(link, .last()) }
    try rename(link, to: current)
    try synchronise(directory)
  }

  private func synchronise(_ path: String) throws(CopyError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .file(path, .last()) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw .file(path, .last()) }
  }

  /// With everything in it, without following links. What can't be removed is tried again next time.
  private func remove(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in (try? SystemFileAccess().names(in: FilePath(path))) ?? [] {
        remove("\(path)/\(String(decoding: name, as: UTF8.self))")
      }
      rmdir(path)
    } else {
      unlink(path)
    }
  }

  private static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
