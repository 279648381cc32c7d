import ContentStore
import Downloads
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

/// A reader of small documents on an executor of its own.
private actor PageBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var reader: PageReader?

  init(_ settings: HTTPSettings = HTTPSettings(), longest: Int = 1000) throws {
    let executor = try GLibExecutor(name: "page-bench")
    self.executor = executor
    self.settings = settings
    self.longest = longest
  }
  private let settings: HTTPSettings
  private let longest: Int

  func read(_ request: PageReader.Request) async -> PageReader.Answer {
    let reader =
      reader
      ?? PageReader(
        settings, longest: longest, limit: .seconds(60), worker: BlockingWorker(), on: EventLoop(executor: executor))
    self.reader = reader
    return await withCheckedContinuation { answer in reader.read(request) { answer.resume(returning: $0) } }
  }
}

/// Small documents from real servers.
@Suite("Small documents from servers", .serialized)
struct PageReaderTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
    try Data("hello".utf8).write(to: directory.url.appending(path: "www/a"))
    try Data(repeating: 0x61, count: 1001).write(to: directory.url.appending(path: "www/long"))
  }

  private func server(_ arguments: String...) throws -> ToolServer {
    try ToolServer("picky-server", arguments + [directory.path("www")])
  }

  private func page(_ answer: PageReader.Answer) throws -> PageReader.Page {
    let page: PageReader.Page? = if case .page(let page) = answer { page } else { nil }
    return try #require(page, "\(answer)")
  }

  @Test("A document comes whole with its version, and not again while it is the same")
  func versions() async throws {
    let server = try server()
    let bench = try PageBench()
    let first = try page(await bench.read(.init(server.uri("a"))))
    #expect(first.bytes == Array("hello".utf8) && first.etag != nil)
    #expect(await bench.read(.init(server.uri("a"), etag: first.etag)) == .unchanged)
    #expect(try page(await bench.read(.init(server.uri("a"), etag: "\"other\""))).bytes.count == 5)
    #expect(await bench.read(.init(server.uri("gone"))) == .failed(.status(404, retryAfter: nil)))
    #expect(await bench.read(.init(server.uri("long"))) == .tooLong)
  }

  @Test("Addresses that aren't of the web are refused without a request", arguments: ["file:///etc/passwd", "a", ""])
  func schemes(_ address: String) async throws {
    #expect(try await PageBench().read(.init(address)) == .failed(.unsafeRedirect))
  }

  @Test("Redirects are followed, but not for ever")
  func redirects() async throws {
    let target = try server()
    let hop = try server("--redirect", "http://127.0.0.1:\(target.port)")
    let bench = try PageBench()
    let found = try page(await bench.read(.init(hop.uri("a"))))
    #expect(found.place.address == target.uri("a") && found.etag == nil)
    let circle = try ToolServer("fault-server", ["--from-start", directory.path("www"), "0:loop:1000"])
    #expect(await bench.read(.init(circle.uri("a"))) == .failed(.redirectLoop))
  }

  @Test("A document of the internet names no address of this board, unless that is allowed", arguments: [false, true])
  func local(isAllowed: Bool) async throws {
    let own = try server("--log", directory.path("own"))
    // An address that a proxy looks up counts as one on the internet.
    let proxy = try server()
    var settings = HTTPSettings()
    settings.access.proxy = "http://127.0.0.1:\(proxy.port)"
    settings.access.redirects.allowsLocal = isAllowed
    let bench = try PageBench(settings)
    let index = try page(await bench.read(.init("http://feeds.invalid/a")))
    let answer = await bench.read(.init(own.uri("a"), referrer: index.place))
    if isAllowed {
      #expect(try page(answer).bytes.count == 5)
    } else {
      #expect(answer == .failed(.unsafeRedirect))
      #expect(try String(contentsOfFile: directory.path("own"), encoding: .utf8).isEmpty)
    }
    // Relative to it, it is at its own server.
    #expect(try page(await bench.read(.init("/a", referrer: index.place))).place.address == "http://feeds.invalid/a")
  }
}
