internal import FileModel
public import PlaybackCore

/// A list of addresses that a server sent in place of a medium, such as a radio station's.
///
/// A server must not reach files of this machine or steer it to other schemes: entries that aren't network addresses
/// are left out.
public enum ServedList {
  /// The most entries that are used: a server's list isn't a library, and each entry costs memory for as long as it
  /// plays.
  public static let maximumItems = 1000

  /// - Parameters:
  ///   - text: the whole list.
  ///   - medium: which kind of list it is.
  ///   - item: the item that was opened; its other properties hold for all entries.
  ///   - reach: how near the server is to this machine, if known. An entry whose address is nearer is left out; names
  ///     are resolved when they play (`MediaItem.namedFrom`).
  ///   - redirects: where servers may redirect the player.
  ///   - networks: the networks that this machine is attached to now.
  /// - Returns: the items in the list's order; empty if none may be played.
  public static func items(
    of text: [UInt8], _ medium: ServedMedium, for item: MediaItem, from reach: NetworkReach? = nil,
    redirects: RedirectPolicy = RedirectPolicy(), networks: AttachedNetworks = AttachedNetworks()
  ) -> [MediaItem] {
    let entries: [MediaList.Entry]
    switch medium {
    case .m3u: entries = MediaList(text, fileExtension: "m3u").entries
    case .pls: entries = MediaList(text, fileExtension: "pls").entries
    case .xspf: entries = MediaList(text, fileExtension: "xspf").entries
    case .hls, .dash, .picture, .film: return []
    }
    guard case .remote(let base)? = try? MediaAddress.parse(item.uri) else { return [] }
    let farthest = [item.namedFrom, reach].compactMap(\.self).max()
    return entries.lazy.compactMap { entry -> MediaItem? in
      let text = absolute(String(decoding: entry.address, as: UTF8.self), from: base)
      guard case .remote(let uri)? = try? MediaAddress.parse(text) else { return nil }
      if let farthest, let place = NetworkReach(host: uri.host, in: networks),
        redirects.refusal(from: farthest, to: place) != nil
      {
        return nil
      }
      var found = item
      found.namedFrom = farthest
      found.uri = uri.text
      found.title = entry.title ?? (item.title.isEmpty ? "" : uri.title)
      found.kind = .guess(uri)
      found.start = .zero
      found.end = nil
      found.subtitles = []
      found.sha256 = nil
      found.origin = "\(item.origin):\(entry.line): \(text)"
      return found
    }.prefix(maximumItems).map(\.self)
  }

  /// The format of the list: by its first bytes, or by its name if the format has no signature.
  public static func medium(of text: [UInt8], from uri: String) -> ServedMedium? {
    if let medium = ServedMedium(contentType: nil, start: Array(text.prefix(ServedMedium.sniffedLength))) {
      return medium.isList ? medium : nil
    }
    return named(uri)
  }

  /// Whether the text is a list that names something to play.
  public static func isUsable(_ text: [UInt8], from uri: String) -> Bool {
    medium(of: text, from: uri).map { !items(of: text, $0, for: MediaItem(uri: uri, kind: .progressive)).isEmpty }
      ?? false
  }

  /// Whether an address belongs to a list by its name. Addresses of HLS (`.m3u8`) are streams.
  public static func isNamed(_ uri: String) -> Bool {
    named(uri) != nil
  }

  private static func named(_ uri: String) -> ServedMedium? {
    guard case .remote(let address)? = try? MediaAddress.parse(uri) else { return nil }
    switch FilePath(address.path).fileExtension {
    case "m3u": return .m3u
    case "pls": return .pls
    case "xspf": return .xspf
    default: return nil
    }
  }

  /// Resolves an address in a list from `base` to an absolute one.
  private static func absolute(_ text: String, from base: MediaAddress.RemoteURI) -> String {
    let scheme = text.prefix { $0 != ":" }
    let hasScheme =
      scheme.count < text.count && scheme.utf8.allSatisfy { isInScheme($0) } && scheme.first?.isLetter == true
    if hasScheme { return text }
    if text.hasPrefix("//") { return "\(base.scheme.rawValue):\(text)" }
    let root = base.text.prefix { !"?#".contains($0) }.dropLast(base.path.count)
    if text.hasPrefix("/") { return root + text }
    if text.hasPrefix("?") { return root + base.path + text }
    let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
    return root + folder + text
  }

  private static func isInScheme(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
  }
}
