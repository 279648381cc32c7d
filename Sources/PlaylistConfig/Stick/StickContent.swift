/// What a USB stick has for the player, found without opening any medium.
public struct StickContent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A configuration file on the stick.
    case configuration(FilePath)
    /// A folder of media, which play in the order of their names.
    case media(FilePath)
  }

  /// Where the stick is mounted.
  public var stick: FilePath
  public var kind: Kind

  /// What is copied; nil where the content doesn't say what belongs to it: a file at the top of the stick has everything
  /// that anybody ever put there beside it.
  public var folder: FilePath? {
    switch kind {
    case .media(let folder): folder
    case .configuration(let file): file.directory == stick ? nil : file.directory
    }
  }
}

/// Looks through what is mounted. Blocks for as long as the sticks take.
public struct StickReader<Files: FileAccess>: Sendable {
  /// What a stick has to have.
  public static var folderName: String { "vitrine" }
  public static var fileName: String { "vitrine.toml" }
  public static var passwordName: String { "vitrine.password" }
  /// Bytes of a password that are looked at.
  private static var passwordLimit: Int { 4096 }

  private let files: Files

  public init(files: Files = SystemFileAccess()) { self.files = files }

  /// What there is, and why the rest isn't taken.
  public struct Found: Hashable, Sendable {
    public var content: StickContent?
    /// A line for each stick that is there and can't be taken.
    public var refusals: [String] = []
  }

  /// The content of the first stick that has any, by the names of their mount points.
  ///
  /// - Parameters:
  ///   - mounts: the folder that has an entry for each stick that is mounted.
  ///   - passwordFile: a file on the board; a stick is taken only if it has a file with the same text. Nil takes all.
  public func find(in mounts: String, passwordFile: String?) -> Found {
    var found = Found()
    let folder = FilePath(mounts)
    guard let names = try? files.names(in: folder) else { return found }
    let sticks = names.filter { $0.first != UInt8(ascii: ".") }.sorted { $0.lexicographicallyPrecedes($1) }
    for name in sticks {
      let stick = folder.resolving(FilePath(bytes: name))
      guard let content = content(of: stick) else { continue }
      if let passwordFile, !hasPassword(stick, sameAs: FilePath(passwordFile)) {
        found.refusals.append("\(stick.text): \(Self.passwordName) isn't there, or isn't that of this board")
        continue
      }
      found.content = content
      return found
    }
    return found
  }

  /// The more particular first: a folder of its own before a file at the top.
  private func content(of stick: FilePath) -> StickContent? {
    let folder = stick.resolving(FilePath(Self.folderName))
    let file = FilePath(Self.fileName)
    for candidate in [folder.resolving(file), stick.resolving(file)] where kind(of: candidate) == .regular {
      return StickContent(stick: stick, kind: .configuration(candidate))
    }
    guard kind(of: folder) == .directory else { return nil }
    return StickContent(stick: stick, kind: .media(folder))
  }

  private func kind(of path: FilePath) -> FileStatus.Kind? { try? files.status(of: path).kind }

  /// Line breaks at the end don't count: editors put them there.
  private func hasPassword(_ stick: FilePath, sameAs file: FilePath) -> Bool {
    func text(_ path: FilePath) -> ArraySlice<UInt8>? {
      guard let bytes = try? files.read(path, limit: Self.passwordLimit) else { return nil }
      let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      return end.map { bytes[...$0] }
    }
    // Without a password on the board none can be right.
    guard let wanted = text(file), let given = text(stick.resolving(FilePath(Self.passwordName))) else { return false }
    return wanted == given
  }
}

extension StickContent {
  /// What it says, as one more file of the configuration. The media of a folder play in place of everything else.
  ///
  /// - Throws: why the file can't be read.
  public func source(files: some FileAccess = SystemFileAccess()) throws(FileError) -> ConfigurationSource {
    switch kind {
    case .configuration(let file):
      return ConfigurationSource(
        path: file.text, text: try files.read(file, limit: ConfigurationLimits.textBytes + 1))
    case .media(let folder): return Self.source(ofMediaIn: folder)
    }
  }

  /// The configuration that a folder of media stands for.
  static func source(ofMediaIn folder: FilePath) -> ConfigurationSource {
    let text = """
      [schedule]
      rule = []
      default = "usb"
      [[playlist.usb.item]]
      uri = "."

      """
    return ConfigurationSource(path: folder.resolving(FilePath("(media)")).text, text: Array(text.utf8))
  }
}
