import Foundation
import InteractionCore
import KioskCore
import KioskTestSupport
import Logging
import MainLoop
import PlaybackCore
import PlaylistConfig
import Testing
import VitrinePlayback

@testable import KioskRuntime

private typealias M = MadeWarning

/// A session on a loop, at a fixed time of the wall's clock, which records what it is told.
private actor WarningBench {
  nonisolated let executor: GLibExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  private(set) var problems: [VitrineError] = []
  /// The texts of each time that a poll was whole.
  private(set) var shows: [[String]] = []
  private(set) var endings: [String: AlertMachine.Ending] = [:]
  private var session: WarningSession?

  init() throws { executor = try GLibExecutor.start(name: "warning-bench") }

  /// Takes a configuration's text after its version.
  func follow(_ text: String) throws {
    // On a busy machine a test takes longer than the usual minute: only `ask` may ask again.
    let slow = text.replacing("[warnings]\n", with: "[warnings]\ninterval = 3600\n")
    let source = ConfigurationSource(path: "/etc/v.toml", text: Array("version = 1\n\(slow)".utf8))
    var options = KioskOptions(queue: [], processStart: Instant(nanoseconds: 0))
    options.follow(try Configuration.check([source]).get())
    let loop = EventLoop(executor: executor)
    if session == nil {
      let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
      session = WarningSession(on: loop, clock: LoopClock(loop), log: log) { [weak self] alerts, endings in
        self?.assumeIsolated {
          $0.shows.append(alerts.map(\.text))
          $0.endings.merge(endings) { $1 }
        }
      } report: { [weak self] error in
        self?.assumeIsolated { $0.problems.append(error) }
      }
    }
    session?.follow(options, current: []) { .utc(FeedStory.now) }
  }

  /// Asks the feed again at once, as after the clock was set.
  func ask() { session?.clockWasSet() }

  func stop() {
    session?.stop()
    session = nil
  }
}

