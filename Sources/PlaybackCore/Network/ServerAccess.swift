/// How web servers are reached, and how the player authenticates to them: for copies and for what plays straight from
/// the network.
public struct ServerAccess: Hashable, Sendable, Codable {
  /// The player's credentials for one server.
  public struct Account: Hashable, Sendable, Codable {
    /// The only server that is sent the secret: no other port of the same host, and no connection without TLS unless
    /// the origin's scheme is http.
    public var origin: WebOrigin
    public var user: String?
    /// Files with one line each. A token takes precedence over a password.
    public var passwordFile: String?
    public var tokenFile: String?

    public init(_ origin: WebOrigin, user: String? = nil, passwordFile: String? = nil, tokenFile: String? = nil) {
      self.origin = origin
      self.user = user
      self.passwordFile = passwordFile
      self.tokenFile = tokenFile
    }
  }

  /// Certificates (PEM) of the trusted authorities, in place of the system's; nil takes the system's.
  public var certificatesFile: String?
  /// `http://host:port`; nil takes the environment's proxy.
  public var proxy: String?
  public var accounts: [Account] = []
  /// The addresses that servers may redirect to.
  public var redirects = RedirectPolicy()

  public init() {}

  /// The Authorization header for a server; nil where none is due.
  ///
  /// - Parameters:
  ///   - userInfo: the address's own `user:password`.
  ///   - line: reads the first line of a file.
  public func authorization(for origin: WebOrigin, userInfo: String?, line: (String) -> String?) -> String? {
    if let account = accounts.first(where: { $0.origin == origin }) {
      if let token = account.tokenFile.flatMap(line) { return "Bearer \(token)" }
      if let user = account.user {
        return "Basic \(Self.base64(Array("\(user):\(account.passwordFile.flatMap(line) ?? "")".utf8)))"
      }
    }
    return userInfo.map { "Basic \(Self.base64(Array($0.utf8)))" }
  }

  /// Base64 of RFC 4648, with padding.
  static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      // Three bytes are four letters; missing bytes count as zeros, and their letters are padding.
      let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | (start + $1 < group.endIndex ? UInt32(bytes[start + $1]) : 0) }
      for letter in 0..<4 {
        text.append(letter <= group.count ? alphabet[Int(bits >> (18 - 6 * UInt32(letter)) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
