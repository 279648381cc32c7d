internal import CSoup
public import MainLoop
public import PlaybackCore
internal import TelemetryCore

/// An HTTP server: libsoup's, behind this class's own listening socket, which counts connections and closes those that
/// take too long. Confined to the loop's thread; nothing here waits.
public final class WebServer {
  /// Connections that wait to be accepted: those of one turn of the loop.
  private static let backlog: gint = 32
  /// How many of those are accepted in a turn.
  private static let acceptsPerTurn = 8
  /// The time between two checks of the certificate's files.
  public static let certificateInterval: Duration = .seconds(60)

  private let loop: EventLoop
  private let server: UnsafeMutablePointer<SoupServer>
  private var certificate: UnsafeMutablePointer<GTlsCertificate>?
  private let files: (file: String, key: String)?
  /// The reason why a renewed certificate can't be used.
  private var certificateProblem: VitrineError?
  private var renewer: EventSource?
  private let socket: UnsafeMutablePointer<GSocket>
  private var listening: EventSource?
  private var ticker: EventSource?
  private var connections: [Connection] = []
  private var places = WebPlaces()
  private var exchanges: [OpaquePointer: WebExchange] = [:]
  private let onRequest: (WebExchange) -> Void
  private let onProblem: (VitrineError) -> Void

