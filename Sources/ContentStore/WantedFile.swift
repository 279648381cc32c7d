internal import PlaybackCore

/// A file that playlists name.
public struct WantedFile: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Video, sound, a picture.
    case media
    /// Subtitles beside it.
    case text
    /// A list of addresses, by its name. One that has another name shows in its first bytes.
    case list
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
  /// The origin, as a text: what answers or fails as one.
  static func server(_ uri: String) -> String { WebOrigin(address: uri)?.description ?? uri }

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
