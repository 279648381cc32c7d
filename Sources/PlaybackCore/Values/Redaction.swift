/// Removes secrets from texts for people, logs, screens and files that others read. Pure.
///
/// It removes from addresses the user and password, and everything after the path, which is where signed addresses,
/// cameras and web services have their keys. A password that isn't escaped (`http://me:12/3@host/`) can't be told from
/// a path, so a colon with a later `@` removes everything between them. A secret that is part of a path or of a host's
/// name can't be told from other words and stays. Paths and `file:` addresses stay as they are.
public enum Redaction {
  /// Stands for a removed part.
  public static let mark = "…"
  /// Bytes of a text that are looked at; the mark replaces the rest. Addresses are shorter, and so are texts that
  /// people read, but a text in a file on a stick may be millions of bytes.
  static let longest = 16 * 1024

  /// The text with each address in it redacted; the same text if it contains no address.
  public static func text(_ text: String) -> String {
    guard text.utf8.count > longest else { return redacted(text, Array(text.utf8)) }
    let bytes = text.utf8.prefix(longest)
    // The last word is left out: in an address that is cut short, the password can't be recognised.
    let whole = bytes[..<(bytes.lastIndex(where: Byte.endsAddress) ?? bytes.startIndex)]
    return redacted(String(decoding: whole, as: UTF8.self), Array(whole)) + mark
  }

  /// - Parameter bytes: those of `text`. Each is looked at a few times at most, however many beginnings there are.
  private static func redacted(_ text: String, _ bytes: [UInt8]) -> String {
    var known = Known()
    var kept: [UInt8] = []
    var next = 0
    var index = 0
    while index < bytes.count {
      guard let beginning = Beginning(at: index, in: bytes, from: next) else {
        index += 1
        continue
      }
      if let redacted = beginning.redacted(in: bytes, &known) {
        kept += bytes[next..<beginning.body] + redacted.bytes
        next = redacted.end
        index = redacted.end
      } else {
        index = beginning.body
      }
    }
    return next == 0 ? text : String(decoding: kept + bytes[next...], as: UTF8.self)
  }

  /// A text that is one address, as it was entered, or none: then characters that are illegal in an address don't end
  /// it.
  public static func value(_ text: String) -> String {
    let bytes = Array(text.utf8.prefix(longest))
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      let beginning = Beginning(at: colon, in: bytes, from: 0), beginning.isWholeText
    else { return self.text(text) }
    let scheme = String(decoding: bytes[..<beginning.body], as: UTF8.self)
    guard text.utf8.count <= longest else { return scheme + mark }
    return scheme + String(decoding: Address.redacted(bytes[beginning.body...]).bytes, as: UTF8.self)
  }
}

/// Results of earlier beginnings in the same text, so that the next one needn't look at the same bytes again.
private struct Known {
  /// A possible server part with user and password, with its last `@` and the last colon before that.
  var server: (range: Range<Int>, at: Int?, colon: Int?) = (0..<0, nil, nil)
  /// No encoded address before this index has a secret.
  var encoded = 0
  /// No address with too few slashes before this index has a secret.
  var short = 0
  /// There is no `@` before this index, the end of a line.
  var line = 0

  mutating func server(from body: Int, in bytes: [UInt8]) -> (at: Int?, colon: Int?) {
    if !server.range.contains(body) {
      let end =
        bytes[body...].firstIndex { Byte.endsAddress($0) || "/?#".utf8.contains($0) } ?? bytes.endIndex
      let at = bytes[body..<end].lastIndex(of: UInt8(ascii: "@"))
      server = (body..<end, at, at.flatMap { bytes[body..<$0].lastIndex(of: UInt8(ascii: ":")) })
    }
    // A backslash begins an address without ending a server part: the known `@` may be before this beginning.
    guard let at = server.at, at >= body else { return (nil, nil) }
    return (at, server.colon)
  }
}

/// The beginning of a possible address in a text.
private struct Beginning {
  enum Kind {
    /// `scheme://`, with slashes of either kind.
    case address
    /// A server scheme with one or two slashes missing, such as `http:me@host/`. An address only if it contains
    /// something secret.
    case short
    /// `//`, as in relative addresses. An address only with a password in it, or at the beginning of a word with a
    /// user.
    case doubtful
    /// `%3A%2F%2F`: an address within another address.
    case encoded
  }
  let kind: Kind
  /// Index after the slashes.
  let body: Int
  /// Whether the text begins with the address.
  private(set) var isWholeText = false
  private var beginsWord = false

