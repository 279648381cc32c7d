internal import CGLib
internal import CSoup
internal import ContentStore
internal import MainLoop
internal import PlaybackCore

/// One request and its body, which is read piece by piece on demand. Used on the loop's thread.
///
/// At most one operation of libsoup is under way, and it keeps this object alive until it has ended. After `cancel` no
/// event follows.
final class HTTPTransfer {
  enum Event {
    case head(ResponseHead)
    /// A piece of the body, never empty.
    case piece([UInt8])
    case end
    case failed(StoreFailure)
  }

  /// Bytes of a piece: large enough that the loop's overhead doesn't matter, small enough for an even limit of the
  /// bandwidth.
  private static let pieceBytes: gsize = 64 * 1024

  private let session: HTTPSession
  private let loop: EventLoop
  private let address: WebAddress
  private let message: OpaquePointer
  private let cancellable: UnsafeMutablePointer<GCancellable>
  private var stream: UnsafeMutablePointer<GInputStream>?
  private var watch: EventSource?
  private var handler: ((Event) -> Void)?
  /// The reach of the farthest server that was connected to or that redirected here; nil before the first.
  private var farthest: NetworkReach?
  /// The reach of the server that sent the beginning of this file: the rest isn't taken from a nearer one.
  private let begun: NetworkReach?
  private var refusal: RedirectPolicy.Refusal?

  /// Fails when the address can't be requested.
  ///
  /// - Parameter authorization: the header, where one is needed.
  init?(
    _ request: StoreRequest, authorization: String?, in session: HTTPSession, on loop: EventLoop,
    _ handler: @escaping (Event) -> Void
  ) {
    guard let address = WebAddress(request.uri), let message = soup_message_new("GET", address.plain),
      let cancellable = g_cancellable_new()
    else { return nil }
    self.session = session
    self.loop = loop
    self.address = address
    self.message = message
    self.cancellable = cancellable
    self.handler = handler
    if let redirect = session.redirect, redirect.location == request.uri { farthest = redirect.farthest }
    session.redirect = nil
    begun = request.from == nil ? nil : session.reaches[address.plain]
    // The store follows redirects itself: it counts them, and checks their targets.
    soup_message_add_flags(message, SOUP_MESSAGE_NO_REDIRECT)
    let headers = soup_message_get_request_headers(message)
    var lines = [("Accept-Encoding", "identity")]
    if let authorization { lines.append(("Authorization", authorization)) }
    if let from = request.from { lines.append(("Range", "bytes=\(from)-")) }
    if let version = request.onlyOf { lines.append(("If-Range", version)) }
    if let etag = request.unlessETag { lines.append(("If-None-Match", etag)) }
    if let since = request.unlessSince { lines.append(("If-Modified-Since", since)) }
    for (name, value) in lines { soup_message_headers_replace(headers, name, value) }
  }

  deinit {
    ConnectionWatch.end(message, self)
    if let stream { g_object_unref(stream) }
    g_object_unref(UnsafeMutableRawPointer(message))
    g_object_unref(cancellable)
  }

  /// Sends the request. `head` follows, or `failed`.
  func start() {
    guard session.problem == nil else { return emit(.failed(.certificate(session.problem ?? ""))) }
    watchForSilence()
    ConnectionWatch.begin(message, self)
    soup_session_send_async(
      session.session, message, G_PRIORITY_LOW, cancellable,
      { _, result, data in
        guard let data, let result else { return }
        Unmanaged<HTTPTransfer>.fromOpaque(data).takeRetainedValue().answered(result)
      }, Unmanaged.passRetained(self).toOpaque())
  }

  /// Reads the next piece. `piece` follows, or `end`, or `failed`.
  func readOn() {
    guard let stream, handler != nil else { return }
    watchForSilence()
    g_input_stream_read_bytes_async(
      stream, Self.pieceBytes, G_PRIORITY_LOW, cancellable,
      { _, result, data in
        guard let data, let result else { return }
        Unmanaged<HTTPTransfer>.fromOpaque(data).takeRetainedValue().didRead(result)
      }, Unmanaged.passRetained(self).toOpaque())
  }

