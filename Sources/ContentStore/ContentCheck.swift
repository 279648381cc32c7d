internal import PlaybackCore

/// Recognises web pages and lists that come in place of the requested file. A hot spot that wants a password, or a
/// server under repair, answers any request with a page and status 200.
enum ContentCheck {
  /// Whether the server labels its answer as a page or a message.
  static func isPage(contentType: String?, _ kind: WantedFile.Kind) -> Bool {
    guard let type = contentType?.lowercased().split(separator: ";").first?.filter({ $0 != " " }) else { return false }
    switch type {
    case "text/html", "application/xhtml+xml", "application/json", "application/problem+json", "text/javascript",
      "application/javascript", "text/css":
      return true
    // Servers label files with unknown extensions as text/plain: only the bytes show the format.
    default: return false
    }
  }

  /// Whether these first bytes begin a list of a stream's parts (HLS, DASH): a copy of such a list would have neither
  /// the parts nor their server.
  static func isStream(start: [UInt8], _ kind: WantedFile.Kind) -> Bool {
    guard kind != .text, let medium = ServedMedium(contentType: nil, start: start) else { return false }
    return medium == .hls || medium == .dash
  }

  /// Whether these first bytes begin a list of addresses. A plain list has no mark of its own: it is recognised by its
  /// name.
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

  /// Whether these first bytes begin a page or a message. No format of video, sound or pictures begins like that.
  static func isPage(start: [UInt8], _ kind: WantedFile.Kind) -> Bool {
    var text = start[...]
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
    text = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    let lower = String(decoding: text.prefix(64), as: UTF8.self).lowercased()
    let pages = ["<!doctype", "<html", "<head", "<body", "<script", "<meta", "<title", "<!--", "<h1", "<p>", "<center"]
    if pages.contains(where: lower.hasPrefix) { return true }
    // SVG is a picture, and XML; no playable format is JSON.
    if lower.hasPrefix("<?xml"), !lower.contains("<svg") {
      return String(decoding: text, as: UTF8.self).lowercased().contains("<html")
    }
    return kind == .media && (lower.hasPrefix("{\"") || lower.hasPrefix("{\n") || lower.hasPrefix("{ \""))
  }
}