  /// - Parameter start: the text before this index is done.
  init?(at index: Int, in bytes: [UInt8], from start: Int) {
    switch bytes[index] {
    case UInt8(ascii: ":"):
      guard let first = Self.schemeStart(bytes[start..<index]) else { return nil }
      let scheme = String(decoding: bytes[first..<index], as: UTF8.self).lowercased()
      let body = bytes[(index + 1)...].firstIndex { !Byte.isSlash($0) } ?? bytes.endIndex
      guard scheme != "file" else { return nil }
      if body - index > 2 {
        kind = .address
        isWholeText = first == 0
      } else {
        guard Self.ofServers.contains(scheme) else { return nil }
        kind = .short
        isWholeText =
          first == 0 && body < bytes.count && !Byte.endsAddress(bytes[body])
          && bytes[body...].contains(UInt8(ascii: "@"))
      }
      self.body = body
    case UInt8(ascii: "/"), UInt8(ascii: "\\"):
      guard index + 1 < bytes.count, Byte.isSlash(bytes[index + 1]) else { return nil }
      guard index == 0 || !(Byte.isSlash(bytes[index - 1]) || bytes[index - 1] == UInt8(ascii: ":")) else { return nil }
      kind = .doubtful
      body = bytes[index...].firstIndex { !Byte.isSlash($0) } ?? bytes.endIndex
      beginsWord = index == 0 || Byte.endsAddress(bytes[index - 1]) || "=([{,'".utf8.contains(bytes[index - 1])
    case UInt8(ascii: "%"):
      guard Address.beginsEncoded(bytes[index...]) else { return nil }
      kind = .encoded
      body = index + Address.separator.count
    default: return nil
    }
  }

  /// Schemes whose addresses may have users and passwords.
  private static let ofServers: Set<String> = [
    "http", "https", "ws", "wss", "rtsp", "rtsps", "rtspt", "rtspu", "rtsph", "rtmp", "rtmps", "rtmpt", "mms", "mmsh",
    "ftp", "ftps", "sftp", "smb", "udp", "rtp", "srt", "mqtt", "mqtts", "socks5",
  ]

  /// Index at which the scheme that ends these bytes begins; nil without one.
  private static func schemeStart(_ bytes: ArraySlice<UInt8>) -> Int? {
    let before = bytes.lastIndex { !Byte.isLetter($0) && !Byte.isDigit($0) && !"+-.".utf8.contains($0) }
    return bytes[(before.map { $0 + 1 } ?? bytes.startIndex)...].firstIndex(where: Byte.isLetter)
  }

  /// End of the address: characters that are illegal in one end it (spaces, control characters, quotation marks, angle
  /// brackets). Punctuation at its end belongs to the sentence around it.
  private func end(in bytes: [UInt8]) -> Int {
    var end = bytes[body...].firstIndex(where: Byte.endsAddress) ?? bytes.endIndex
    if kind == .encoded { end = bytes[body..<end].firstIndex { "/?#&".utf8.contains($0) } ?? end }
    while end > body, ".,:;)]}!'".utf8.contains(bytes[end - 1]) { end -= 1 }
    return end
  }

  /// The replacement of the address, and the index at which the text goes on; nil where it isn't an address.
  func redacted(in bytes: [UInt8], _ known: inout Known) -> (bytes: [UInt8], end: Int)? {
    switch kind {
    case .address:
      let end = end(in: bytes)
      let redacted = Address.redacted(bytes[body..<end])
      guard redacted.isCutPassword, known.line <= end else { return (redacted.bytes, end) }
      // The password contains a space or a quotation mark: it goes on to the next @ of its line.
      let line = bytes[end...].prefix { $0 != 0x0A && $0 != 0x0D }
      guard let at = line.firstIndex(of: UInt8(ascii: "@")) else {
        known.line = line.endIndex
        return (redacted.bytes, end)
      }
      let host = line[(at + 1)...].prefix { !Byte.endsAddress($0) }
      return (Address.redacted(host).bytes, host.endIndex)
    case .short:
      guard body >= known.short else { return nil }
      let end = end(in: bytes)
      guard bytes[body..<end].contains(where: { "@?#".utf8.contains($0) }) else {
        known.short = end
        return nil
      }
      return (Address.redacted(bytes[body..<end]).bytes, end)
    case .doubtful:
      let server = known.server(from: body, in: bytes)
      guard let at = server.at, beginsWord || (server.colon.map { $0 >= body } ?? false) else { return nil }
      return ([], at + 1)
    case .encoded:
      guard body >= known.encoded else { return nil }
      let end = end(in: bytes)
      guard Address.hasSecretsEncoded(bytes[body..<end]) else {
        known.encoded = end
        return nil
      }
      return (Array(Redaction.mark.utf8), end)
    }
  }
}

/// Redacts the part of an address after `://`.
private enum Address {
  private static let at = UInt8(ascii: "@")
  private static let colon = UInt8(ascii: ":")