  /// - Throws: 7700 when it can't listen there, 7702 when there is no certificate.
  public init(
    at address: ListenAddress, certificate: (file: String, key: String)?, on loop: EventLoop,
    renewal: Duration = WebServer.certificateInterval, onProblem: @escaping (VitrineError) -> Void = { _ in },
    onRequest: @escaping (WebExchange) -> Void
  ) throws(VitrineError) {
    self.loop = loop
    self.onRequest = onRequest
    self.onProblem = onProblem
    files = certificate
    self.certificate = try certificate.map { paths throws(VitrineError) in try Self.certificate(paths) }
    do throws(VitrineError) {
      socket = try Self.listen(at: address)
    } catch {
      if let certificate = self.certificate { g_object_unref(UnsafeMutableRawPointer(certificate)) }
      throw error
    }
    guard let object = g_object_new_with_properties(soup_server_get_type(), 0, nil, nil) else {
      g_object_unref(UnsafeMutableRawPointer(socket))
      if let certificate = self.certificate { g_object_unref(UnsafeMutableRawPointer(certificate)) }
      throw WebErrors.cannotListen(address, "libsoup has no server")
    }
    server = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SoupServer.self)
    connect()
    listenAgain()
    if certificate != nil { renewer = loop.every(renewal) { [weak self] in self?.renewCertificate() } }
  }

  deinit {
    listening = nil
    ticker = nil
    renewer = nil
    // Requests that wait for their answers won't get one.
    for exchange in exchanges.values { exchange.isDone() }
    for handler in handlers { g_signal_handler_disconnect(server, handler) }
    soup_server_remove_handler(server, nil)
    for connection in connections { connection.end() }
    soup_server_disconnect(server)
    g_object_unref(server)
    g_socket_close(socket, nil)
    g_object_unref(UnsafeMutableRawPointer(socket))
    if let certificate { g_object_unref(UnsafeMutableRawPointer(certificate)) }
  }

  public var connectionCount: Int { connections.count }

  // MARK: Connections

  private static func certificate(
    _ paths: (file: String, key: String)
  ) throws(VitrineError) -> UnsafeMutablePointer<GTlsCertificate> {
    var error: UnsafeMutablePointer<GError>?
    guard let certificate = g_tls_certificate_new_from_files(paths.file, paths.key, &error) else {
      throw WebErrors.noCertificate(paths.file, Self.words(error) ?? "it can't be read")
    }
    return certificate
  }

  private static func listen(at address: ListenAddress) throws(VitrineError) -> UnsafeMutablePointer<GSocket> {
    var error: UnsafeMutablePointer<GError>?
    guard let place = g_inet_socket_address_new_from_string(address.host, guint(address.port)) else {
      throw WebErrors.cannotListen(address, "that is no address")
    }
    defer { g_object_unref(UnsafeMutableRawPointer(place)) }
    guard
      let socket = g_socket_new(
        g_socket_address_get_family(place), G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error)
    else { throw WebErrors.cannotListen(address, words(error) ?? "there is no socket") }
    g_socket_set_blocking(socket, 0)
    g_socket_set_listen_backlog(socket, backlog)
    guard g_socket_bind(socket, place, 1, &error) != 0, g_socket_listen(socket, &error) != 0 else {
      g_object_unref(UnsafeMutableRawPointer(socket))
      throw WebErrors.cannotListen(address, words(error) ?? "it can't be bound")
    }
    return socket
  }

  private func listenAgain() {
    guard listening == nil else { return }
    listening = loop.watch(fileDescriptor: g_socket_get_fd(socket), for: .readable) { [weak self] _ in self?.accept() }
  }

  private func accept() {
    for _ in 0..<Self.acceptsPerTurn {
      var error: UnsafeMutablePointer<GError>?
      guard let accepted = g_socket_accept(socket, nil, &error) else {
        let isEmpty = error.map { g_error_matches($0, g_io_error_quark(), gint(G_IO_ERROR_WOULD_BLOCK.rawValue)) != 0 }
        if let error { g_error_free(error) }
        // The system has no descriptor left. Accepting again at once would keep the loop busy with nothing else.
        if isEmpty != true {
          listening = nil
          startTicker()
        }
        return
      }
      admit(accepted)
      g_object_unref(UnsafeMutableRawPointer(accepted))
    }
  }

  private func admit(_ accepted: UnsafeMutablePointer<GSocket>) {
    drop()
    guard let connection = Connection(accepted),
      case .admitted(let place, let instead) = places.admit(connection.address, at: .now)
    else {
      g_socket_close(accepted, nil)
      return
    }
    connection.place = place
    if let instead { end(instead) }
    guard let stream = stream(on: accepted) else {
      places.leave(place)
      g_socket_close(accepted, nil)
      return
    }
    defer { g_object_unref(UnsafeMutableRawPointer(stream)) }
    // libsoup reads what has arrived before it returns: the connection of these bytes has to be known.
    connections.append(connection)
    guard soup_server_accept_iostream(server, stream, connection.local, connection.remote, nil) != 0 else {
      connections.removeAll { $0 === connection }
      return places.leave(place)
    }
    startTicker()
  }

  private func stream(on accepted: UnsafeMutablePointer<GSocket>) -> UnsafeMutablePointer<GIOStream>? {
    guard let plain = g_socket_connection_factory_create_connection(accepted) else { return nil }
    let stream = UnsafeMutableRawPointer(plain).assumingMemoryBound(to: GIOStream.self)
    guard let certificate else { return stream }
    defer { g_object_unref(UnsafeMutableRawPointer(plain)) }
    guard let secure = g_tls_server_connection_new(stream, certificate, nil) else { return nil }
    return secure
  }

  /// Drops connections that have closed.
  private func drop() {
    for connection in connections where connection.isClosed { places.leave(connection.place) }
    connections.removeAll { $0.isClosed }
  }

  private func end(_ place: UInt64) {
    places.leave(place)
    guard let index = connections.firstIndex(where: { $0.place == place }) else { return }
    connections.remove(at: index).end()
  }

  /// Runs only while there are connections, or none can be accepted: a server without clients must not wake the board.
  private func startTicker() {
    guard ticker == nil else { return }
    ticker = loop.every(.seconds(1)) { [weak self] in self?.tick() }
  }

  private func tick() {
    drop()
    for place in places.expired(at: .now) { end(place) }
    listenAgain()
    if connections.isEmpty { ticker = nil }
  }

  /// Reads the certificate again: it is renewed every few weeks, without a reload of the player.
  private func renewCertificate() {
    guard let files else { return }
    do throws(VitrineError) {
      let new = try Self.certificate(files)
      if let certificate { g_object_unref(UnsafeMutableRawPointer(certificate)) }
      certificate = new
      certificateProblem = nil
    } catch {
      // The old certificate may be valid for a while yet.
      if certificateProblem != error { onProblem(error) }
      certificateProblem = error
    }
  }

  // MARK: Requests

  private var handlers: [gulong] = []

  private func connect() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    soup_server_add_early_handler(
      server, nil,
      { _, message, _, _, data in
        guard let message, let data else { return }
        Unmanaged<WebServer>.fromOpaque(data).takeUnretainedValue().began(message)
      }, me, nil)
    soup_server_add_handler(
      server, nil,
      { _, message, _, _, data in
        guard let message, let data else { return }
        Unmanaged<WebServer>.fromOpaque(data).takeUnretainedValue().came(message)
      }, me, nil)
    let ended: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
      _, message, data in
      guard let message, let data else { return }
      Unmanaged<WebServer>.fromOpaque(data).takeUnretainedValue().ended(message)
    }
    for signal in ["request-finished", "request-aborted"] {
      handlers.append(
        g_signal_connect_data(
          server, signal, unsafeBitCast(ended, to: GCallback.self), me, nil, GConnectFlags(rawValue: 0)))
    }
  }

  private func connection(of message: OpaquePointer) -> Connection? {
    let remote = soup_server_message_get_remote_address(message)
    return connections.first { $0.remote == remote }
  }

  /// Its header is there.
  private func began(_ message: OpaquePointer) {
    if let connection = connection(of: message) { places.headerCame(connection.place, at: .now) }
    exchanges[message] = WebExchange(message)
    // libsoup would answer with those parts, put together in its memory; nothing here is asked for in parts.
    soup_message_headers_remove(soup_server_message_get_request_headers(message), "Range")
    // Each piece is counted as it comes; otherwise libsoup would keep the whole body.
    soup_message_body_set_accumulate(soup_server_message_get_request_body(message), 0)
    let chunk: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
      message, chunk, data in
      guard let message, let chunk, let data else { return }
      Unmanaged<WebServer>.fromOpaque(data).takeUnretainedValue().took(chunk, of: message)
    }
    g_signal_connect_data(
      UnsafeMutableRawPointer(message), "got-chunk", unsafeBitCast(chunk, to: GCallback.self),
      Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(rawValue: 0))
  }

  private func took(_ chunk: OpaquePointer, of message: OpaquePointer) {
    guard let exchange = exchanges[message], !exchange.appendChunk(chunk) else { return }
    connection(of: message)?.end()
  }

  /// The whole request has arrived.
  private func came(_ message: OpaquePointer) {
    guard let exchange = exchanges[message] else {
      soup_server_message_set_status(message, 500, nil)
      return
    }
    exchange.isComplete()
    // Only now: a client that sends half a request can be closed for others, like one that sends nothing.
    if let connection = connection(of: message) { places.requestCame(connection.place, at: .now) }
    onRequest(exchange)
    exchange.wait()
  }

  private func ended(_ message: OpaquePointer) {
    exchanges.removeValue(forKey: message)?.isDone()
    let connection = connection(of: message)
    if let connection { places.answered(connection.place, at: .now) }
    // libsoup is about to close the connection. With TLS it would say goodbye first, and wait on the loop for a client
    // that has left.
    if certificate != nil, let connection, !connection.takesMore { connection.end() }
  }

  private static func words(_ error: UnsafeMutablePointer<GError>?) -> String? {
    guard let error else { return nil }
    defer { g_error_free(error) }
    return error.pointee.message.map { String(cString: $0) }
  }
}

