internal import CGLib
internal import CSoup
public import MainLoop
internal import PlaybackCore

/// Posts bytes to an address and reports the server's answer. Used on the loop's thread, whose context libsoup uses as
/// that thread's own.
///
/// Redirects aren't followed: the bytes are meant for the named server. At most one post is under way. Of the answer
/// only the status is used; the body isn't read.
public final class HTTPPoster {
  public enum Answer: Hashable, Sendable {
    /// The HTTP status, and `Retry-After` where the server sends it.
    case status(Int, wait: Duration?)
    /// The reason in words, and whether it is the server's certificate.
    case failed(String, isCertificate: Bool)
  }

  private let session: HTTPSession
  private let loop: EventLoop
  private let limit: Duration
  private var current: Sending?

  /// - Parameter limit: the time for one post, from its first step to the answer.
  public init(_ settings: HTTPSettings, limit: Duration, on loop: EventLoop) {
    self.loop = loop
    self.limit = limit
    session = HTTPSession(settings)
  }

  /// Posts the bytes. `done` is called once, later, unless `cancel` comes first. A post that is under way is abandoned.
  ///
  /// - Parameter token: sent as a bearer token, where there is one.
  public func send(
    _ body: [UInt8], type: String, to address: String, token: String?, then done: @escaping (Answer) -> Void
  ) {
    cancel()
    if let problem = session.problem { return fail(problem, isCertificate: true, done) }
    guard let address = WebAddress(address), let message = soup_message_new("POST", address.plain),
      let cancellable = g_cancellable_new()
    else { return fail("it isn't an address that can be asked", isCertificate: false, done) }
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
    let headers = soup_message_get_request_headers(message)
    if let token { soup_message_headers_replace(headers, "Authorization", "Bearer \(token)") }
    body.withUnsafeBytes { bytes in
      let copy = g_bytes_new(bytes.baseAddress, gsize(bytes.count))
      soup_message_set_request_body_from_bytes(message, type, copy)
      g_bytes_unref(copy)
    }
    let sending = Sending(message, cancellable, session, done)
    current = sending
    sending.limit = loop.after(limit) { [weak self, weak sending] in
      guard let sending else { return }
      self?.current = nil
      sending.giveUp(telling: .failed("there was no answer in time", isCertificate: false))
    }
    sending.start()
  }

  /// Abandons the post that is under way; its `done` isn't called.
  public func cancel() {
    current?.giveUp(telling: nil)
    current = nil
  }

  deinit { current?.giveUp(telling: nil) }

  private func fail(_ reason: String, isCertificate: Bool, _ done: @escaping (Answer) -> Void) {
    let timer = loop.after(.zero) { done(.failed(reason, isCertificate: isCertificate)) }
    failing = timer
  }
  private var failing: EventSource?
}

/// A post that is under way; libsoup keeps it alive until it has ended.
private final class Sending {
  private let message: OpaquePointer
  private let cancellable: UnsafeMutablePointer<GCancellable>
  private let session: HTTPSession
  private var done: ((HTTPPoster.Answer) -> Void)?
  var limit: EventSource?

  init(
    _ message: OpaquePointer, _ cancellable: UnsafeMutablePointer<GCancellable>, _ session: HTTPSession,
    _ done: @escaping (HTTPPoster.Answer) -> Void
  ) {
    self.message = message
    self.cancellable = cancellable
    self.session = session
    self.done = done
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(message))
    g_object_unref(cancellable)
  }

  func start() {
    soup_session_send_async(
      session.session, message, G_PRIORITY_LOW, cancellable,
      { _, result, data in
        guard let data, let result else { return }
        Unmanaged<Sending>.fromOpaque(data).takeRetainedValue().answered(result)
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func giveUp(telling answer: HTTPPoster.Answer?) {
    limit = nil
    let done = done
    self.done = nil
    g_cancellable_cancel(cancellable)
    if let answer { done?(answer) }
  }

  private func answered(_ result: OpaquePointer) {
    var error: UnsafeMutablePointer<GError>?
    let stream = soup_session_send_finish(session.session, result, &error)
    // The body is released unread; libsoup closes the connection where the body isn't over.
    if let stream { g_object_unref(stream) }
    let isCertificate = error.map { $0.pointee.domain == g_tls_error_quark() } ?? false
    let text = GErrorText.consumeText(error)
    guard let done else { return }
    limit = nil
    self.done = nil
    guard stream != nil else { return done(.failed(text ?? "it failed", isCertificate: isCertificate)) }
    let wait = soup_message_headers_get_one(soup_message_get_response_headers(message), "Retry-After")
      .flatMap { Int64(String(cString: $0)) }.map { Duration.seconds(min(max(0, $0), 1 << 32)) }
    done(.status(Int(soup_message_get_status(message).rawValue), wait: wait))
  }
}
