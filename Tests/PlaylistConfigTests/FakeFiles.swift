import PlaylistConfig
import Synchronization

/// A file system in memory. Directories are there where files are below them.
struct FakeFiles: FileAccess {
  var files: [String: [UInt8]] = [:]
  /// Paths that are there and can't be read.
  var denied: Set<String> = []
  /// Symbolic links by path; the target is absolute.
  var links: [String: String] = [:]
  /// The paths that were asked for, in order.
  let log = AccessLog()
  /// How often the current directory was asked for.
  let directoryLog = AccessLog()
  private var root: String?

  init(_ files: [String: String] = [:]) {
    self.files = files.mapValues { Array($0.utf8) }
  }

  func currentDirectory() throws(FileError) -> FilePath {
    directoryLog.record("/home/kiosk")
    return FilePath("/home/kiosk")
  }

  func status(of path: FilePath) throws(FileError) -> FileStatus {
    let name = try physical(path)
    let kind: FileStatus.Kind
    if files[name] != nil || denied.contains(name) {
      kind = .regular
    } else if isDirectory(name) {
      kind = .directory
    } else {
      throw FileError(.missing)
    }
    return FileStatus(
      kind: kind, identity: FileStatus.Identity(device: 1, inode: UInt64(bitPattern: Int64(name.hashValue))))
  }

  func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    let name = try physical(path)
    if denied.contains(name) { throw FileError(.denied("permission denied")) }
    guard let bytes = files[name] else { throw FileError(.missing) }
    return Array(bytes.prefix(limit))
  }

  func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    let prefix = try physical(directory) + "/"
    let below = files.keys.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    return Set(below.compactMap { $0.split(separator: "/").first }).map { Array($0.utf8) }
  }

  private func isDirectory(_ name: String) -> Bool {
    name == "/" || files.keys.contains { $0.hasPrefix(name + "/") }
  }

  func confined(to folder: FilePath) -> FakeFiles {
    var files = self
    files.root = root ?? folder.text
    return files
  }

  /// Resolves links and `..` part by part, as a kernel does.
  private func physical(_ path: FilePath) throws(FileError) -> String {
    guard path.isAbsolute else { throw FileError(.missing) }
    log.record(path.text)
    if let root { return try confinedPhysical(path, root) }
    var resolved = ""
    for part in path.text.split(separator: "/") where part != "." {
      guard part != ".." else {
        resolved = resolved.lastIndex(of: "/").map { String(resolved[..<$0]) } ?? ""
        continue
      }
      resolved += "/\(part)"
      resolved = links[resolved] ?? resolved
    }
    return resolved.isEmpty ? "/" : resolved
  }

  private func confinedPhysical(_ path: FilePath, _ root: String) throws(FileError) -> String {
    let name = path.lexicallyNormal.text
    guard name == root || name.hasPrefix(root + "/") else { throw FileError(.confined) }
    var place = root
    for part in name.dropFirst(root.count).split(separator: "/") {
      place += "/\(part)"
      if links[place] != nil { throw FileError(.confined) }
    }
    return place
  }
}

/// The paths that were asked of a file system; all of its copies share them.
final class AccessLog: Sendable {
  private let paths = Mutex<[String]>([])
  var all: [String] { paths.withLock { $0 } }
  func record(_ path: String) { paths.withLock { $0.append(path) } }
}
