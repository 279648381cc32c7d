internal import Glibc

/// What is kept of configurations on disk: the last one that was confirmed, and those that aren't to be tried again.
///
/// All are files of our own in a directory of our own, which nobody else reads: texts of the configuration have passwords in
/// addresses. All calls block; off the loop.
public struct LastGoodStore: Sendable {
  /// Where is written.
  public let directory: String
  /// Where is looked after that: a directory that can be read and not written.
  public let older: String?
  /// Where nothing can be written nothing is: what is confirmed lives as long as the process.
  public let isWritable: Bool

  public init(directory: String) { self.init(directory: directory, older: nil, isWritable: true) }

  private init(directory: String, older: String?, isWritable: Bool) {
    self.directory = directory
    self.older = older
    self.isWritable = isWritable
  }

  /// The store for what there is: reading what was kept takes no right to write.
  ///
  /// - Parameters:
  ///   - lasting: what outlives a loss of power; nil for none.
  ///   - passing: what lives until then; nil for none.
  ///   - canWrite: whether files can be made in a directory, which is made where it isn't there.
  /// - Returns: nil without any directory.
  public init?(lasting: String?, passing: String?, canWrite: (String) -> Bool = Self.canWrite) {
    guard let first = lasting ?? passing else { return nil }
    if canWrite(first) {
      self.init(directory: first)
    } else if let passing, passing != first, canWrite(passing) {
      self.init(directory: passing, older: first, isWritable: true)
    } else {
      self.init(directory: first, older: nil, isWritable: false)
    }
  }

  /// Makes the directory where it isn't there.
  public static func canWrite(_ directory: String) -> Bool { LastGoodStore(directory: directory).prepare() }

  /// What people should know who count on it; nil where all is kept.
  public var remark: String? {
    if let older {
      return "\(older) can't be written: what is confirmed is kept in \(directory), until the board is switched off"
    }
    return isWritable
      ? nil : "\(directory) can't be written: what is confirmed is kept as long as this process runs"
  }

  /// Starts that a configuration gets which has never been confirmed: one that ends the program each time must not do so
  /// for ever, and one that was cut off by the power twice may still be good.
  public static let attempts = 3

  private static let lastGoodName = "last-good"
  private var directories: [String] { [directory] + [older].compactMap(\.self) }

  /// Makes the directory where it isn't there, and closes files of older versions, which everybody could read. False when
  /// nothing can be written there.
  public func prepare() -> Bool {
    mkdir(directory, 0o755)
    guard access(directory, W_OK | X_OK) == 0 else { return false }
    for name in [Self.lastGoodName] + Trial.Subject.allCases.map(\.name) { DurableFile.close("\(directory)/\(name)") }
    return true
  }

  /// The first that can be read of the files of one name.
  private func text(_ name: String, limit: Int, files: some FileAccess) -> [UInt8]? {
    directories.lazy.compactMap { try? files.read(FilePath("\($0)/\(name)"), limit: limit) }.first
  }

  // MARK: The last good configuration

  /// The first and the last line of the file; texts stand between them as they are, each after its length, who wrote it, and
  /// its name.
  private static let start = "vitrine last-good 2"
  /// Of older versions, which didn't say who wrote it.
  private static let startWithoutOrigins = "vitrine last-good 1"
  private static let end = "end"
  private static let (boardWord, stickWord) = ("board", "stick")
  /// Bytes of all texts together that are kept.
  private static let limit = 4 * ConfigurationLimits.textBytes

