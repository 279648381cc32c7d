import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A camera that stops or goes away, in virtual time.
@Suite(
  "RTSP, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct RTSPBoardTests {
  /// Watches a camera for 40 s with `[network]` set to `settings`, while `meanwhile` runs. `$server` is the camera's
  /// process, and `serve` starts it again.
  private func watch(_ transport: String, _ settings: String, meanwhile: String) async throws -> (
    report: PlaybackReport, log: String
  ) {
    let run = try await Board.run(
      """
      ip link set lo up 2> /dev/null || true
      serve() { \(Tool.root.path)/Tests/Tools/rtsp-server 8554 \(transport) > /dev/null 2>> /run/out/server.log & server=$!; }
      cat > /run/out/config.toml <<'TOML'
      version = 1
      [network]
      \(settings)
      [audio]
      enabled = false
      [[playlist.main.item]]
      uri = "rtsp://127.0.0.1:8554/live"
      TOML
      serve; sleep 2
      "$VITRINE" run --config /run/out/config.toml --output headless --size 320x180 --osd never --for 40 -v \\
        --report /run/out/report.json 2> /run/out/log & player=$!
      \(meanwhile)
      wait $player; kill -KILL $server
      """, devices: "none", limit: 150)
    return (
      try #require(try Report.read(run.directory.path("report.json")), "\(run.outcome)"), try run.text("log")
    )
  }

  @Test("A restarted camera comes back to the screen by itself", arguments: ["tcp", "udp"])
  func restarted(transport: String) async throws {
    let (report, log) = try await watch(
      transport, "rtsp_transport = \"\(transport)\"\nrtsp_latency = 0.2",
      meanwhile: "sleep 10; kill -KILL $server; sleep 4; serve")
    #expect(report.exitCode == 0)
    #expect(report.items.first?.status == "played", "\(log)")
    #expect(report.items.first?.reconnects ?? 0 >= 1)
    // Of 40 s some are missing: 4 s of darkness, the time until the loss is noticed (10 s over UDP), and the reopening.
    let missing = transport == "tcp" ? 7.0 : 17.0
    #expect(Double(report.framesRendered) > (40 - missing) * 25, "\(report.framesRendered) \(log)")
    #expect(report.stalls.allSatisfy { $0.seconds < missing }, "\(report.stalls)")
  }

  @Test("A silent camera is reopened after 10 s (TCP: 8 s)")
  func standsStill() async throws {
    let (report, log) = try await watch(
      "tcp", "rtsp_transport = \"tcp\"", meanwhile: "sleep 10; kill -STOP $server; sleep 14; kill -CONT $server")
    #expect(report.exitCode == 0)
    #expect(report.items.first?.reconnects ?? 0 >= 1, "\(log)")
    #expect(report.items.first?.status == "played")
    #expect(report.framesRendered > 15 * 25, "\(report.framesRendered)")
  }
}
