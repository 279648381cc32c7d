internal import CGLib
internal import CSoup
internal import ContentStore
internal import MainLoop
internal import PlaybackCore

/// The connections of downloads to web servers; playback has its own, in `CElements`. Used on the loop's thread,
/// whose context libsoup uses as that thread's own.
final class HTTPSession {
  let settings: HTTPSettings
  /// The reason for which no server can be trusted: the file of certificates can't be read.
  let problem: String?
  let session: UnsafeMutablePointer<SoupSession>
  /// The target of the last redirect, and the reach of the farthest server on the way there. The store requests the
  /// target next, as it does any other address.
  var redirect: (location: String, farthest: NetworkReach?)?
  /// The reach of the servers that sent the beginnings of unfinished bodies, by the requested address.
  var reaches: [String: NetworkReach] = [:]
  /// The most entries: as many as there may be interrupted downloads. A forgotten one counts as new.
  private static let mostReaches = 1000

  init(_ settings: HTTPSettings) {
    self.settings = settings
    session = soup_session_new()
    // Ranges and lengths refer to the stored bytes, so bodies must not be decompressed.
    soup_session_remove_feature_by_type(session, soup_content_decoder_get_type())
    // Each transfer has its own stricter time-out; this one ends connections that hang while they are made.
    soup_session_set_timeout(session, guint(max(1, settings.timeout.inSeconds.rounded(.up))))
    soup_session_set_user_agent(session, settings.userAgent)
    var problem: String?
    if let file = settings.access.certificatesFile {
      var error: UnsafeMutablePointer<GError>?
      if let database = g_tls_file_database_new(file, &error) {
        // The same object: GTlsFileDatabase is an interface of the class GTlsDatabase.
        soup_session_set_tls_database(session, database)
        g_object_unref(UnsafeMutableRawPointer(database))
      } else {
        problem = GErrorText.consumeText(error) ?? "it can't be read"
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

  func recordReach(_ reach: NetworkReach, of address: String) {
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
  static func consumeText(_ error: UnsafeMutablePointer<GError>?) -> String? {
    guard let error else { return nil }
    defer { g_error_free(error) }
    return error.pointee.message.map { String(cString: $0) }
  }
}
