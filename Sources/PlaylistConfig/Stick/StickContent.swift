/// The content of a USB stick for the player, found without opening a medium.
public struct StickContent: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// A configuration file on the stick.
    case configuration(FilePath)
    /// A folder of media, which play in the order of their names.
    case media(FilePath)
  }

  /// The stick's mount point.
  public var stick: FilePath
  public var kind: Kind

  public init(stick: FilePath, kind: Kind) {
    self.stick = stick
    self.kind = kind
  }

  /// The folder that is copied to the board. Nil for a configuration file at the top of the stick: anything may lie
  /// beside it.
  public var folder: FilePath? {
    switch kind {
    case .media(let folder): folder
    case .configuration(let file): file.directory == stick ? nil : file.directory
    }
  }
}

/// Searches the mounted sticks. Blocks for as long as the sticks take.
public struct StickReader<Files: FileAccess>: Sendable {
  /// Names of the files and folders on a stick that are for the player.
  public static var folderName: String { "vitrine" }
  public static var fileName: String { "vitrine.toml" }
  public static var passwordName: String { "vitrine.password" }
  /// The most bytes that a password has.
  private static var passwordLimit: Int { 4096 }

  private let files: Files

  public init(files: Files) { self.files = files }

  /// The content that was found, and why other sticks were refused.
  public struct Found: Hashable, Sendable {
    public var content: StickContent?
    /// A line for each stick that is plugged in and refused.
    public var refusals: [String] = []
  }

  /// The content of the first stick that has any, in the order of the mount points' names.
  ///
  /// The password is checked first; nothing else is read of a stick without it.
  ///
  /// - Parameters:
  ///   - mounts: the folder with an entry for each mounted stick.
  ///   - passwordFile: a file on the board; only a stick that has a file with the same text is accepted. Nil to accept
  ///     all.
  public func find(in mounts: String, passwordFile: String?) -> Found {
    var found = Found()
    let folder = FilePath(mounts)
    guard let names = try? files.names(in: folder) else { return found }
    let sticks = names.filter { $0.first != UInt8(ascii: ".") }.sorted { $0.lexicographicallyPrecedes($1) }
    for name in sticks {
      let stick = folder.resolving(FilePath(bytes: name))
      let own = files.confined(to: stick)
      if let passwordFile, !hasPassword(stick, own, sameAs: FilePath(passwordFile)) {
        found.refusals.append("\(stick.text): \(Self.passwordName) is missing, or differs from this board's password")
        continue
      }
      guard let content = content(of: stick, own, refusals: &found.refusals) else { continue }
      found.content = content
      return found
    }
    return found
  }

  /// The more particular first: a folder of its own before a file at the top.
  private func content(of stick: FilePath, _ own: Files.Confined, refusals: inout [String]) -> StickContent? {
    func isThere(_ path: FilePath, _ kind: FileStatus.Kind) -> Bool {
      do throws(FileError) {
        return try own.status(of: path).kind == kind
      } catch {
        if error.reason == .confined {
          refusals.append("\(path.text): \(error); put the file or folder itself on the stick")
        }
        return false
      }
    }
    let folder = stick.resolving(FilePath(Self.folderName))
    let file = FilePath(Self.fileName)
    let isFolder = isThere(folder, .directory)
    for candidate in [isFolder ? folder.resolving(file) : nil, stick.resolving(file)].compactMap(\.self)
    where isThere(candidate, .regular) {
      return StickContent(stick: stick, kind: .configuration(candidate))
    }
    return isFolder ? StickContent(stick: stick, kind: .media(folder)) : nil
  }

  /// Line breaks at the end are ignored: editors add them. A file longer than the limit isn't a password.
  private func hasPassword(_ stick: FilePath, _ own: Files.Confined, sameAs file: FilePath) -> Bool {
    let limit = Self.passwordLimit
    func text(_ path: FilePath, _ files: some FileAccess) -> ArraySlice<UInt8>? {
      guard let bytes = try? files.read(path, limit: limit + 1), bytes.count <= limit else { return nil }
      let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      return end.map { bytes[...$0] }
    }
    // Without a password on the board, no stick is accepted.
    guard let wanted = text(file, files), let given = text(stick.resolving(FilePath(Self.passwordName)), own) else {
      return false
    }
    return wanted == given
  }
}

extension StickContent {
  /// The content as one more file of the configuration. A folder's media play in place of everything else.
  ///
  /// - Throws: the error of reading the file.
  public func source(files: some FileAccess) throws(FileError) -> ConfigurationSource {
    switch kind {
    case .configuration(let file):
      return ConfigurationSource(
        path: file.text,
        text: try files.confined(to: stick).read(file, limit: ConfigurationLimits.textBytes + 1),
        origin: .stick(folder: stick))
    case .media(let folder): return Self.source(ofMediaIn: folder, on: stick)
    }
  }

  /// The configuration that a folder of media stands for.
  static func source(ofMediaIn folder: FilePath, on stick: FilePath) -> ConfigurationSource {
    let text = """
      [schedule]
      rule = []
      default = "usb"
      [[playlist.usb.item]]
      uri = "."

      """
    return ConfigurationSource(
      path: folder.resolving(FilePath("(media)")).text, text: Array(text.utf8), origin: .stick(folder: stick))
  }
}
