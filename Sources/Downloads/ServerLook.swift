internal import CSoup
public import PlaybackCore

/// Tests the way to a server, up to a trusted connection and without a request: its name, its port, its certificate.
public enum ServerLook {
  public enum Outcome: Hashable, Sendable {
    case reached
    case nameUnknown(String)
    case refused(String)
    case untrusted(String)
    /// The server's certificate isn't valid yet, or no longer.
    case wrongTime(String)
  }

  /// Blocks for up to the limit, and for as long as the system takes to look up the name: don't call it on the loop.
  ///
  /// - Parameters:
  ///   - certificatesFile: authorities that are trusted instead of the system's.
  ///   - limit: in whole seconds, for the connection.
  public static func connect(to origin: WebOrigin, certificatesFile: String?, limit: Duration) -> Outcome {
    var error: UnsafeMutablePointer<GError>?
    let resolver = g_resolver_get_default()
    defer { g_object_unref(resolver) }
    guard let addresses = g_resolver_lookup_by_name(resolver, origin.host, nil, &error) else {
      return .nameUnknown(GErrorText.consumeText(error) ?? "no name server knows it")
    }
    g_resolver_free_addresses(addresses)
    guard let client = g_socket_client_new() else { return .refused("no memory") }
    defer { g_object_unref(client) }
    g_socket_client_set_timeout(client, guint(max(1, limit.components.seconds)))
    // A proxy is tested separately.
    g_socket_client_set_enable_proxy(client, 0)
    guard let connection = g_socket_client_connect_to_host(client, origin.host, guint16(origin.port), nil, &error)
    else {
      return .refused(GErrorText.consumeText(error) ?? "it can't be connected to")
    }
    defer { g_object_unref(connection) }
    guard origin.scheme == .https else { return .reached }
    return shakeHands(over: UnsafeMutableRawPointer(connection), origin, certificatesFile)
  }

  private static func shakeHands(
    over connection: UnsafeMutableRawPointer, _ origin: WebOrigin, _ certificatesFile: String?
  ) -> Outcome {
    var error: UnsafeMutablePointer<GError>?
    guard let name = g_network_address_new(origin.host, guint16(origin.port)) else { return .untrusted("no memory") }
    defer { g_object_unref(UnsafeMutableRawPointer(name)) }
    guard
      let stream = g_tls_client_connection_new(connection.assumingMemoryBound(to: GIOStream.self), name, &error)
    else { return .untrusted(GErrorText.consumeText(error) ?? "there is no TLS here (glib-networking)") }
    let raw = UnsafeMutableRawPointer(stream)
    defer { g_object_unref(raw) }
    let secured = raw.assumingMemoryBound(to: GTlsConnection.self)
    if let certificatesFile {
      guard let database = g_tls_file_database_new(certificatesFile, &error) else {
        return .untrusted(GErrorText.consumeText(error) ?? "\(certificatesFile) can't be read")
      }
      g_tls_connection_set_database(secured, database)
      g_object_unref(UnsafeMutableRawPointer(database))
    }
    if g_tls_connection_handshake(secured, nil, &error) != 0 { return .reached }
    let words = GErrorText.consumeText(error) ?? "the handshake failed"
    let flags = g_tls_connection_get_peer_certificate_errors(secured).rawValue
    // The date counts as the fault only where the certificate has no other.
    let ofTime = G_TLS_CERTIFICATE_NOT_ACTIVATED.rawValue | G_TLS_CERTIFICATE_EXPIRED.rawValue
    if flags != 0, flags & ~ofTime == 0 {
      return .wrongTime(flags & G_TLS_CERTIFICATE_EXPIRED.rawValue != 0 ? "it has expired" : "it isn't valid yet")
    }
    return .untrusted(
      flags & G_TLS_CERTIFICATE_UNKNOWN_CA.rawValue != 0 ? "no authority that this board trusts has signed it" : words)
  }
}