  /// - Returns: the remaining bytes; `isCutPassword` where the text ends within a password.
  static func redacted(_ text: ArraySlice<UInt8>) -> (bytes: [UInt8], isCutPassword: Bool) {
    let mark = Array(Redaction.mark.utf8)
    var kept: [UInt8] = []
    var rest = text
    if rest.starts(with: mark + [at]) {
      // Redacted before.
      kept = mark + [at]
      rest = rest.dropFirst(kept.count)
    }
    let head = rest.prefix { !"?#".utf8.contains($0) }
    let authority = head.prefix { $0 != UInt8(ascii: "/") }
    let firstColon = head.dropFirst(literal(authority)).firstIndex(of: colon)
    var isCutPassword = false
    if let firstColon, let last = rest[firstColon...].lastIndex(of: at) {
      // An `@` after the path's end may be part of a query, which has secrets of its own: the host's beginning is
      // unknown.
      if last >= head.endIndex, rest[head.endIndex...].contains(where: { "=&;".utf8.contains($0) }) {
        return (kept + mark, false)
      }
      // A port and an `@` in the path may really be a password that should have been escaped as %XX.
      let isCertain = last < authority.endIndex || (!authority.contains(at) && !endsWithPort(authority))
      if !isCertain { kept = mark + [at] }
      rest = rest[(last + 1)...]
    } else if let last = authority.lastIndex(of: at) {
      rest = rest[(last + 1)...]
    } else {
      isCutPassword = true
    }
    let server = rest.prefix { !"/?#".utf8.contains($0) }
    if !endsWithPort(server), let first = server.dropFirst(literal(server)).firstIndex(of: colon) {
      return (kept + rest[...first] + mark, isCutPassword)
    }
    guard let more = rest.firstIndex(where: { "?#".utf8.contains($0) }), more + 1 < rest.endIndex else {
      return (kept + withoutInner(rest), false)
    }
    return (kept + withoutInner(rest[...more]) + mark, false)
  }

  /// Removes the encoded addresses in a path that have secrets.
  private static func withoutInner(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var rest = text
    while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
      guard beginsEncoded(rest[percent...]) else {
        kept += rest[...percent]
        rest = rest[(percent + 1)...]
        continue
      }
      let body = rest[(percent + separator.count)...]
      let inner = body.prefix { !"/?#&".utf8.contains($0) }
      kept += rest[..<body.startIndex] + (hasSecretsEncoded(inner) ? Array(Redaction.mark.utf8) : Array(inner))
      rest = body[inner.endIndex...]
    }
    return kept + rest
  }

  /// `://`, encoded.
  static let separator = "%3a%2f%2f"

  static func beginsEncoded(_ text: ArraySlice<UInt8>) -> Bool {
    String(decoding: text.prefix(separator.utf8.count), as: UTF8.self).lowercased() == separator
  }

  /// Whether the text contains a user, or something after its path.
  static func hasSecretsEncoded(_ text: ArraySlice<UInt8>) -> Bool {
    text.indices.contains { index in
      guard text[index] == UInt8(ascii: "%") else { return text[index] == at }
      let code = String(decoding: text[index...].prefix(3), as: UTF8.self).lowercased()
      return ["%40", "%3f", "%23"].contains(code)
    }
  }

  /// Whether the host is followed by a port or by nothing.
  private static func endsWithPort(_ server: ArraySlice<UInt8>) -> Bool {
    let behind = server.dropFirst(literal(server))
    guard let colon = behind.firstIndex(of: colon) else { return true }
    return server[(colon + 1)...].allSatisfy(Byte.isDigit)
  }

  /// Length of an IPv6 address in brackets at the beginning; 0 without one.
  private static func literal(_ server: ArraySlice<UInt8>) -> Int {
    guard server.first == UInt8(ascii: "[") else { return 0 }
    // The closing bracket at the end of a text was taken for the sentence's punctuation.
    let closing = server.firstIndex(of: UInt8(ascii: "]"))
    let end = closing ?? server.endIndex
    let inside = server[(server.startIndex + 1)..<end]
    let number = inside.prefix { $0 != UInt8(ascii: "%") }
    let isAddress =
      number.allSatisfy { Byte.isDigit($0) || (0x61...0x66).contains($0 | 0x20) || ":.".utf8.contains($0) }
      && number.count(where: { $0 == colon }) > 1
      // The name of an interface may follow, as in %25eth0.
      && inside[number.endIndex...].allSatisfy {
        Byte.isLetter($0) || Byte.isDigit($0) || "-._~%".utf8.contains($0)
      }
    return isAddress ? (closing.map { $0 + 1 } ?? end) - server.startIndex : 0
  }
}

private enum Byte {
  static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
  static func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }
  static func endsAddress(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F || "\"<>`".utf8.contains(byte) }
}
