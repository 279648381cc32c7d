public import PlaybackCore

/// The files of a configuration, in the order in which they are read: later ones override.
public struct ConfigurationSet: Hashable, Sendable {
  public var main: String
  /// A folder of files called NN-name.toml, read in the order of their names.
  public var dropIns: String?
  /// Files on the boot partition, which another computer can write when it has the card. They come last, so that they
  /// can correct the others.
  public var boot: [String] = []

  public init(main: String, dropIns: String? = nil, boot: [String] = []) {
    self.main = main
    self.dropIns = dropIns
    self.boot = boot
  }

  /// The files of a board's system configuration.
  public static let system = ConfigurationSet(
    main: "/etc/vitrine/vitrine.toml", dropIns: "/etc/vitrine/conf.d",
    boot: ["/boot/firmware/vitrine.toml", "/boot/vitrine.toml"])

  /// The folder of a user's own configuration (XDG Base Directory); nil if the environment doesn't name one.
  public static func userFolder(environment: [String: String]) -> String? {
    // The XDG specification says to ignore a path that isn't absolute.
    if let base = environment["XDG_CONFIG_HOME"], base.hasPrefix("/") { return "\(base)/vitrine" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/vitrine"
  }

  /// A file alone, or a folder with vitrine.toml and conf.d in it.
  public static func named(_ path: String, files: some FileAccess) -> ConfigurationSet {
    if path == system.main { return system }
    guard (try? files.status(of: FilePath(path)).kind) == .directory else { return ConfigurationSet(main: path) }
    let folder = FilePath(path)
    return ConfigurationSet(
      main: folder.resolving(FilePath("vitrine.toml")).text, dropIns: folder.resolving(FilePath("conf.d")).text)
  }

  /// Folders in which a change may be one of this configuration, whether they are there or not.
  public var folders: [String] {
    var folders: [String] = []
    for folder in [Self.watched(main).directory] + [dropIns].compactMap(\.self).map(Self.watched)
      + boot.map({ Self.watched($0).directory })
    where !folders.contains(folder.text) { folders.append(folder.text) }
    return folders
  }

  /// The spelling in which the watcher reports a path: a relative one begins at `.`, so that a bare name has a folder
  /// too.
  private static func watched(_ path: String) -> FilePath { FilePath(".").resolving(FilePath(path)) }

  /// Whether two paths have the same folder, as written, and the same name in it.
  private static func isSame(_ path: FilePath, _ file: String) -> Bool {
    let file = watched(file)
    return path.name == file.name && path.directory == file.directory
  }

  /// The files that are there, read.
  public struct Found: Sendable {
    public internal(set) var sources: [ConfigurationSource] = []
    public internal(set) var diagnostics: [Diagnostic] = []
    /// When nothing can come of it.
    public internal(set) var error: VitrineError?

    /// The result with one more file, which overrides the others.
    public func adding(_ source: ConfigurationSource) -> Found {
      var found = self
      found.sources.append(source)
      return found
    }
  }

  /// Whether a change of that file may change this configuration.
  ///
  /// - Parameter path: a file in one of `folders`, with the folder's spelling from there.
  public func concerns(_ path: String) -> Bool {
    let file = FilePath(path)
    if ([main, dropIns].compactMap(\.self) + boot).contains(where: { Self.isSame(file, $0) }) { return true }
    return dropIns.map { file.directory == Self.watched($0) } == true && Self.isDropIn(file.name)
  }

  /// The warning for a file that a running player won't read because of its name; nil for all other files.
  ///
  /// - Parameter path: a file in one of `folders`, with the folder's spelling from there.
  public func misnamedDropIn(_ path: String) -> Diagnostic? {
    dropIns.map { FilePath(path).directory == Self.watched($0) } == true ? Self.misnamedDropIn(path) : nil
  }

  /// The files that there may be, with the drop-ins that are there now. Blocks for as long as the file system takes.
  public func paths(files: some FileAccess) -> [String] {
    let folder = dropIns.map { FilePath($0) }
    let names = folder.flatMap { try? files.names(in: $0) } ?? []
    let dropInPaths = names.filter(Self.isDropIn).compactMap { name in folder?.resolving(FilePath(bytes: name)).text }
    return [main] + dropInPaths.sorted() + boot
  }

  /// The inode, size and date of each file, for comparing. Blocks for as long as the file system takes.
  public func mark(files: some FileAccess) -> FilesMark {
    FilesMark(
      paths(files: files).compactMap { path in
        guard let status = try? files.status(of: FilePath(path)) else { return nil }
        return FilesMark.File(
          path: path, inode: status.identity.inode, size: status.size, modified: status.modified)
      })
  }

  func read(files: some FileAccess) -> Found {
    var found = Found()
    var isFirstMissing = false
    var seen: Set<FileStatus.Identity> = []
    let dropIns = self.dropIns.map { names(in: $0, files: files, reporting: &found.diagnostics) } ?? []
    for path in [main] + dropIns + boot {
      do throws(FileError) {
        let file = FilePath(path)
        let status = try files.status(of: file)
        // The boot partition has two names if one is a link to the other.
        guard seen.insert(status.identity).inserted else { continue }
        guard status.kind == .regular else { throw FileError(.notRegular) }
        let text = try files.read(file, limit: ConfigurationLimits.textBytes + 1)
        // A careless copy followed by a loss of power leaves an empty file; an empty file on purpose is unlikely.
        if text.isEmpty {
          found.diagnostics.append(
            Diagnostic(
              path: path, position: nil, message: "is empty, as a loss of power leaves files",
              allowed: "write it again, or remove it"))
        }
        found.sources.append(ConfigurationSource(path: path, text: text))
      } catch {
        if error.isMissing {
          isFirstMissing = isFirstMissing || path == main
          continue
        }
        found.diagnostics.append(Diagnostic(path: path, position: nil, message: error.description))
        found.error = VitrineError(
          error.isPermission ? .noPermission : .configurationInvalid, subject: path, message: error.description,
          remedy: "make it a file that vitrine may read")
      }
    }
    if found.sources.isEmpty, isFirstMissing, found.error == nil {
      let missing = FileError(.missing)
      // Windows hides this extension.
      let other = "\(main).txt"
      let isHidden = (try? files.status(of: FilePath(other)).kind) == .regular
      found.diagnostics.append(
        isHidden
          ? Diagnostic(
            path: other, position: nil, message: "is not read",
            allowed: "take .txt off its name: vitrine.toml is the name")
          : Diagnostic(path: main, position: nil, message: missing.description))
      found.error = VitrineError(
        .configurationMissing, subject: main, message: missing.description,
        remedy: "create it, or name another with --config")
    }
    return found
  }

  /// Paths of the drop-ins in order. A folder that isn't there has none.
  private func names(in folder: String, files: some FileAccess, reporting diagnostics: inout [Diagnostic]) -> [String] {
    let directory = FilePath(folder)
    let names: [[UInt8]]
    do throws(FileError) {
      names = try files.names(in: directory)
    } catch {
      if !error.isMissing {
        diagnostics.append(Diagnostic(path: folder, position: nil, message: error.description))
      }
      return []
    }
    var paths: [String] = []
    for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      let path = directory.resolving(FilePath(bytes: name)).text
      if Self.isDropIn(name) { paths.append(path) }
      if let misnamed = Self.misnamedDropIn(path) { diagnostics.append(misnamed) }
    }
    if paths.count > ConfigurationLimits.files {
      diagnostics.append(
        Diagnostic(
          path: folder, position: nil, message: "has \(paths.count) drop-ins",
          allowed: "at most \(ConfigurationLimits.files) are read"))
      paths = []
    }
    return paths
  }

