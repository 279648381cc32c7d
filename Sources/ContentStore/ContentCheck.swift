internal import PlaybackCore

/// Tells a web page from what was asked for. A hot spot that wants a password, or a server that is being mended, answers any
/// request with one and says 200.
enum ContentCheck {
  /// Whether the server itself says that this is a page or a message.
  static func isPage(contentType: String?, _ kind: WantedFile.Kind) -> Bool {
    guard let type = contentType?.lowercased().split(separator: ";").first?.filter({ $0 != " " }) else { return false }
    switch type {
    case "text/html", "application/xhtml+xml", "application/json", "application/problem+json", "text/javascript",
      "application/javascript", "text/css":
      return true
    // Servers that don't know an extension call it text/plain: what it is shows in its bytes.
    default: return false
    }
  }

  /// Whether these first bytes are those of a list of a stream's parts: a copy of it would have neither its parts nor its server.
  static func isStream(start: [UInt8], _ kind: WantedFile.Kind) -> Bool {
    guard kind != .text, let medium = ServedMedium(contentType: nil, start: start) else { return false }
    return medium == .hls || medium == .dash
  }

  /// Whether these first bytes are those of a list of addresses. A plain list has no mark of its own: it is known by its name.
  static func isList(start: [UInt8], _ kind: WantedFile.Kind) -> Bool {
    switch kind {
    case .text: false
    case .media: ServedMedium(contentType: nil, start: start)?.isList == true
    case .list:
      switch ServedMedium(contentType: nil, start: start) {
      case .picture, .film, .hls, .dash: false
      case .m3u, .pls, .xspf, nil: true
      }
    }
  }

  /// Whether these first bytes are those of a page or a message. No format of video, sound or pictures begins like them.
  static func isPage(start: [UInt8], _ kind: WantedFile.Kind) -> Bool {
    var text = start[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let lower = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
    let pages = ["<!doctype", "<html", "<head", "<body", "<script", "<meta", "<title", "<!--", "<h1", "<p>", "<center"]
    if pages.contains(where: lower.hasPrefix) { return true }
    // SVG is a picture, and XML; nothing that is played is JSON.
    if lower.hasPrefix("<?xml"), !lower.contains("<svg") {
      return String(decoding: text, as: UTF8.self).lowercased().contains("<html")
    }
    return kind == .media && (lower.hasPrefix("{\"") || lower.hasPrefix("{\n") || lower.hasPrefix("{ \""))
  }
}
