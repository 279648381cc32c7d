/// The unit of trust among web servers: scheme, host and port together. Another port of the same machine is another
/// server. Without TLS the same host counts as a different server, because anyone on the way may answer.
public struct WebOrigin: Hashable, Sendable, Codable {
  public enum Scheme: String, Hashable, Sendable, Codable, CaseIterable {
    case https
    case http

    /// The port of addresses that name none.
    public var usualPort: Int { self == .https ? 443 : 80 }
  }

  public let scheme: Scheme
  /// In lower case, without brackets and without a final dot.
  public let host: String
  /// 1...65535.
  public let port: Int

  /// - Parameters:
  ///   - scheme: in any case.
  ///   - host: a name or an address; an IPv6 address with or without brackets.
  ///   - port: nil, or anything below 1, is the scheme's usual one.
  /// - Returns: nil where the parts don't name a web server.
  public init?(scheme: String, host: String, port: Int? = nil) {
    guard let scheme = Scheme(rawValue: scheme.lowercased()) else { return nil }
    self.init(scheme, host: host, port: port)
  }

  public init?(_ scheme: Scheme, host: String, port: Int? = nil) {
    var host = host.lowercased()[...]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    if host.hasSuffix(".") { host = host.dropLast() }
    let port = port.flatMap { $0 > 0 ? $0 : nil } ?? scheme.usualPort
    guard !host.isEmpty, port <= 65_535 else { return nil }
    self.scheme = scheme
    self.host = String(host)
    self.port = port
  }

  /// - Parameter server: `host` or `host:port`, as in an address.
  public init?(_ scheme: Scheme, server: String) {
    // Colons within brackets belong to an IPv6 address.
    let afterHost = server.lastIndex(of: "]").map { server.index(after: $0) } ?? server.startIndex
    guard let colon = server[afterHost...].lastIndex(of: ":") else {
      self.init(scheme, host: server)
      return
    }
    guard let port = Int(server[server.index(after: colon)...]), port > 0 else { return nil }
    self.init(scheme, host: String(server[..<colon]), port: port)
  }

  /// - Parameter address: an absolute http or https address; user and password in it are ignored.
  public init?(address: String) {
    guard let colon = address.firstIndex(of: ":"), let scheme = Scheme(rawValue: address[..<colon].lowercased()) else {
      return nil
    }
    let rest = address[address.index(after: colon)...]
    guard rest.hasPrefix("//") else { return nil }
    let authority = rest.dropFirst(2).prefix { !"/?#\\".contains($0) }
    let server = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    self.init(scheme, server: server.hasSuffix(":") ? String(server.dropLast()) : String(server))
  }
}

extension WebOrigin: CustomStringConvertible {
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme.rawValue)://\(name)" + (port == scheme.usualPort ? "" : ":\(port)")
  }
}