  /// The warning for a file that is no drop-in, but whose name suggests that its author takes it for one. READMEs and the
  /// backup copies of editors and package managers get none.
  ///
  /// - Parameter path: a file in the folder of the drop-ins.
  private static func misnamedDropIn(_ path: String) -> Diagnostic? {
    let file = FilePath(path)
    // Windows adds .txt; systemd's own drop-ins are .conf.
    guard !isDropIn(file.name), file.name.first != UInt8(ascii: "."), file.title.lowercased() != "readme",
      ["toml", "tml", "conf", "cfg", "ini", "txt"].contains(file.fileExtension.lowercased())
    else { return nil }
    return Diagnostic(
      .warning, path: path, position: nil, message: "is not read",
      allowed: "the name of a drop-in is two digits, -, a name and .toml, such as 50-shop.toml")
  }

  /// `NN-name.toml`. Editors and scripts write under other names first.
  static func isDropIn(_ name: [UInt8]) -> Bool {
    let suffix = Array(".toml".utf8)
    guard name.count > 3 + suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return false }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    return isDigit(name[0]) && isDigit(name[1]) && name[2] == UInt8(ascii: "-")
      && name.dropLast(suffix.count).allSatisfy { TableContext.isBareKeyByte($0) || $0 == UInt8(ascii: ".") }
  }
}
