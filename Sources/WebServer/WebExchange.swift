internal import CSoup
public import TelemetryCore

/// A request that waits for its answer. Confined to the loop's thread.
public final class WebExchange {
  public private(set) var request: WebRequest
  /// The client's address as a literal.
  public let peer: String
  private let message: OpaquePointer
  private var body: [UInt8] = []
  private var taken = 0
  private var isWaiting = false
  private var isOver = false

  init(_ message: OpaquePointer) {
    self.message = OpaquePointer(g_object_ref(UnsafeMutableRawPointer(message)))
    request = WebRequest(message)
    peer = soup_server_message_get_remote_host(message).map { String(cString: $0) } ?? "somebody"
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(message)) }

  /// - Returns: whether the connection is worth keeping.
  func appendChunk(_ chunk: OpaquePointer) -> Bool {
    var size: gsize = 0
    guard let bytes = g_bytes_get_data(chunk, &size) else { return true }
    taken += Int(size)
    if taken <= WebLimits.bodyBytes {
      body += UnsafeRawBufferPointer(start: bytes, count: Int(size))
    } else {
      body = []
      request.isTooLarge = true
    }
    return taken <= WebLimits.bodyBytes + WebLimits.spilledBytes
  }

  /// All of the request has arrived.
  func isComplete() { request.body = body }

  /// Pauses the message: the answer comes later.
  func wait() {
    guard !isWaiting, !isOver else { return }
    isWaiting = true
    soup_server_message_pause(message)
  }

  /// The connection is closed, or the answer has been sent.
  func isDone() { isOver = true }

  /// Sends an answer. Only the first counts.
  public func answer(_ answer: WebAnswer) {
    guard !isOver else { return }
    isOver = true
    soup_server_message_set_status(message, guint(answer.status), nil)
    let headers = soup_server_message_get_response_headers(message)
    for header in WebAnswer.commonHeaders + answer.headers {
      soup_message_headers_append(headers, header.name, header.value)
    }
    answer.body.withUnsafeBytes { bytes in
      soup_server_message_set_response(
        message, answer.contentType, SOUP_MEMORY_COPY, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
        gsize(bytes.count))
    }
    if isWaiting { soup_server_message_unpause(message) }
  }
}

extension WebRequest {
  fileprivate init(_ message: OpaquePointer) {
    let uri = soup_server_message_get_uri(message)
    func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
    self.init(
      method: text(soup_server_message_get_method(message)) ?? "", path: text(g_uri_get_path(uri)) ?? "")
    query = text(g_uri_get_query(uri))
    let headers = soup_server_message_get_request_headers(message)
    func header(_ name: String) -> String? { text(soup_message_headers_get_list(headers, name)) }
    host = header("Host")
    origin = header("Origin")
    fetchSite = header("Sec-Fetch-Site")
    authorization = header("Authorization")
    cookie = header("Cookie")
    contentType = header("Content-Type")
  }
}
