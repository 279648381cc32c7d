import ContentStore
import Foundation
import KioskTestSupport
import MainLoop
import PlaybackCore
import Testing

@testable import Downloads

/// One transfer, on an executor of its own.
private actor TransferBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private var session: HTTPSession?
  private var transfer: HTTPTransfer?

  init() throws { executor = try GLibExecutor(name: "transfer-bench") }

  /// The status of the transfer's response, or its failure, whichever comes first. `reach` is that of the server that
  /// gave the beginning of the file.
  func first(of request: StoreRequest, begunAt reach: NetworkReach) async -> Result<Int, StoreFailure> {
    let session = HTTPSession(HTTPSettings())
    session.recordReach(reach, of: request.uri)
    let result = await withCheckedContinuation { answer in
      var waiting: CheckedContinuation<Result<Int, StoreFailure>, Never>? = answer
      transfer = HTTPTransfer(
        request, authorization: nil, in: session, on: EventLoop(executor: executor)
      ) { event in
        switch event {
        case .head(let head): waiting?.resume(returning: .success(head.status))
        case .failed(let failure): waiting?.resume(returning: .failure(failure))
        case .piece, .end: return
        }
        waiting = nil
      }
      transfer?.start()
    }
    transfer?.cancel()
    transfer = nil
    return result
  }
}

/// Redirects that the store follows, and the secrets that it sends along: it uses the decks' `RedirectPolicy`.
@Suite("Downloads that are redirected", .serialized)
struct StoreRedirectTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
    try noise(100_000, seed: 7).write(to: directory.url.appending(path: "www/a.mp4"))
  }

  private func server(_ arguments: [String]) throws -> ToolServer {
    try ToolServer("picky-server", arguments + [directory.path("www")])
  }

  private func told(_ name: String) throws -> String {
    try String(contentsOfFile: directory.path(name), encoding: .utf8)
  }

  @Test("An internet server can't redirect a download to this machine unless allowed", arguments: [false, true])
  func local(isAllowed: Bool) async throws {
    let own = try server(["--log", directory.path("own")])
    // An address that a proxy looks up counts as one on the internet.
    let proxy = try server(["--redirect", "http://127.0.0.1:\(own.port)"])
    var http = HTTPSettings()
    http.access.proxy = "http://127.0.0.1:\(proxy.port)"
    http.access.redirects.allowsLocal = isAllowed
    let rig = try StoreRig(in: directory)
    await rig.start([WantedFile(uri: "http://media.invalid/a.mp4")], http: http)
    if isAllowed {
      try await rig.stored()
    } else {
      #expect(try await rig.problem().number == 2604)
      #expect(try told("own").isEmpty)
    }
    await rig.stop()
  }

  @Test("The rest of a copy isn't taken from a server nearer than the first one; a copy that starts over may be")
  func rebound() async throws {
    let own = try server(["--log", directory.path("own")])
    let bench = try TransferBench()
    let uri = "http://127.0.0.1:\(own.port)/a.mp4"
    let rest = StoreRequest(transfer: 1, uri: uri, from: 10)
    #expect(await bench.first(of: rest, begunAt: .everywhere) == .failure(.unsafeRedirect))
    #expect(try told("own").isEmpty)
    #expect(await bench.first(of: rest, begunAt: .loopback) == .success(206))
    #expect(await bench.first(of: StoreRequest(transfer: 1, uri: uri), begunAt: .everywhere) == .success(200))
  }

  @Test("A server on the local network may redirect a download to another one, without any secret")
  func neighbour() async throws {
    let other = try server(["--log", directory.path("other")])
    let first = try server([
      "--authorization", "Basic bWU6c2VjcmV0", "--redirect", "http://127.0.0.1:\(other.port)",
    ])
    let rig = try StoreRig(in: directory)
    var http = HTTPSettings()
    let origin = try #require(WebOrigin(.http, host: "127.0.0.1", port: first.port))
    http.access.accounts = [
      .init(origin, user: "me", passwordFile: try directory.write("secret\n", as: "password"))
    ]
    await rig.start([WantedFile(uri: "http://you:word@127.0.0.1:\(first.port)/a.mp4")], http: http)
    try await rig.stored()
    #expect(try told("other").hasPrefix("200 /a.mp4 - -"))
    await rig.stop()
  }

  @Test(
    "User and password of an address are sent to its server only; those in a redirect are dropped",
    arguments: [
      ("/b", "http://me:s%3Ac@a:81/b"), ("c", "http://me:s%3Ac@a:81/c"), ("http://a:81/b", "http://me:s%3Ac@a:81/b"),
      ("http://a/b", "http://a/b"), ("https://a:81/b", "https://a:81/b"), ("//b/c", "http://b/c"),
      ("http://x:y@b/c", "http://b/c"), ("http://x:y@a:81/c", "http://me:s%3Ac@a:81/c"),
      ("file:///etc/x", "file:///etc/x"),
    ])
  func userInfo(location: String, resolved: String) throws {
    let address = try #require(WebAddress("http://me:s%3Ac@a:81/"))
    #expect(address.resolve(location) == resolved)
  }
}
