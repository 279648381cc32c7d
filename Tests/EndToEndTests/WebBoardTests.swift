import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

/// The player's own server in virtual time: requests that cost too much would show as missing frames.
@Suite(
  "HTTP on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct WebBoardTests {
  @Test(
    "Malformed requests, idle connections and readers that don't read cost no frame and no megabyte",
    .long)
  func flood() async throws {
    let run = try await Board.run(
      """
      ip link set lo up; echo correct-horse-battery-staple > /tmp/token
      printf 'version = 1\\n[telemetry]\\nhttp = "127.0.0.1:9105"\\ntoken_file = "/tmp/token"\\n' > /tmp/v.toml
      printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-60s-640x360-30.mp4" >> /tmp/v.toml
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --report /run/out/r.json \\
        2> /run/out/log & player=$!
      sleep 5
      flood() { python3 "$PROJECT/Tests/Tools/http-flood" 127.0.0.1:9105 --token-file /tmp/token "$@"; }
      dirty() { awk '/^RssAnon/ { print $2 }' /proc/$player/status; }
      # The first time it needs what it keeps: buffers for pictures, libsoup's tables.
      sockets() { find /proc/$player/fd -lname 'socket:*' | wc -l; }
      sockets > /run/out/sockets
      flood --messages 1000 --connections 100 --seed 7 > /run/out/first; sleep 70; dirty > /run/out/memory
      flood --messages 10000 --connections 1000 > /run/out/flood
      # What it has freed goes back to the system when the next item begins.
      sleep 70; dirty >> /run/out/memory; sockets >> /run/out/sockets
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 1200)
    let log = (try? run.text("log")) ?? run.outcome.errors
    #expect(try run.text("status") == "0\n", "\(log)")
    let told = try JSONValue(parsing: try run.text("flood").utf8)
    #expect(told["ok"] == .boolean(true) && told["hung"] == .integer(0), "\(told.compact)")
    let sockets = try run.text("sockets").split(separator: "\n")
    #expect(sockets.count == 2 && sockets[0] == sockets[1], "\(sockets) descriptors")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0 && report.framesRendered > 300, "\(report.framesDropped) dropped")
    let memory = try run.text("memory").split(separator: "\n").compactMap { Int($0) }
    #expect(memory.count == 2 && memory[1] - memory[0] < 1000, "\(memory) kB")
    print("http flood: \(told.compact), \(memory) kB, \(report.framesRendered) frames, \(report.framesDropped) dropped")
  }
}
