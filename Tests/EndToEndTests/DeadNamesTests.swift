import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Runs the player where no name server answers; see Tests/Tools/two-networks.
@Suite(
  "A name server that is dead", .serialized,
  .enabled("needs root or user namespaces, and ip (package iproute2)") {
    let user = geteuid() == 0 ? [] : ["--user", "--map-root-user"]
    let namespaces = user + ["--net", "--mount", "ip", "link", "set", "lo", "up"]
    return try await Tool.run("unshare", namespaces).status == 0
  })
struct DeadNamesTests {
  private static let clip = "h264-640x360-30-2s.mp4"

  private func play(_ items: [String]) async throws -> PlaybackReport {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/two-networks").path,
      [
        "--dead-names", directory.path(""), Player.path, "play", "--output", "headless", "--report",
        directory.path("report"),
      ] + items, environment: ["WAYLAND_DISPLAY": "vitrine-test-no-such-socket"])
    return try #require(try Report.read(directory.path("report")), "\(outcome.output)\(outcome.errors)")
  }

  @Test("Local films play, at the start and between others, while the lookup of a name is still under way")
  func passedOver() async throws {
    let film = try await Media.path(Self.clip)
    let names = (0..<3).map { "http://name\($0).example/a.mp4" }
    let report = try await play([names[0], film, names[1], names[2], film])
    // An item that is passed over leaves no error; one that is waited for until it fails does.
    let errors = report.errors + report.items.flatMap(\.errors)
    #expect(errors.map(\.number) == [])
    #expect(report.framesRendered >= 100)
    let films = report.items.filter { !$0.uri.contains("example") }
    #expect(films.reduce(0) { $0 + $1.plays } == 2, "\(report.items)")
  }
}
