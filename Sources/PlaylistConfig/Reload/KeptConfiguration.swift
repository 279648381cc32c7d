/// The format of the file that holds the last good configuration.
///
/// It holds the configuration's texts unchanged, each after its length, author and name.
public enum KeptConfiguration {
  /// Bytes of all texts together that are kept.
  public static let limit = 4 * ConfigurationLimits.textBytes

  /// The first and the last line.
  private static let start = "vitrine last-good 2"
  /// The first line of older versions, which didn't store a text's author.
  private static let startWithoutOrigins = "vitrine last-good 1"
  private static let end = "end"
  private static let (boardWord, stickWord) = ("board", "stick")

  /// Nil if the texts are longer than `limit`.
  public static func text(of sources: [ConfigurationSource]) -> [UInt8]? {
    var bytes = Array("\(start)\n".utf8)
    for source in sources {
      guard case .text(let text) = source.content else { continue }
      let origin = source.origin == .board ? boardWord : stickWord
      bytes += Array("\(text.count) \(origin) \(source.path)\n".utf8) + text + [UInt8(ascii: "\n")]
    }
    bytes += Array("\(end)\n".utf8)
    return bytes.count <= limit ? bytes : nil
  }

  /// Nil if the text is incomplete or of a newer version.
  ///
  /// - Parameter stickCopies: folders of files copied from sticks. In a text of the older version the folder decides
  ///   the author.
  public static func sources(in text: [UInt8], stickCopies: [String]) -> [ConfigurationSource]? {
    var rest = text[...]
    func line() -> String? {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    let version = line()
    guard version == start || version == startWithoutOrigins else { return nil }
    let words = version == start ? 3 : 2
    var sources: [ConfigurationSource] = []
    while let header = line() {
      if header == end { return sources.isEmpty ? nil : sources }
      let parts = header.split(separator: " ", maxSplits: words - 1)
      guard parts.count == words, let length = Int(parts[0]), length >= 0, length < rest.count else { return nil }
      let path = String(parts[words - 1])
      guard let origin = origin(of: path, word: words == 3 ? String(parts[1]) : nil, stickCopies: stickCopies) else {
        return nil
      }
      sources.append(ConfigurationSource(path: path, text: Array(rest.prefix(length)), origin: origin))
      rest = rest.dropFirst(length + 1)
    }
    return nil
  }

  /// The author of a text; nil for a word that this version doesn't know. A stick's text lies at the top of the folder
  /// into which the stick was copied.
  private static func origin(
    of path: String, word: String?, stickCopies: [String]
  ) -> ConfigurationSource.Origin? {
    let stick = ConfigurationSource.Origin.stick(folder: FilePath(path).directory)
    switch word {
    case boardWord: return .board
    case stickWord: return stick
    case nil: return stickCopies.contains { path.hasPrefix($0 + "/") } ? stick : .board
    default: return nil
    }
  }
}
