/// A file that playlists name.
public struct WantedFile: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Video, sound, a picture.
    case media
    /// Subtitles beside it.
    case text
  }

  /// http or https.
  public var uri: String
  public var kind: Kind
  /// In 64 hexadecimal digits in lower case; nil when nobody said.
  public var sha256: String?
  /// Whether what plays today needs it.
  public var isNeededToday: Bool

  public init(uri: String, kind: Kind = .media, sha256: String? = nil, isNeededToday: Bool = true) {
    self.uri = uri
    self.kind = kind
    self.sha256 = sha256
    self.isNeededToday = isNeededToday
  }
}

/// Parts of an address.
enum Address {
  /// `https://host:port`, without a user: what answers or fails as one.
  static func server(_ uri: String) -> String {
    guard let start = Text.range(of: "://", in: uri) else { return uri }
    let authority = uri[start.upperBound...].prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return uri[..<start.upperBound].lowercased() + host.lowercased()
  }

  /// Whether what was sent to one over TLS would go to the other in the clear.
  static func isDowngrade(from old: String, to new: String) -> Bool {
    old.lowercased().hasPrefix("https:") && !new.lowercased().hasPrefix("https:")
  }

  static func isWeb(_ uri: String) -> Bool {
    let lower = uri.prefix(8).lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }

  /// What GStreamer, and whoever looks into the folder, may tell a file by: letters and digits only.
  static func fileExtension(_ uri: String) -> String {
    let path = uri.prefix { !"?#".contains($0) }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "bin" }
    let found = name[name.index(after: dot)...].lowercased()
    let isPlain = found.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isPlain && (1...5).contains(found.utf8.count) && found != "part" ? found : "bin"
  }
}

enum Text {
  /// The first place of an ASCII text; the standard library finds only characters.
  static func range(of part: String, in text: String) -> Range<String.Index>? {
    let utf8 = text.utf8
    var index = utf8.startIndex
    while index < utf8.endIndex {
      if utf8[index...].starts(with: part.utf8) { return index..<utf8.index(index, offsetBy: part.utf8.count) }
      index = utf8.index(after: index)
    }
    return nil
  }
}
