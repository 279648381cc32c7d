internal import CSoup

/// An http or https address, taken apart.
struct WebAddress: Hashable, Sendable {
  /// Without user and password, as it is sent for.
  let plain: String
  /// In lower case.
  let host: String
  let port: Int32?
  /// `user:password`, decoded.
  let userInfo: String?

  var hostAndPort: String { port.map { "\(host):\($0)" } ?? host }

  init?(_ text: String) {
    let flags = GUriFlags(
      G_URI_FLAGS_HAS_PASSWORD.rawValue | G_URI_FLAGS_ENCODED_PATH.rawValue | G_URI_FLAGS_ENCODED_QUERY.rawValue)
    guard let uri = g_uri_parse(text, flags, nil) else { return nil }
    defer { g_uri_unref(uri) }
    guard let host = g_uri_get_host(uri).map({ String(cString: $0) }), !host.isEmpty,
      let plain = g_uri_to_string_partial(
        uri, GUriHideFlags(G_URI_HIDE_USERINFO.rawValue | G_URI_HIDE_FRAGMENT.rawValue))
    else { return nil }
    defer { g_free(plain) }
    self.plain = String(cString: plain)
    self.host = host.lowercased()
    let port = g_uri_get_port(uri)
    self.port = port > 0 ? port : nil
    userInfo = g_uri_get_user(uri).map { user in
      "\(String(cString: user)):\(g_uri_get_password(uri).map { String(cString: $0) } ?? "")"
    }
  }

  /// Where a redirect from here leads; nil when it isn't an address.
  func resolve(_ location: String) -> String? {
    guard let resolved = g_uri_resolve_relative(plain, location, G_URI_FLAGS_ENCODED, nil) else { return nil }
    defer { g_free(resolved) }
    return String(cString: resolved)
  }
}
