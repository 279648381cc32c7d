/// The kind of medium that a server sends for an address, by its first bytes and its content type.
///
/// The bytes count more: many servers send everything as `application/octet-stream` or `text/plain`.
public enum ServedMedium: String, Hashable, Sendable, CaseIterable, Codable {
  /// A playlist of HTTP Live Streaming: one medium.
  case hls
  /// A manifest of MPEG-DASH.
  case dash
  case picture
  /// Video or sound in a file of its own.
  case film
  /// Lists of addresses of other media.
  case m3u
  case pls
  case xspf

  /// Bytes of a medium's start that are looked at: the first line that tells HLS from a list of addresses may come
  /// after a long comment.
  public static let sniffedLength = 4096

  /// - Parameters:
  ///   - contentType: the server's header; nil without one.
  ///   - start: the first `sniffedLength` bytes, or all where there are fewer.
  /// - Returns: nil where neither tells the kind.
  public init?(contentType: String?, start: [UInt8]) {
    let type = Self.plainType(contentType)
    guard let medium = Self.byStart(start) ?? Self.byType(type, start) else { return nil }
    self = medium
  }

  /// The kind to play an item as that was taken for `kind`; nil where the player needn't change.
  public func kind(insteadOf kind: MediaKind) -> MediaKind? {
    let right: MediaKind
    switch self {
    case .hls, .dash: right = .adaptive
    case .picture: right = .picture
    case .film:
      // A film under a name that isn't a film's plays all the same.
      guard kind == .picture || kind == .adaptive else { return nil }
      right = .progressive
    case .m3u, .pls, .xspf: return nil
    }
    return right == kind ? nil : right
  }

  /// Whether the medium is a list of other media.
  public var isList: Bool {
    switch self {
    case .m3u, .pls, .xspf: true
    case .hls, .dash, .picture, .film: false
    }
  }

  // MARK: Bytes

  private static func byStart(_ start: [UInt8]) -> ServedMedium? {
    if PictureFormat(start: start) != nil { return .picture }
    if MediaSignature.isFilm(start) { return .film }
    let text = Self.text(start)
    if text.starts(with: "#EXTM3U".utf8) { return contains(text, "\n#EXT-X-") ? .hls : .m3u }
    if text.first == UInt8(ascii: "[") { return lowercased(text.prefix(10)) == "[playlist]" ? .pls : nil }
    switch firstElement(of: text) {
    case "mpd": return .dash
    case "playlist": return .xspf
    default: return nil
    }
  }

  /// The text without a byte order mark and white space at its start.
  private static func text(_ start: [UInt8]) -> ArraySlice<UInt8> {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    return (start.starts(with: mark) ? start[3...] : start[...]).drop { $0 <= 0x20 }
  }

  private static func contains(_ text: ArraySlice<UInt8>, _ wanted: String) -> Bool {
    let wanted = Array(wanted.utf8)
    return text.indices.contains { text[$0] == wanted[0] && text[$0...].starts(with: wanted) }
  }

  private static func lowercased(_ text: ArraySlice<UInt8>) -> String {
    String(decoding: text, as: UTF8.self).lowercased()
  }

  /// The name of a document's first element in lower case, without its prefix; nil where the text isn't XML, or ends
  /// before the element.
  private static func firstElement(of text: ArraySlice<UInt8>) -> String? {
    var rest = text
    guard rest.first == UInt8(ascii: "<") else { return nil }
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      guard let first = rest.first else { return nil }
      // Declarations and comments may come before the first element.
      if first == UInt8(ascii: "?") || first == UInt8(ascii: "!") {
        if rest.starts(with: "!--".utf8) {
          guard let end = rest.indices.first(where: { rest[$0...].starts(with: "-->".utf8) }) else { return nil }
          rest = rest[end...]
        }
        continue
      }
      let name = rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
      return lowercased(name).split(separator: ":").last.map(String.init)
    }
    return nil
  }

  // MARK: Types

  /// The content type in lower case, without parameters.
  private static func plainType(_ type: String?) -> String {
    let plain = type?.prefix { $0 != ";" } ?? ""
    return plain.lowercased().filter { $0 != " " }
  }

  private static func byType(_ type: String, _ start: [UInt8]) -> ServedMedium? {
    let isText = !text(start).isEmpty && start.prefix(64).allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) }
    switch type {
    // A server may mean any kind of list by these names; an HLS playlist is recognised by its first line before.
    case "audio/mpegurl", "audio/x-mpegurl", "application/mpegurl", "application/x-mpegurl",
      "application/vnd.apple.mpegurl":
      return isText ? .m3u : nil
    case "audio/x-scpls", "application/pls+xml": return isText ? .pls : nil
    case "application/xspf+xml": return isText ? .xspf : nil
    case "application/dash+xml": return isText ? .dash : nil
    case _ where type.hasPrefix("image/"): return .picture
    case _ where type.hasPrefix("video/") || type.hasPrefix("audio/"): return isText ? nil : .film
    default: return nil
    }
  }
}
