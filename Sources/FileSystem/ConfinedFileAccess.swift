internal import CLinux
public import FileModel
internal import Glibc

/// Access to the files below one folder that others have filled, such as a USB stick's.
///
/// No symbolic link below the folder is followed, and no path leads out of it, whatever the mount options: the kernel
/// applies these rules while it resolves and opens each path, so that the path can't be changed in between.
public struct ConfinedFileAccess: FileAccess {
  /// The way in which paths are resolved.
  enum Resolution: Hashable, Sendable, CaseIterable {
    /// By the kernel in one call (openat2); name by name where the kernel lacks that call.
    case whole
    /// Name by name, each opened relative to the one before, without following links.
    case parts
  }

  /// Flag for `open`: the file's status can be read, but not its content.
  private static let lookOnly = vit_open_path_flag()

  let folder: FilePath
  private let resolution: Resolution
  private let mostNames: Int

  /// - Parameter folder: absolute. The path to the folder itself is trusted, and may contain links.
  public init(_ folder: FilePath) { self.init(folder, resolution: .whole) }

  init(_ folder: FilePath, resolution: Resolution, mostNames: Int = FolderLimits.names) {
    self.folder = folder
    self.resolution = resolution
    self.mostNames = mostNames
  }

  public func status(of path: FilePath) throws(FileError) -> FileStatus { try open(path, Self.lookOnly).status() }

  public func read(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    try openFile(path).bytes(limit: limit)
  }

  public func names(in directory: FilePath) throws(FileError) -> [[UInt8]] {
    try open(directory, O_RDONLY | O_DIRECTORY | O_NONBLOCK).names(limit: mostNames)
  }

  public func currentDirectory() throws(FileError) -> FilePath { try SystemFileAccess().currentDirectory() }

  /// An access that is already confined stays confined to its own folder.
  public func confined(to folder: FilePath) -> ConfinedFileAccess { self }

  /// Opens a regular file for reading.
  public func openFile(_ path: FilePath) throws(FileError) -> OpenFile {
    // Checked before it is opened: opening a device may already trigger it.
    guard try status(of: path).kind == .regular else { throw FileError(.notRegular) }
    let file = try open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    guard try file.status().kind == .regular else { throw FileError(.notRegular) }
    return file
  }

  private func open(_ path: FilePath, _ flags: Int32) throws(FileError) -> OpenFile {
    let parts = try parts(of: path)
    let root = try OpenFile(folder, Self.lookOnly | O_DIRECTORY)
    guard !parts.isEmpty else { return try Self.entry(Array(".".utf8)[...], of: root, flags) }
    if resolution == .whole {
      let relative = FilePath(bytes: Array(parts.joined(separator: [UInt8(ascii: "/")])))
      let opened = vit_open_beneath(root.descriptor, try relative.terminated(), flags)
      if opened >= 0 { return OpenFile(owning: opened) }
      switch -opened {
      case ELOOP, EXDEV: throw FileError(.confined)
      // An old kernel, or a sandbox that doesn't allow the call.
      case ENOSYS, EPERM, EINVAL, E2BIG: break
      default: throw FileError(code: -opened)
      }
    }
    return try open(parts, of: root, flags)
  }

  /// Opens a path name by name.
  private func open(
    _ parts: [ArraySlice<UInt8>], of root: borrowing OpenFile, _ flags: Int32
  ) throws(FileError) -> OpenFile {
    var place = try Self.entry(Array(".".utf8)[...], of: root, Self.lookOnly | O_DIRECTORY)
    for part in parts.dropLast() {
      let next = try Self.entry(part, of: place, Self.lookOnly)
      guard try next.status().kind == .directory else { throw FileError(.missing) }
      place = next
    }
    return try Self.entry(parts[parts.count - 1], of: place, flags)
  }

  /// Opens one name without following a link.
  private static func entry(
    _ name: ArraySlice<UInt8>, of folder: borrowing OpenFile, _ flags: Int32
  ) throws(FileError) -> OpenFile {
    let text = try FilePath(bytes: Array(name)).terminated()
    // With O_PATH a link itself is opened, so that it can be told from a missing file.
    let looked = vit_open_entry(folder.descriptor, text, Self.lookOnly)
    guard looked >= 0 else { throw FileError(code: -looked) }
    let seen = OpenFile(owning: looked)
    var status = stat()
    try SystemCall.retried { fstat(looked, &status) }
    guard status.st_mode & S_IFMT != S_IFLNK else { throw FileError(.confined) }
    if flags & Self.lookOnly != 0 { return seen }
    let opened = vit_open_entry(folder.descriptor, text, flags)
    guard opened >= 0 else { throw opened == -ELOOP ? FileError(.confined) : FileError(code: -opened) }
    return OpenFile(owning: opened)
  }

  /// The names from the folder to a path. Computed from the text alone, which is enough because no link is followed.
  private func parts(of path: FilePath) throws(FileError) -> [ArraySlice<UInt8>] {
    guard path.isAbsolute, folder.isAbsolute else { throw FileError(.confined) }
    let separator = UInt8(ascii: "/")
    let root = folder.lexicallyNormal.bytes.split(separator: separator)
    let parts = path.lexicallyNormal.bytes.split(separator: separator)
    guard parts.count >= root.count, zip(parts, root).allSatisfy({ $0 == $1 }) else { throw FileError(.confined) }
    return Array(parts.dropFirst(root.count))
  }
}