  /// Keeps these texts. When it returns they are on disk.
  public func keep(_ sources: [ConfigurationSource]) throws(FileError) {
    guard isWritable else { return }
    var bytes = Array("\(Self.start)\n".utf8)
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      let origin = source.origin == .board ? Self.boardWord : Self.stickWord
      bytes += Array("\(text.count) \(origin) \(source.path)\n".utf8) + text + [UInt8(ascii: "\n")]
    }
    bytes += Array("\(Self.end)\n".utf8)
    guard bytes.count <= Self.limit else { throw FileError(.system(EFBIG)) }
    try DurableFile.replace("\(directory)/\(Self.lastGoodName)", with: bytes, readers: .nobody)
    try DurableFile.remove(path(of: .files))
  }

  /// Nil when there is none, or it isn't whole.
  public func lastGood(files: some FileAccess = SystemFileAccess()) -> [ConfigurationSource]? {
    guard let bytes = text(Self.lastGoodName, limit: Self.limit, files: files) else { return nil }
    var rest = bytes[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    let version = line()
    guard version == Self.start || version == Self.startWithoutOrigins else { return nil }
    let words = version == Self.start ? 3 : 2
    var sources: [ConfigurationSource] = []
    while let header = line() {
      if header == Self.end { return sources.isEmpty ? nil : sources }
      let parts = header.split(separator: " ", maxSplits: words - 1)
      guard parts.count == words, let length = Int(parts[0]), length >= 0, length < rest.count else { return nil }
      let path = String(parts[words - 1])
      guard let origin = origin(of: path, word: words == 3 ? String(parts[1]) : nil) else { return nil }
      sources.append(ConfigurationSource(path: path, text: Array(rest.prefix(length)), origin: origin))
      rest = rest.dropFirst(length + 1)
    }
    return nil
  }

  /// Who wrote a text that was kept; nil for a word that this version doesn't know. A text of a stick that is kept lies at the
  /// top of what was copied from it.
  private func origin(of path: String, word: String?) -> ConfigurationSource.Origin? {
    let stick = ConfigurationSource.Origin.stick(folder: FilePath(path).directory)
    switch word {
    case Self.boardWord: return .board
    case Self.stickWord: return stick
    case nil: return directories.contains { path.hasPrefix("\($0)/\(StickStore.folderName)/") } ? stick : .board
    default: return nil
    }
  }

  // MARK: A configuration on trial

  /// What is known of a configuration that hasn't been confirmed.
  public struct Trial: Hashable, Sendable {
    /// What is on trial. Each has a note of its own: a stick doesn't make forgotten what was rolled back before it came.
    public enum Subject: Hashable, Sendable, CaseIterable {
      /// The board's files, with what was copied from a stick.
      case files
      /// These with a stick that is plugged in. It is never kept, so that its note goes when it is confirmed or pulled.
      case stick

      var name: String {
        switch self {
        case .files: "trial.toml"
        case .stick: "stick-trial.toml"
        }
      }
    }

    public var fingerprint: String
    /// How often it was begun.
    public var attempts: Int
    /// Why it isn't to be tried again; nil while it may be.
    public var rejection: String?

    public init(fingerprint: String, attempts: Int, rejection: String? = nil) {
      self.fingerprint = fingerprint
      self.attempts = attempts
      self.rejection = rejection
    }

    /// Why this text isn't begun once more; nil where it may be.
    public func rejection(of fingerprint: String) -> String? {
      guard fingerprint == self.fingerprint else { return nil }
      return rejection
        ?? (attempts >= LastGoodStore.attempts
          ? "the player ended \(attempts) times before it was confirmed" : nil)
    }

    /// One start more for this text.
    public static func begun(_ fingerprint: String, after trial: Trial?) -> Trial {
      let before = trial.flatMap { $0.fingerprint == fingerprint ? $0.attempts : nil } ?? 0
      return Trial(fingerprint: fingerprint, attempts: before + 1)
    }
  }

  private func path(of subject: Trial.Subject) -> String { "\(directory)/\(subject.name)" }

  /// Many times what is counted to; a file with a greater number was damaged.
  private static let mostAttempts: Int64 = 1000

  public func trial(
    of subject: Trial.Subject = .files, files: some FileAccess = SystemFileAccess()
  ) -> Trial? {
    guard let text = text(subject.name, limit: 64 * 1024, files: files), let table = try? TOMLParser.parse(text),
      case .string(let fingerprint)? = table["fingerprint"]?.value,
      case .integer(let attempts)? = table["attempts"]?.value
    else { return nil }
    var trial = Trial(fingerprint: fingerprint, attempts: Int(min(max(0, attempts), Self.mostAttempts)))
    if case .string(let reason)? = table["rejection"]?.value { trial.rejection = reason }
    return trial
  }

  public func note(_ trial: Trial, of subject: Trial.Subject = .files) throws(FileError) {
    guard isWritable else { return }
    var members: [(String, TOMLNode.Value)] = [
      ("fingerprint", .string(trial.fingerprint)), ("attempts", .integer(Int64(trial.attempts))),
    ]
    if let reason = trial.rejection { members.append(("rejection", .string(reason))) }
    try DurableFile.replace(path(of: subject), with: Array(TOMLText.document(members).utf8), readers: .nobody)
  }

  /// Nothing is held against it any more.
  public func forget(_ subject: Trial.Subject) throws(FileError) {
    guard isWritable, trial(of: subject) != nil else { return }
    try DurableFile.remove(path(of: subject))
  }
}

extension ConfigurationSource {
  /// The same for the same texts under the same names (FNV-1a, 64 bits: it tells texts apart that people and scripts wrote,
  /// and isn't meant against those who forge one).
  public static func fingerprint(of sources: [ConfigurationSource]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ bytes: some Sequence<UInt8>) {
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      // Lengths would do as well: names and texts can't run into each other.
      hash = (hash ^ 0xFF) &* 0x100_0000_01B3
    }
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      add(source.path.utf8)
      add(text)
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension TOMLTable {
  /// To be written; places don't matter.
  init(written members: [(String, TOMLNode.Value)]) {
    self.init(
      members.enumerated().map { index, member in
        let position = TOMLPosition(line: index + 1, column: 1)
        return Entry(key: member.0, node: TOMLNode(member.1, at: position, keyPosition: position))
      })
  }
}

extension TOMLText {
  /// Lines `key = value`.
  static func document(_ members: [(String, TOMLNode.Value)]) -> String {
    TOMLTable(written: members).entries.map { "\($0.key) = \(written($0.node))\n" }.joined()
  }
}
