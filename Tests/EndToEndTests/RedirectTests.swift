import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The player with servers on the internet, on the local network and on its own machine, each at a real address; see
/// Tests/Tools/two-networks.
@Suite(
  "Addresses that a server may make the player ask for", .serialized,
  .enabled("needs root or user namespaces, and ip (package iproute2)") {
    let user = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
    let namespaces = user + ["--net", "--mount", "ip", "link", "set", "lo", "up"]
    return try await Tool.run("unshare", namespaces).status == 0
  })
struct RedirectTests {
  private static let clip = "h264-640x360-30-2s.mp4"

  /// Plays an address; gives the report, and the requests that the servers got.
  private func play(_ uri: String) async throws -> (run: PlaybackReport, asked: [String]) {
    let directory = try TemporaryDirectory()
    let media = URL(filePath: try await Media.path("")).path
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/two-networks").path,
      [
        "--log", directory.path("log"), media, Player.path, "play", "--output", "headless", "--report",
        directory.path("report"), uri,
      ], environment: ["WAYLAND_DISPLAY": "vitrine-test-no-such-socket"])
    let report = try #require(try Report.read(directory.path("report")), "\(outcome.output)\(outcome.errors)")
    let asked = try String(contentsOfFile: directory.path("log"), encoding: .utf8)
    return (report, asked.split(separator: "\n").map(String.init))
  }

  @Test(
    "A server can't send the player nearer to itself: by address, by name, by a list of parts or addresses",
    arguments: [
      "203.0.113.7/to/127.0.0.1/", "203.0.113.7/to/192.168.77.1/", "203.0.113.7/to/localhost/",
      "203.0.113.7/to/rebound.example/", "192.168.77.1/to/127.0.0.1/", "203.0.113.7/to/203.0.113.7/to/127.0.0.1/",
      "192.168.77.1/to/203.0.113.7/to/192.168.77.1/", "203.0.113.7/list/rebound.example/",
      // The board and its neighbour have public addresses.
      "[2001:db8:1::1]/to/[2001:db8:2::1]/", "[2001:db8:1::1]/to/[2001:db8:2::2]/",
      "203.0.113.7/to/[2001:db8:2::2]/", "[2001:db8:1::1]/to/[::ffff:192.168.77.1]/",
      "[2001:db8:1::1]/to/[::1]/", "[2001:db8:1::1]/to/[::]/", "[2001:db8:2::2]/to/[2001:db8:2::1]/",
      "192.168.77.1/to/192.168.77.2/",
    ])
  func refused(address: String) async throws {
    let (report, asked) = try await play("http://\(address)\(Self.clip)")
    let numbers = (report.errors + report.items.flatMap(\.errors)).map(\.number)
    #expect(numbers.contains(2604), "\(numbers)")
    #expect(report.framesRendered == 0)
    #expect(!asked.contains { $0.hasSuffix(" /\(Self.clip)") }, "\(asked)")
  }

  @Test(
    "A list that names a local server by the server's own address plays nothing",
    arguments: ["203.0.113.7/list/192.168.77.1/", "[2001:db8:1::1]/list/[2001:db8:2::2]/"])
  func refusedInList(address: String) async throws {
    let (report, asked) = try await play("http://\(address)\(Self.clip)")
    #expect((report.errors + report.items.flatMap(\.errors)).map(\.number).contains(3005))
    #expect(asked.count == 1, "\(asked)")
  }

  @Test(
    "The player doesn't ask for parts on its own machine that an internet list names",
    arguments: [
      "203.0.113.7/name/127.0.0.1/", "203.0.113.7/name/rebound.example/", "203.0.113.7/name/[2001:db8:2::1]/",
      "203.0.113.7/name/[2001:db8:2::2]/",
      // The name resolves to the internet for the list, and to this machine for its parts.
      "moving.example/move/127.0.0.1/name/moving.example/",
    ])
  func refusedParts(address: String) async throws {
    let (report, asked) = try await play("http://\(address)a.m3u8")
    #expect((report.errors + report.items.flatMap(\.errors)).map(\.number).contains(2604))
    #expect(asked.filter(isNear) == [], "\(asked)")
  }

  private func isNear(_ request: String) -> Bool {
    !request.hasPrefix("203.0.113.7 ") && !request.hasPrefix("2001:db8:1::1 ")
  }

  @Test(
    "A name that resolves nearer after a break isn't followed; the film goes on when it resolves back",
    arguments: ["127.0.0.1", "192.168.77.1", "2001:db8:2::1", "2001:db8:2::2"])
  func rebound(nearer: String) async throws {
    let (report, asked) = try await play("http://moving.example/move/\(nearer)/\(Self.clip)")
    #expect(asked.filter(isNear) == [], "\(asked)")
    #expect(asked.count > 1)
    #expect(report.framesRendered > 0, "\(report.errors)")
  }

  @Test(
    "A local server may redirect to another local one, and any server to the internet",
    arguments: [
      "192.168.77.1/to/192.168.77.1/", "127.0.0.1/to/192.168.77.1/", "192.168.77.1/to/203.0.113.7/",
      "203.0.113.7/to/203.0.113.7/", "rebound.example/", "192.168.77.1/list/192.168.77.1/",
      "[2001:db8:2::2]/to/[2001:db8:2::2]/", "[2001:db8:2::2]/to/192.168.77.1/", "[2001:db8:2::1]/",
      "[2001:db8:2::2]/to/[2001:db8:1::1]/", "[2001:db8:1::1]/to/203.0.113.7/",
    ])
  func followed(address: String) async throws {
    let (report, _) = try await play("http://\(address)\(Self.clip)")
    #expect(report.framesRendered > 0, "\(report.errors)")
  }
}
