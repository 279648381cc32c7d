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

  public init(stick: FilePath, kind: Kind) {
    self.stick = stick
    self.kind = kind
  }

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
  /// The most bytes that a password has.
  private static var passwordLimit: Int { 4096 }

  private let files: Files

  public init(files: Files) { self.files = files }

  /// What there is, and why the rest isn't taken.
  public struct Found: Hashable, Sendable {
    public var content: StickContent?
    /// A line for each stick that is there and can't be taken.
    public var refusals: [String] = []
  }

  /// The content of the first stick that has any, by the names of their mount points.
  ///
  /// The password is looked at first, and nothing else of a stick that hasn't got it.
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
      let own = files.confined(to: stick)
      if let passwordFile, !hasPassword(stick, own, sameAs: FilePath(passwordFile)) {
        found.refusals.append("\(stick.text): \(Self.passwordName) isn't there, or isn't that of this board")
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
        if error.reason == .confined { refusals.append("\(path.text): \(error); put the thing itself on the stick") }
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

  /// Line breaks at the end don't count: editors put them there. What is longer than a password is none.
  private func hasPassword(_ stick: FilePath, _ own: Files.Confined, sameAs file: FilePath) -> Bool {
    let limit = Self.passwordLimit
    func text(_ path: FilePath, _ files: some FileAccess) -> ArraySlice<UInt8>? {
      guard let bytes = try? files.read(path, limit: limit + 1), bytes.count <= limit else { return nil }
      let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
      return end.map { bytes[...$0] }
    }
    // Without a password on the board none can be right.
    guard let wanted = text(file, files), let given = text(stick.resolving(FilePath(Self.passwordName)), own) else {
      return false
    }
    return wanted == given
  }
}

extension StickContent {
  /// What it says, as one more file of the configuration. The media of a folder play in place of everything else.
  ///
  /// - Throws: why the file can't be read.
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