/// Feeds at real web servers.
@Suite("Warnings of a feed, from servers")
struct WarningSessionTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(at: directory.url.appending(path: "www"), withIntermediateDirectories: true)
  }

  private func put(_ text: String, as name: String) throws {
    try Data(text.utf8).write(to: directory.url.appending(path: "www/\(name)"), options: .atomic)
  }

  private func server(_ arguments: String...) throws -> ToolServer {
    try ToolServer("picky-server", arguments + ["--log", directory.path("log"), directory.path("www")])
  }

  private func log() throws -> [String] {
    try String(contentsOfFile: directory.path("log"), encoding: .utf8).split(separator: "\n").map(String.init)
  }

  private func shows(_ bench: WarningBench, _ count: Int) async throws -> [String] {
    try await eventually("poll \(count)") { await bench.shows.count >= count }
    return await bench.shows[count - 1]
  }

  private func problem(_ bench: WarningBench, _ number: Int) async throws -> VitrineError {
    try await eventually("\(number)") { await bench.problems.contains { $0.number == number } }
    return try #require(await bench.problems.first { $0.number == number })
  }

  @Test("An alert, its update and its cancel; an index that is the same costs an answer of 304, and no message")
  func chain() async throws {
    let server = try server()
    try put(M.index(M.entry("messages/a.cap")), as: "index.atom")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "www/messages"), withIntermediateDirectories: true)
    try put(M.message("a"), as: "messages/a.cap")
    let bench = try WarningBench()
    try await bench.follow("[warnings]\nfeed = \"\(server.uri("index.atom"))\"\n")
    #expect(try await shows(bench, 1) == ["Storm until four"])
    await bench.ask()
    #expect(try await shows(bench, 2) == ["Storm until four"])
    let requests = try log().map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
    #expect(requests == ["200 /index.atom", "200 /messages/a.cap", "304 /index.atom"])
    let references = "warn@example.org,a,2026-11-27T13:50:00+00:00"
    try put(
      M.message("b", ["msgType": "Update", "references": references], infos: [M.info(["headline": "Until six"])]),
      as: "messages/b.cap")
    try put(M.index(M.entry("messages/a.cap"), M.entry("/messages/b.cap")), as: "index.atom")
    await bench.ask()
    #expect(try await shows(bench, 3) == ["Until six"])
    try put(
      M.message("c", ["msgType": "Cancel", "references": references.replacing(",a,", with: ",b,")], infos: []),
      as: "messages/c.cap")
    try put(M.index(["a", "b", "c"].map { M.entry("messages/\($0).cap") }), as: "index.atom")
    await bench.ask()
    #expect(try await shows(bench, 4).isEmpty)
    #expect(await bench.endings == ["cap:a": .replaced, "cap:b": .takenBack])
    #expect(await bench.problems.isEmpty)
    await bench.stop()
  }

  @Test("A server that is away or answers nonsense is told once, and nothing changes")
  func away() async throws {
    var server: ToolServer? = try server()
    try put(M.message("a"), as: "a.cap")
    let bench = try WarningBench()
    try await bench.follow("[warnings]\nfeed = \"\(server?.uri("a.cap") ?? "")\"\n")
    #expect(try await shows(bench, 1) == ["Storm until four"])
    try put("<html>Log in</html>", as: "a.cap")
    for _ in 0..<3 { await bench.ask() }
    let error = try await problem(bench, 7671)
    #expect(error.line.contains("but html") && error.line.contains("stay until their end"))
    try FileManager.default.removeItem(atPath: directory.path("www/a.cap"))
    await bench.ask()
    #expect(try await problem(bench, 7670).message.contains("404"))
    server?.stop()
    server = nil
    await bench.ask()
    await bench.stop()
    #expect(await bench.shows.count == 1, "nothing was taken back")
    #expect(Set(await bench.problems.map(\.number)) == [7670, 7671])
  }

  @Test("A redirect is followed, a compressed answer isn't read, and an account's token goes to its own server")
  func answers() async throws {
    try put(M.message("a"), as: "a.cap")
    let target = try server()
    let hop = try ToolServer("picky-server", ["--redirect", "http://127.0.0.1:\(target.port)", directory.path("www")])
    let bench = try WarningBench()
    try await bench.follow("[warnings]\nfeed = \"\(hop.uri("a.cap"))\"\n")
    #expect(try await shows(bench, 1) == ["Storm until four"])
    let packed = try ToolServer("picky-server", ["--gzip", directory.path("www")])
    try await bench.follow("[warnings]\nfeed = \"\(packed.uri("a.cap"))\"\n")
    #expect(try await problem(bench, 7670).message.contains("compressed"))
    // Another feed: those of the earlier one have gone at once.
    #expect(try await shows(bench, 2).isEmpty)
    let token = try directory.write("secret\n", as: "token")
    let closed = try ToolServer("picky-server", ["--authorization", "Bearer secret", directory.path("www")])
    try await bench.follow(
      "[warnings]\nfeed = \"\(closed.uri("a.cap"))\"\n[[network.server]]\nhost = \"127.0.0.1:\(closed.port)\"\n"
        + "scheme = \"http\"\ntoken_file = \"\(token)\"\n")
    #expect(try await shows(bench, 4) == ["Storm until four"])
    // No feed any more.
    try await bench.follow("")
    #expect(try await shows(bench, 5).isEmpty)
    await bench.stop()
  }

  @Test("Messages are read from the web alone, and from TLS not in the clear")
  func links() async throws {
    try await Certificates.make(in: directory, days: 5)
    let plain = try server()
    let secure = try ToolServer(
      "picky-server",
      ["--cert", directory.path("cert.pem"), "--key", directory.path("key.pem"), directory.path("www")])
    try put(M.message("a"), as: "a.cap")
    let secret = directory.path("www/a.cap")
    try put(
      M.index(
        M.entry("file://\(secret)"), M.entry(secret), M.entry(plain.uri("a.cap")), M.entry("ftp://127.0.0.1/a.cap"),
        M.entry("javascript:1"), M.entry("missing.cap")), as: "index.atom")
    let bench = try WarningBench()
    try await bench.follow(
      "[warnings]\nfeed = \"\(secure.uri("index.atom", scheme: "https"))\"\n"
        + "[network]\nca_file = \"\(directory.path("ca.pem"))\"\n")
    #expect(try await shows(bench, 1).isEmpty)
    let problems = await bench.problems
    #expect(problems.map(\.number) == [Int](repeating: 7672, count: 6), "\(problems)")
    #expect(problems.filter { $0.message.contains("isn't safe") }.count == 4, "\(problems)")
    // A path is a path at the feed's own server.
    #expect(problems.filter { $0.message.contains("404") }.count == 2, "\(problems)")
    #expect(try log().isEmpty, "nothing went in the clear")
    try put(M.index(M.entry("a.cap")), as: "index.atom")
    await bench.ask()
    #expect(try await shows(bench, 2) == ["Storm until four"])
    await bench.stop()
  }

  @Test("A document of any length is given up at eight megabytes")
  func long() async throws {
    let server = try server()
    try put(M.index() + String(repeating: " ", count: WarningSession.longest), as: "index.atom")
    let bench = try WarningBench()
    try await bench.follow("[warnings]\nfeed = \"\(server.uri("index.atom"))\"\n")
    #expect(try await problem(bench, 7671).message.contains("more than 8 MB"))
    await bench.stop()
  }
}
