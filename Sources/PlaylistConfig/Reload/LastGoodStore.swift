import Glibc

/// What is kept of configurations on disk: the last one that was confirmed, and the one that isn't to be tried again.
///
/// Both are files of our own in a directory of our own. All calls block; off the loop.
public struct LastGoodStore: Sendable {
  public let directory: String

  public init(directory: String) { self.directory = directory }

  /// Starts that a configuration gets which has never been confirmed: one that ends the program each time must not do so
  /// for ever, and one that was cut off by the power twice may still be good.
  public static let attempts = 3

  private var lastGoodPath: String { "\(directory)/last-good" }
  private var trialPath: String { "\(directory)/trial.toml" }

  /// Makes the directory where it isn't there. False when nothing can be written there.
  public func prepare() -> Bool {
    mkdir(directory, 0o755)
    return access(directory, W_OK | X_OK) == 0
  }

  // MARK: The last good configuration

  /// The first and the last line of the file; texts stand between them as they are, each after its length and name.
  private static let start = "vitrine last-good 1"
  private static let end = "end"
  /// Bytes of all texts together that are kept.
  private static let limit = 4 * ConfigurationLimits.textBytes

  /// Keeps these texts. When it returns they are on disk.
  public func keep(_ sources: [ConfigurationSource]) throws(FileError) {
    var bytes = Array("\(Self.start)\n".utf8)
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      bytes += Array("\(text.count) \(source.path)\n".utf8) + text + [UInt8(ascii: "\n")]
    }
    bytes += Array("\(Self.end)\n".utf8)
    guard bytes.count <= Self.limit else { throw FileError(.system(EFBIG)) }
    try DurableFile.replace(lastGoodPath, with: bytes)
    try DurableFile.remove(trialPath)
  }

  /// Nil when there is none, or it isn't whole.
  public func lastGood(files: some FileAccess = SystemFileAccess()) -> [ConfigurationSource]? {
    guard let bytes = try? files.read(FilePath(lastGoodPath), limit: Self.limit) else { return nil }
    var rest = bytes[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    guard line() == Self.start else { return nil }
    var sources: [ConfigurationSource] = []
    while let header = line() {
      if header == Self.end { return sources.isEmpty ? nil : sources }
      let parts = header.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, let length = Int(parts[0]), length >= 0, length < rest.count else { return nil }
      sources.append(ConfigurationSource(path: String(parts[1]), text: Array(rest.prefix(length))))
      rest = rest.dropFirst(length + 1)
    }
    return nil
  }

  // MARK: A configuration on trial

  /// What is known of a configuration that hasn't been confirmed.
  public struct Trial: Hashable, Sendable {
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
  }

  public func trial(files: some FileAccess = SystemFileAccess()) -> Trial? {
    guard let text = try? files.read(FilePath(trialPath), limit: 64 * 1024), let table = try? TOMLParser.parse(text),
      case .string(let fingerprint)? = table["fingerprint"]?.value,
      case .integer(let attempts)? = table["attempts"]?.value
    else { return nil }
    var trial = Trial(fingerprint: fingerprint, attempts: Int(clamping: attempts))
    if case .string(let reason)? = table["rejection"]?.value { trial.rejection = reason }
    return trial
  }

  public func note(_ trial: Trial) throws(FileError) {
    var members: [(String, TOMLNode.Value)] = [
      ("fingerprint", .string(trial.fingerprint)), ("attempts", .integer(Int64(trial.attempts))),
    ]
    if let reason = trial.rejection { members.append(("rejection", .string(reason))) }
    try DurableFile.replace(trialPath, with: Array(TOMLText.document(members).utf8))
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
