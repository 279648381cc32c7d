import Foundation
import Glibc
import KioskTestSupport
import MainLoop
import PlaybackCore
import TelemetryCore
import Testing

@testable import WebServer

/// A server on a loop that answers each request with its method, path and body length.
actor WebBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  nonisolated let port: Int
  private var server: WebServer?
  private var held: [WebExchange] = []
  private(set) var answered = 0
  /// How many connections the server knew at each answer.
  private(set) var known: [Int] = []

  init() throws {
    executor = try GLibExecutor(name: "web-bench")
    port = try FreePort.next()
  }

  func start(certificate: (file: String, key: String)? = nil) throws {
    guard let address = ListenAddress("127.0.0.1:\(port)") else { return }
    server = try WebServer(at: address, certificate: certificate, on: EventLoop(executor: executor)) { [weak self] in
      guard let self else { return }
      let exchange = LoopReference($0, of: executor)
      assumeIsolated { bench in exchange.value.map { bench.respond($0) } }
    }
  }

  private func respond(_ exchange: WebExchange) {
    answered += 1
    known.append(connectionCount)
    if exchange.request.path == "/later" {
      held.append(exchange)
    } else {
      let size = exchange.request.path == "/large" ? 4_000_000 : 0
      let words =
        "\(exchange.request.method) \(exchange.request.path) \(exchange.request.body.count) \(exchange.request.isTooLarge)"
      exchange.answer(WebAnswer(200, "text/plain", Array(words.utf8) + [UInt8](repeating: 0x2E, count: size)))
    }
  }

  /// A client whose bytes are there before the loop takes its connection.
  func earlyClient(_ text: String) throws -> sending RawClient {
    let client = try RawClient(port: port)
    client.send(text)
    return client
  }

  func answerHeld() {
    for exchange in held { exchange.answer(WebAnswer(200, text: "held")) }
    held = []
  }

  func stop() {
    server = nil
    held = []
  }

  var connectionCount: Int { server?.connectionCount ?? 0 }
}

/// A client that sends raw bytes.
final class RawClient {
  let descriptor: Int32

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  /// Reads until the connection ends or `end` has arrived.
  func read(until end: String? = nil) -> String {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      all += buffer[..<count]
      if let end, String(decoding: all.suffix(200), as: UTF8.self).contains(end) { break }
    }
    return String(decoding: all, as: UTF8.self)
  }
}

