internal import CSoup
internal import PlaybackCore

/// An http or https address, split into its parts.
struct WebAddress: Hashable, Sendable {
  /// The address without user and password, as it is requested.
  let plain: String
  let origin: WebOrigin
  /// `user:password`, decoded.
  let userInfo: String?

  init?(_ text: String) {
    let flags = GUriFlags(
      G_URI_FLAGS_HAS_PASSWORD.rawValue | G_URI_FLAGS_ENCODED_PATH.rawValue | G_URI_FLAGS_ENCODED_QUERY.rawValue)
    guard let uri = g_uri_parse(text, flags, nil) else { return nil }
    defer { g_uri_unref(uri) }
    guard let host = g_uri_get_host(uri), let scheme = g_uri_get_scheme(uri),
      let origin = WebOrigin(
        scheme: String(cString: scheme), host: String(cString: host), port: Int(g_uri_get_port(uri))),
      let plain = g_uri_to_string_partial(
        uri, GUriHideFlags(G_URI_HIDE_USERINFO.rawValue | G_URI_HIDE_FRAGMENT.rawValue))
    else { return nil }
    defer { g_free(plain) }
    self.plain = String(cString: plain)
    self.origin = origin
    userInfo = g_uri_get_user(uri).map { user in
      "\(String(cString: user)):\(g_uri_get_password(uri).map { String(cString: $0) } ?? "")"
    }
  }

  /// The target of a redirect from this address; nil when it isn't an address. User and password are kept where the
  /// target is on the same server, and dropped otherwise: `RedirectPolicy.userInfo`.
  func resolve(_ location: String) -> String? {
    guard let resolved = g_uri_resolve_relative(plain, location, G_URI_FLAGS_ENCODED, nil) else { return nil }
    defer { g_free(resolved) }
    // The store refuses addresses that aren't of the web.
    guard let target = WebAddress(String(cString: resolved)) else { return String(cString: resolved) }
    let userInfo = RedirectPolicy().userInfo(userInfo, of: origin, for: target.origin)
    guard let userInfo, let scheme = target.plain.firstIndex(of: "/") else { return target.plain }
    let place = target.plain.index(scheme, offsetBy: 2)
    return target.plain[..<place] + Self.encoded(userInfo) + "@" + target.plain[place...]
  }

  /// `user:password` with all characters encoded that aren't letters or digits.
  private static func encoded(_ userInfo: String) -> String {
    let parts = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map { part -> String in
      guard let text = g_uri_escape_string(String(part), nil, 0) else { return "" }
      defer { g_free(text) }
      return String(cString: text)
    }
    return parts.joined(separator: ":")
  }
}