  func cancel() {
    handler = nil
    watch = nil
    g_cancellable_cancel(cancellable)
  }

  private func watchForSilence() {
    watch = loop.after(session.settings.timeout) { [weak self] in
      self?.emit(.failed(.silent))
      self?.cancel()
    }
  }

  private func emit(_ event: Event) { handler?(event) }

  // MARK: Callbacks of libsoup

  private func answered(_ result: OpaquePointer) {
    watch = nil
    var error: UnsafeMutablePointer<GError>?
    stream = soup_session_send_finish(session.session, result, &error)
    guard handler != nil, stream != nil else { return failed(error) }
    let head = head
    if let location = head.location { session.redirect = (location, farthest) }
    emit(.head(head))
  }

  private func didRead(_ result: OpaquePointer) {
    watch = nil
    var error: UnsafeMutablePointer<GError>?
    guard let bytes = g_input_stream_read_bytes_finish(stream, result, &error) else { return failed(error) }
    defer { g_bytes_unref(bytes) }
    var count: gsize = 0
    guard let data = g_bytes_get_data(bytes, &count), count > 0 else {
      session.reaches[address.plain] = nil
      return emit(.end)
    }
    emit(.piece(Array(UnsafeRawBufferPointer(start: data, count: Int(count)))))
  }

  private func failed(_ error: UnsafeMutablePointer<GError>?) {
    guard let error else { return }
    guard refusal == nil else {
      g_error_free(error)
      return emit(.failed(.unsafeRedirect))
    }
    let isCertificate = error.pointee.domain == g_tls_error_quark()
    let isSilence =
      error.pointee.domain == g_io_error_quark() && error.pointee.code == Int32(G_IO_ERROR_TIMED_OUT.rawValue)
    let isEarly = isCertificate && isClockInDoubt
    let text = GErrorText.consumeText(error) ?? ""
    emit(
      .failed(
        isEarly ? .clockNotSet(text) : isCertificate ? .certificate(text) : isSilence ? .silent : .connection(text)))
  }

  private var isClockInDoubt: Bool {
    let problems = soup_message_get_tls_peer_certificate_errors(message).rawValue
    return ClockDoubt.explains(
      isNotYetValid: problems & G_TLS_CERTIFICATE_NOT_ACTIVATED.rawValue != 0,
      isSynchronised: SystemClock.isSynchronised)
  }

  /// Abandons the request before any byte is sent, if its connection leads to an address that it may not.
  ///
  /// - Parameter isIt: the request will use this connection; otherwise the connection is only being tried.
  fileprivate func checkConnection(to address: UnsafeMutablePointer<GSocketAddress>?, isIt: Bool) {
    guard let reach = ConnectionWatch.reach(of: address, for: self.address.origin) else { return }
    let bound = [farthest, begun].compactMap(\.self).max()
    if let bound, let refusal = session.settings.access.redirects.refusal(from: bound, to: reach) {
      self.refusal = refusal
      g_cancellable_cancel(cancellable)
    } else if isIt {
      session.recordReach(reach, of: self.address.plain)
      farthest = max(farthest ?? reach, reach)
    }
  }

  private var head: ResponseHead {
    let headers = soup_message_get_response_headers(message)
    func header(_ name: String) -> String? {
      soup_message_headers_get_one(headers, name).map { String(cString: $0) }
    }
    let encoding = soup_message_headers_get_encoding(headers)
    // HTTP/2 marks the end of each body.
    let hasEnd = encoding != SOUP_ENCODING_EOF || soup_message_get_http_version(message) == SOUP_HTTP_2_0
    let length = encoding == SOUP_ENCODING_CONTENT_LENGTH ? soup_message_headers_get_content_length(headers) : nil
    return ResponseHead(
      status: Int(soup_message_get_status(message).rawValue), contentLength: length.map(Int64.init), hasEnd: hasEnd,
      contentRange: header("Content-Range"), contentType: header("Content-Type"),
      contentEncoding: header("Content-Encoding"), etag: header("ETag"), lastModified: header("Last-Modified"),
      retryAfter: header("Retry-After").flatMap(Self.wait), location: header("Location").flatMap(address.resolve),
      reach: farthest)
  }