@Suite("Serving by libsoup", .serialized)
struct WebServingTests {
  private let get = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test("The server answers requests, with their bodies")
  func plain() async throws {
    let bench = try WebBench()
    try await bench.start()
    var client = try RawClient(port: bench.port)
    client.send(get)
    #expect(client.read(until: "GET /x 0 false").contains("Content-Security-Policy"))
    client = try RawClient(port: bench.port)
    client.send("POST /y HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello")
    #expect(client.read(until: "POST /y 5 false").hasPrefix("HTTP/1.1 200"))
    client = try RawClient(port: bench.port)
    client.send("POST /z HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
    #expect(client.read(until: "POST /z 3 false").hasPrefix("HTTP/1.1 200"))
    await bench.stop()
  }

  @Test("A request for ranges gets the whole answer")
  func ranges() async throws {
    let bench = try WebBench()
    try await bench.start()
    for ranges in ["0-9", (0..<2000).map { "\($0)-" }.joined(separator: ",")] {
      let client = try RawClient(port: bench.port)
      client.send("GET /x HTTP/1.1\r\nHost: a\r\nRange: bytes=\(ranges)\r\n\r\n")
      #expect(client.read(until: "GET /x 0 false").hasPrefix("HTTP/1.1 200"))
    }
    await bench.stop()
  }

  @Test("A body that is too large is marked so, and one without an end is cut off")
  func large() async throws {
    let bench = try WebBench()
    try await bench.start()
    let client = try RawClient(port: bench.port)
    client.send("POST /y HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5000))
    #expect(client.read(until: "POST /y 0 true").hasPrefix("HTTP/1.1 200"))
    let flood = try RawClient(port: bench.port)
    flood.send("POST /y HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    var sent = 0
    let chunk = "4000\r\n" + String(repeating: "x", count: 0x4000) + "\r\n"
    while sent < 4000, flood.send(chunk) { sent += 1 }
    #expect(sent < 4000)
    await bench.stop()
  }

  @Test("A connection counts before its first byte is read, so that one with bytes at once can be ended, too")
  func early() async throws {
    let bench = try WebBench()
    try await bench.start()
    let client = try await bench.earlyClient(get)
    #expect(client.read(until: "GET /x 0 false").hasPrefix("HTTP/1.1 200"))
    #expect(await bench.known == [1])
    await bench.stop()
  }

  @Test("A late answer is sent; a client or a server that has gone meanwhile does no harm")
  func later() async throws {
    let bench = try WebBench()
    try await bench.start()
    let client = try RawClient(port: bench.port)
    var gone: RawClient? = try RawClient(port: bench.port)
    for one in [client, gone].compactMap({ $0 }) { one.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n") }
    while await bench.answered < 2 { try await Task.sleep(for: .milliseconds(5)) }
    gone = nil
    await bench.answerHeld()
    #expect(client.read(until: "held").contains("200"))
    let last = try RawClient(port: bench.port)
    last.send("GET /later HTTP/1.1\r\nHost: a\r\n\r\n")
    while await bench.answered < 3 { try await Task.sleep(for: .milliseconds(5)) }
    await bench.stop()
    #expect(!last.read().contains("200"))
  }

  @Test("Connections are limited, and a silent one gives way to one with a request")
  func places() async throws {
    let bench = try WebBench()
    try await bench.start()
    let silent = try (0..<100).map { _ in try RawClient(port: bench.port) }
    while await bench.connectionCount < WebLimits.connections { try await Task.sleep(for: .milliseconds(5)) }
    #expect(await bench.connectionCount == WebLimits.connections)
    // A place is free once a silent connection has waited long enough.
    var answer = ""
    while answer.isEmpty {
      let client = try RawClient(port: bench.port)
      client.send(get)
      answer = client.read(until: "GET /x 0 false")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    #expect(await bench.connectionCount <= WebLimits.connections)
    _ = silent
    await bench.stop()
  }

  @Test("A connection with half a request gives way to a new one")
  func halves() async throws {
    let bench = try WebBench()
    try await bench.start()
    let half = try (0..<WebLimits.connections).map { _ in try RawClient(port: bench.port) }
    for client in half { client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n") }
    while await bench.connectionCount < WebLimits.connections { try await Task.sleep(for: .milliseconds(5)) }
    var answer = ""
    while answer.isEmpty {
      let client = try RawClient(port: bench.port)
      client.send(get)
      answer = client.read(until: "GET /x 0 false")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200"))
    // One connection gave way. A time-out would have ended all of them.
    #expect(await bench.connectionCount >= WebLimits.connections - 1)
    _ = half
    await bench.stop()
  }

  @Test("Two dozen clients that send a header byte by byte and reconnect don't keep others out")
  func trickle() async throws {
    let bench = try WebBench()
    try await bench.start()
    let port = bench.port
    let isOver = Locked(false)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<24 {
        let (ended, end) = AsyncStream<Void>.makeStream()
        let thread = Thread {
          while !isOver.withLock({ $0 }) {
            guard let client = try? RawClient(port: port) else { continue }
            client.send("GET / HTTP/1.1\r\nHost: a\r\nX: ")
            while !isOver.withLock({ $0 }), client.send("a") { usleep(20_000) }
          }
          end.finish()
        }
        thread.start()
        group.addTask { for await _ in ended {} }
      }
      while await bench.connectionCount < WebLimits.connections { try? await Task.sleep(for: .milliseconds(5)) }
      for _ in 0..<20 {
        guard let client = try? RawClient(port: port) else { continue }
        client.send(get)
        #expect(client.read(until: "GET /x 0 false").hasPrefix("HTTP/1.1 200"))
      }
      isOver.withLock { $0 = true }
    }
    #expect(await bench.answered == 20)
    await bench.stop()
  }

  @Test("A malformed request ends its connection only")
  func nonsense() async throws {
    let bench = try WebBench()
    try await bench.start()
    var random = SystemRandomNumberGenerator()
    let starts = [
      "", "GET ", "GET / HTTP/9.9\r\n", "\r\n\r\n", "GET http://a:b@c/%zz HTTP/1.1\r\nHost: \0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 30_000),
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]
    for round in 0..<300 {
      let client = try RawClient(port: bench.port)
      client.send(starts[round % starts.count])
      client.send(
        (0..<Int.random(in: 0...400, using: &random)).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      shutdown(client.descriptor, Int32(SHUT_WR))
      _ = client.read()
    }
    let client = try RawClient(port: bench.port)
    client.send(get)
    #expect(client.read(until: "GET /x 0 false").hasPrefix("HTTP/1.1 200"))
    await bench.stop()
  }

  @Test("A port in use and a missing certificate are reported as errors")
  func refused() async throws {
    let bench = try WebBench()
    try await bench.start()
    await #expect(throws: VitrineError.self) { try await bench.start() }
    let other = try WebBench()
    do {
      try await other.start(certificate: ("/nowhere/a.pem", "/nowhere/a.key"))
      Issue.record("it listens")
    } catch let error as VitrineError {
      #expect(error.number == 7702)
    }
    await bench.stop()
  }
}
