/// A request of HTTP, as far as it matters who asks for what.
public struct WebRequest: Hashable, Sendable {
  public var method: String
  /// As it stands in the address: not decoded.
  public var path: String
  /// Without the question mark; not decoded.
  public var query: String?
  // Of the header; one that came several times is joined by commas, as RFC 9110 has it.
  public var host: String?
  public var origin: String?
  public var fetchSite: String?
  public var authorization: String?
  public var cookie: String?
  public var contentType: String?
  public var body: [UInt8] = []
  /// It had more of a body than is read.
  public var isTooLarge = false

  public init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// The values of the query by name; nil where it is none that can be read. The first of a name counts.
  var parameters: [String: String]? {
    var all: [String: String] = [:]
    for pair in (query ?? "").split(separator: "&").prefix(WebLimits.parameters + 1) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard all.count < WebLimits.parameters, let name = Self.decoded(parts[0]),
        let value = Self.decoded(parts.count > 1 ? parts[1] : "")
      else { return nil }
      if all[name] == nil { all[name] = value }
    }
    return all
  }

  /// Nil where a percent sign isn't followed by two digits, or the bytes are no UTF-8.
  static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  /// The value of a cookie. The first counts, which is the one of the nearest path.
  func cookie(named name: String) -> String? {
    for part in (cookie ?? "").split(separator: ";").prefix(WebLimits.parameters * 4) {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
    }
    return nil
  }
}

/// What is answered.
public struct WebAnswer: Hashable, Sendable {
  public var status: Int
  public var contentType: String
  public var body: [UInt8]
  /// Besides those that every answer has.
  public var headers: [(name: String, value: String)] {
    get { extra.map { ($0.name, $0.value) } }
    set { extra = newValue.map { Header(name: $0.name, value: $0.value) } }
  }
  private struct Header: Hashable, Sendable {
    var name: String
    var value: String
  }
  private var extra: [Header] = []

  public init(_ status: Int, _ contentType: String, _ body: [UInt8]) {
    self.status = status
    self.contentType = contentType
    self.body = body
  }

  public init(_ status: Int, text: String) { self.init(status, "text/plain; charset=utf-8", Array(text.utf8)) }

  /// Of all answers. A page runs nothing but what comes from here, stands in no other page, and nothing of it stays in a cache.
  public static let commonHeaders: [(name: String, value: String)] = [
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        + "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    ("X-Content-Type-Options", "nosniff"), ("X-Frame-Options", "DENY"), ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
  ]
}

/// What somebody may take of the player by HTTP, in one place.
public enum WebLimits {
  /// A browser opens six; a scraper and a person more. Each may have the server keep a header (100 kB, libsoup's own limit) and a body.
  public static let connections = 8
  /// Of these so many are for those who are on the board itself: its own scraper, a proxy, a person who looks what is wrong.
  public static let localConnections = 2
  /// From the beginning of a connection to the end of its first request's header, which comes in one piece from everybody who means it; with
  /// TLS two exchanges come before it, over a slow mobile link as well.
  public static let headerSeconds = 5
  /// As much as a request by the socket.
  public static let bodyBytes = 4 * 1024
  /// So much more is taken and thrown away, so that whoever sent it reads the answer; then the connection is closed.
  public static let spilledBytes = 64 * 1024
  /// Names in a query. The server knows two.
  public static let parameters = 8
  /// A request, its answer, and the pause before the next one may each take so long.
  public static let seconds = 30
  /// Where all places are taken, one that has asked for nothing since its answer for so long makes room.
  public static let idleSeconds = 2
  /// Pages that are logged in at the same time; the oldest goes.
  public static let sessions = 16
  /// A page that nobody has looked at for so long is logged in no more.
  public static let sessionSeconds = 12 * 3600
  /// Fewer can be found out by trying.
  public static let tokenCharacters = 16
  /// A picture is shown to all who ask for the same within so long.
  public static let pictureSeconds = 1
}