  /// Reads a Retry-After header: `120`, or a date.
  private static func wait(_ header: String) -> Duration? {
    if let seconds = Int64(header) { return seconds >= 0 ? .seconds(min(seconds, 1 << 32)) : nil }
    guard let date = soup_date_time_new_from_http_string(header) else { return nil }
    defer { g_date_time_unref(date) }
    return .seconds(max(0, g_date_time_to_unix(date) - g_get_real_time() / 1_000_000))
  }
}

/// Watches libsoup's connections for a request while they are made.
private enum ConnectionWatch {
  private typealias Connecting = @convention(c) (gpointer?, GSocketClientEvent, gpointer?, gpointer?) -> Void
  private typealias Starting = @convention(c) (gpointer?, gpointer?) -> Void

  static func begin(_ message: OpaquePointer, _ transfer: HTTPTransfer) {
    let data = Unmanaged.passUnretained(transfer).toOpaque()
    let connecting: Connecting = { _, event, stream, data in ConnectionWatch.tries(event, stream, data) }
    let starting: Starting = { message, data in ConnectionWatch.starts(message, data) }
    connect(message, "network-event", unsafeBitCast(connecting, to: GCallback.self), data)
    connect(message, "starting", unsafeBitCast(starting, to: GCallback.self), data)
  }

  /// libsoup is about to try one of the addresses of a name.
  private static func tries(_ event: GSocketClientEvent, _ stream: gpointer?, _ data: gpointer?) {
    guard event == G_SOCKET_CLIENT_CONNECTING, let stream, let data, isA(stream, g_socket_connection_get_type()),
      let address = g_socket_connection_get_remote_address(stream.assumingMemoryBound(to: GSocketConnection.self), nil)
    else { return }
    Unmanaged<HTTPTransfer>.fromOpaque(data).takeUnretainedValue().checkConnection(to: address, isIt: false)
    g_object_unref(address)
  }

  /// libsoup is about to send the first byte; the connection may be an older one.
  private static func starts(_ message: gpointer?, _ data: gpointer?) {
    guard let message, let data else { return }
    let address = soup_message_get_remote_address(OpaquePointer(message))
    Unmanaged<HTTPTransfer>.fromOpaque(data).takeUnretainedValue().checkConnection(to: address, isIt: true)
  }

  /// Disconnects the signals: libsoup may keep the message for longer than its transfer lives.
  static func end(_ message: OpaquePointer, _ transfer: HTTPTransfer) {
    g_signal_handlers_disconnect_matched(
      UnsafeMutableRawPointer(message), G_SIGNAL_MATCH_DATA, 0, 0, nil, nil,
      Unmanaged.passUnretained(transfer).toOpaque())
  }

  private static func connect(_ message: OpaquePointer, _ name: String, _ callback: GCallback, _ data: gpointer) {
    g_signal_connect_data(UnsafeMutableRawPointer(message), name, callback, data, nil, GConnectFlags(rawValue: 0))
  }

  private static func isA(_ object: UnsafeMutableRawPointer, _ type: GType) -> Bool {
    g_type_check_instance_is_a(object.assumingMemoryBound(to: GTypeInstance.self), type) != 0
  }

  /// The reach of a connection's other end; behind a proxy only the server's name is known.
  static func reach(of address: UnsafeMutablePointer<GSocketAddress>?, for origin: WebOrigin) -> NetworkReach? {
    guard let address else { return nil }
    let raw = UnsafeMutableRawPointer(address)
    if isA(raw, g_proxy_address_get_type()) {
      return NetworkReach(host: origin.host, in: SystemNetworks.current) ?? .everywhere
    }
    guard isA(raw, g_inet_socket_address_get_type()),
      let internet = g_inet_socket_address_get_address(raw.assumingMemoryBound(to: GInetSocketAddress.self)),
      let bytes = g_inet_address_to_bytes(internet)
    else { return nil }
    let count = Int(g_inet_address_get_native_size(internet))
    return NetworkReach(address: Array(UnsafeBufferPointer(start: bytes, count: count)), in: SystemNetworks.current)
  }
}
