/// How web servers are reached.
public struct HTTPSettings: Hashable, Sendable {
  /// Who we are for a server.
  public struct Server: Hashable, Sendable {
    /// `host` or `host:port`; nobody else is sent the secret.
    public var host: String
    public var user: String?
    /// Files with one line each. A token goes before a password.
    public var passwordFile: String?
    public var tokenFile: String?

    public init(host: String, user: String? = nil, passwordFile: String? = nil, tokenFile: String? = nil) {
      self.host = host
      self.user = user
      self.passwordFile = passwordFile
      self.tokenFile = tokenFile
    }
  }

  /// A server that is silent for so long is gone.
  public var timeout: Duration = .seconds(15)
  /// Certificates (PEM) of those whose word counts, in place of the system's; nil takes the system's.
  public var certificatesFile: String?
  /// `http://host:port`; nil takes what the environment says.
  public var proxy: String?
  public var servers: [Server] = []
  public var userAgent = "vitrine"

  public init() {}
}

extension HTTPSettings {
  /// The Authorization header for an address; nil where none is due. Reads a file: blocks.
  func authorization(for address: WebAddress) -> String? {
    if let server = servers.first(where: {
      $0.host.lowercased() == address.host || $0.host.lowercased() == address.hostAndPort
    }) {
      if let token = server.tokenFile.flatMap(SecretFile.line) { return "Bearer \(token)" }
      if let user = server.user {
        return "Basic \(Base64.encoded("\(user):\(server.passwordFile.flatMap(SecretFile.line) ?? "")"))"
      }
    }
    return address.userInfo.map { "Basic \(Base64.encoded($0))" }
  }
}