/// A connection that libsoup serves. Confined to the loop's thread.
private final class Connection {
  private let socket: UnsafeMutablePointer<GSocket>
  /// An object that only this connection has: it finds the connection of a request.
  let remote: UnsafeMutablePointer<GSocketAddress>
  let local: UnsafeMutablePointer<GSocketAddress>
  /// The client's address.
  let address: [UInt8]
  /// Its number among `WebPlaces`.
  var place: UInt64 = 0

  init?(_ accepted: UnsafeMutablePointer<GSocket>) {
    guard let remote = g_socket_get_remote_address(accepted, nil) else { return nil }
    guard let local = g_socket_get_local_address(accepted, nil) else {
      g_object_unref(UnsafeMutableRawPointer(remote))
      return nil
    }
    self.remote = remote
    self.local = local
    address = Self.bytes(of: remote)
    socket = accepted
    g_object_ref(UnsafeMutableRawPointer(accepted))
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(socket))
    g_object_unref(UnsafeMutableRawPointer(remote))
    g_object_unref(UnsafeMutableRawPointer(local))
  }

  private static func bytes(of address: UnsafeMutablePointer<GSocketAddress>) -> [UInt8] {
    let raw = UnsafeMutableRawPointer(address)
    // The server listens at addresses of IPv4 and IPv6 alone.
    guard let internet = g_inet_socket_address_get_address(raw.assumingMemoryBound(to: GInetSocketAddress.self)),
      let bytes = g_inet_address_to_bytes(internet)
    else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(g_inet_address_get_native_size(internet))))
  }

  var isClosed: Bool { g_socket_is_closed(socket) != 0 }

  /// Whether a write wouldn't have to wait.
  var takesMore: Bool { g_socket_condition_check(socket, G_IO_OUT).rawValue & G_IO_OUT.rawValue != 0 }

  /// Shuts the socket down: its reader or writer then finds the end and closes it.
  func end() { g_socket_shutdown(socket, 1, 1, nil) }
}

extension Instant {
  /// The loop's clock.
  fileprivate static var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
