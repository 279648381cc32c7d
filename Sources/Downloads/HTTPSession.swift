internal import CSoup
internal import ContentStore
internal import MainLoop
internal import PlaybackCore

/// The connections of downloads to web servers. What plays has its own, in `CHTTPSource`. Confined to the thread of the loop, whose
/// context libsoup takes as that thread's own.
final class HTTPSession {
  let settings: HTTPSettings
  /// Why nothing can be trusted: the file of certificates can't be read.
  let problem: String?
  let session: UnsafeMutablePointer<SoupSession>
  /// Where the last answer sent us, and the reach of the farthest server that had a say in that. The store asks for it next, as
  /// for any other address.
  var redirect: (location: String, farthest: NetworkReach?)?
  /// From where came what has begun and hasn't ended, by the address that was asked for.
  var reaches: [String: NetworkReach] = [:]
  /// Of those as many as there may be copies that were broken off; what is forgotten counts as new.
  private static let mostReaches = 1000

  init(_ settings: HTTPSettings) {
    self.settings = settings
    session = soup_session_new()
    // Ranges and lengths count what is stored, not what is sent.
    soup_session_remove_feature_by_type(session, soup_content_decoder_get_type())
    // The watch of each transfer is closer; this one frees what hangs in connecting.
    soup_session_set_timeout(session, guint(max(1, settings.timeout.inSeconds.rounded(.up))))
    soup_session_set_user_agent(session, settings.userAgent)
    var problem: String?
    if let file = settings.access.certificatesFile {
      var error: UnsafeMutablePointer<GError>?
      if let database = g_tls_file_database_new(file, &error) {
        // An interface over the same object.
        soup_session_set_tls_database(session, database)
        g_object_unref(UnsafeMutableRawPointer(database))
      } else {
        problem = GErrorText.takeText(error) ?? "it can't be read"
      }
    }
    if let proxy = settings.access.proxy {
      let local = ["localhost", "127.0.0.0/8", "::1"]
      var ignored: [UnsafeMutablePointer<CChar>?] = local.map { g_strdup($0) } + [nil]
      defer { for text in ignored { g_free(text) } }
      if let resolver = g_simple_proxy_resolver_new(proxy, &ignored) {
        soup_session_set_proxy_resolver(session, resolver)
        g_object_unref(UnsafeMutableRawPointer(resolver))
      }
    }
    self.problem = problem
  }

  func noteReach(_ reach: NetworkReach, of address: String) {
    if reaches.count >= Self.mostReaches { reaches = [:] }
    reaches[address] = max(reaches[address] ?? reach, reach)
  }

  deinit {
    soup_session_abort(session)
    g_object_unref(session)
  }
}

enum GErrorText {
  /// Takes an error's text and frees it.
  static func takeText(_ error: UnsafeMutablePointer<GError>?) -> String? {
    guard let error else { return nil }
    defer { g_error_free(error) }
    return error.pointee.message.map { String(cString: $0) }
  }
}
