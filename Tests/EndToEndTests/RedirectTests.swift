import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The program with servers of the internet, of the network around and of its own machine, by their real addresses; see
/// Tests/Tools/two-networks.
@Suite(
  "What a server may make the program ask", .serialized,
  .enabled("needs root or user namespaces, and ip (package iproute2)") {
    let user = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
    let namespaces = user + ["--net", "--mount", "ip", "link", "set", "lo", "up"]
    return try await Tool.run("unshare", namespaces).status == 0
  })
struct RedirectTests {
  private static let clip = "h264-640x360-30-2s.mp4"

  /// Plays an address; gives the numbers of the errors, and what the servers were asked.
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
    "Nobody sends it nearer to itself: by address, by a name that is looked up, by a list of parts or of addresses",
    arguments: [
      "203.0.113.7/to/127.0.0.1/", "203.0.113.7/to/192.168.77.1/", "203.0.113.7/to/localhost/",
      "203.0.113.7/to/rebound.example/", "192.168.77.1/to/127.0.0.1/", "203.0.113.7/to/203.0.113.7/to/127.0.0.1/",
      "192.168.77.1/to/203.0.113.7/to/192.168.77.1/", "203.0.113.7/list/rebound.example/",
      // The board and its neighbour have addresses of the internet.
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
    "A list that names a neighbour by its very address has nothing that may be played",
    arguments: ["203.0.113.7/list/192.168.77.1/", "[2001:db8:1::1]/list/[2001:db8:2::2]/"])
  func refusedInList(address: String) async throws {
    let (report, asked) = try await play("http://\(address)\(Self.clip)")
    #expect((report.errors + report.items.flatMap(\.errors)).map(\.number).contains(3005))
    #expect(asked.count == 1, "\(asked)")
  }

  @Test(
    "Parts that a list of the internet names on this machine aren't asked for",
    arguments: [
      "203.0.113.7/name/127.0.0.1/", "203.0.113.7/name/rebound.example/", "203.0.113.7/name/[2001:db8:2::1]/",
      "203.0.113.7/name/[2001:db8:2::2]/",
      // The name leads to the internet for the list, and to this machine for its parts.
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
    "A name that leads nearer after a break isn't followed there; once it leads back the film goes on",
    arguments: ["127.0.0.1", "192.168.77.1", "2001:db8:2::1", "2001:db8:2::2"])
  func rebound(nearer: String) async throws {
    let (report, asked) = try await play("http://moving.example/move/\(nearer)/\(Self.clip)")
    #expect(asked.filter(isNear) == [], "\(asked)")
    #expect(asked.count > 1)
    #expect(report.framesRendered > 0, "\(report.errors)")
  }

  @Test(
    "A neighbour may send it to a neighbour, and anybody outwards",
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
