import Foundation
import JSONText
import KioskTestSupport
import Testing

/// A player that sends reports by itself.
@Suite("Reports, end to end")
struct ReportTests {
  @Test("A player reports to a server and a broker, and the broker reports a killed one gone")
  func player() async throws {
    let directory = try TemporaryDirectory()
    let server = try ToolServer("report-server", ["--log", directory.path("posts"), "200"])
    let broker = try await Broker()
    let clip = try await Media.path("h264-60s-640x360-30.mp4")
    try RunningPlayer.write(
      """
      version = 1
      [telemetry]
      post = "\(server.uri("report"))"
      post_interval = 10
      post_screenshots = 60
      mqtt = "mqtt://127.0.0.1:\(broker.port)"
      mqtt_topic = "museum/foyer"
      mqtt_commands = true
      [[playlist.main.item]]
      uri = "\(clip)"
      """, as: "vitrine.toml", in: directory)
    let player = try RunningPlayer(["-v"], in: directory)
    try await player.showedFrame()
    func wait(_ what: String, _ isIt: () -> Bool) async throws {
      try await eventually("\(what); \(player.log)", isIt)
    }
    try await wait("the status of what plays") {
      broker.heard.contains { $0.hasPrefix("museum/foyer/status ") && $0.contains("h264-60s") }
    }
    try await broker.publish("{\"id\":1,\"verb\":\"pause\"}", to: "museum/foyer/command")
    try await wait("the answer") {
      broker.heard.contains { $0 == "museum/foyer/answer {\"id\":1,\"ok\":true,\"result\":{}}" }
    }
    try await wait("a status that says so") {
      broker.heard.last { $0.contains("/status ") }?.contains("\"is_wanted\":false") == true
    }
    /// The bodies that the server got.
    func posts() -> [JSONValue] {
      let lines = (try? String(contentsOfFile: directory.path("posts"), encoding: .utf8))?.split(separator: "\n") ?? []
      return lines.compactMap { line in
        (try? JSONValue(parsing: line.utf8))?["body"]?.text.flatMap { try? JSONValue(parsing: $0.utf8) }
      }
    }
    // A busy machine may not have the picture in time for the first one; it is asked for again a minute later.
    try await wait("a post with a picture") {
      posts().contains { ($0["screenshot"]?["base64"]?.text?.utf8.count ?? 0) > 1000 }
    }
    #expect(posts().first?["status"]?["screens"]?.elements?.count == 1)
    _ = try await player.stop(signal: SIGKILL)
    try await wait("that it is gone") {
      broker.heard.last { $0.contains("/presence") } == "museum/foyer/presence offline"
    }
  }
}

/// A wait that ran out; `description` names what it was for.
private struct InVain: Error, CustomStringConvertible { var description: String }
