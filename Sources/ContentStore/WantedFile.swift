internal import PlaybackCore

/// A file that playlists name.
public struct WantedFile: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    /// Video, sound or a picture.
    case media
    /// Subtitles beside a film.
    case text
    /// A list of addresses, recognised by its name. A list with another name is recognised by its first bytes.
    case list
  }

  /// http or https.
  public var uri: String
  public var kind: Kind
  /// 64 lower-case hexadecimal digits; nil without a checksum in the playlists.
  public var sha256: String?
  /// Whether today's programme needs the file.
  public var isNeededToday: Bool

  public init(uri: String, kind: Kind = .media, sha256: String? = nil, isNeededToday: Bool = true) {
    self.uri = uri
    self.kind = kind
    self.sha256 = sha256
    self.isNeededToday = isNeededToday
  }
}

/// The files that playlists name, each once, in the order in which they will play.
struct WantedFiles: Hashable, Sendable {
  private(set) var inOrder: [WantedFile] = []
  var byURI: [String: WantedFile] = [:]

  init() {}

  /// - Parameter list: may name a file several times.
  init(_ list: [WantedFile]) {
    for file in list where WebOrigin(address: file.uri) != nil {
      guard var known = byURI[file.uri] else {
        byURI[file.uri] = file
        inOrder.append(file)
        continue
      }
      known.isNeededToday = known.isNeededToday || file.isNeededToday
      known.sha256 = known.sha256 ?? file.sha256
      byURI[file.uri] = known
    }
    inOrder = inOrder.compactMap { byURI[$0.uri] }
  }

  subscript(uri: String) -> WantedFile? { byURI[uri] }
}

/// Parts of an address.
enum Address {
  /// The origin, as a text; a server answers or fails as a whole.
  static func server(_ uri: String) -> String { WebOrigin(address: uri)?.description ?? uri }

  /// The extension by which GStreamer, and people, recognise the file; letters and digits only.
  static func fileExtension(_ uri: String) -> String {
    let path = uri.prefix { !"?#".contains($0) }
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "bin" }
    let found = name[name.index(after: dot)...].lowercased()
    let isPlain = found.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isPlain && (1...5).contains(found.utf8.count) && found != "part" ? found : "bin"
  }
}
