/// An HTTP request, reduced to what the server's decision needs.
public struct WebRequest: Hashable, Sendable {
  public var method: String
  /// The path as in the address: not decoded.
  public var path: String
  /// Without the question mark; not decoded.
  public var query: String?
  // Headers; RFC 9110 joins repeated ones by commas.
  public var host: String?
  public var origin: String?
  public var fetchSite: String?
  public var authorization: String?
  public var cookie: String?
  public var contentType: String?
  public var body: [UInt8] = []
  /// Whether the body was longer than the limit.
  public var isTooLarge = false

  public init(method: String, path: String) {
    self.method = method
    self.path = path
  }

  /// The values of the query by name; nil if it is malformed. Of repeated names, the first counts.
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

  /// Nil for a percent sign without two digits, and for bytes that aren't UTF-8.
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

  /// The value of a cookie. Of several, the first counts: it has the nearest path.
  func cookie(named name: String) -> String? {
    for part in (cookie ?? "").split(separator: ";").prefix(WebLimits.parameters * 4) {
      let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
    }
    return nil
  }
}

/// The answer to a request.
public struct WebAnswer: Hashable, Sendable {
  public var status: Int
  public var contentType: String
  public var body: [UInt8]
  /// Headers besides those of every answer.
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

  /// The headers of every answer. A page runs only scripts from this server, can't be framed by another page, and isn't
  /// cached.
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

/// Limits on what HTTP clients may use of the player.
public enum WebLimits {
  /// A browser opens six; a scraper and a person need a few more. Each may make the server hold a header (100 kB,
  /// libsoup's own limit) and a body.
  public static let connections = 8
  /// How many of these are reserved for clients on the board itself: its own scraper, a proxy, a person who looks for a
  /// fault.
  public static let localConnections = 2
  /// From the beginning of a connection to the end of its first header, which honest clients send in one piece; with
  /// TLS two exchanges come before it, over a slow mobile link as well.
  public static let headerSeconds = 5
  /// Equal to the limit of a request on the control socket.
  public static let bodyBytes = 4 * 1024
  /// Bytes beyond the limit that are still read and thrown away, so that the client gets to read the answer; then the
  /// connection is closed.
  public static let spilledBytes = 64 * 1024
  /// Names in a query. The server knows two.
  public static let parameters = 8
  /// Seconds that a request, its answer, and the pause before the next request may each take.
  public static let seconds = 30
  /// If all connections are taken, one that has been idle for this many seconds after its answer is closed for a new
  /// one.
  public static let idleSeconds = 2
  /// Pages that may be logged in at the same time; a new one ends the oldest.
  public static let sessions = 16
  /// Seconds without a request after which a page is logged out.
  public static let sessionSeconds = 12 * 3600
  /// A shorter token can be guessed by trying.
  public static let tokenCharacters = 16
  /// Seconds for which a picture is reused for other clients that ask for the same.
  public static let pictureSeconds = 1
}
