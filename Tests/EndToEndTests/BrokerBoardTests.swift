import Foundation
import JSONText
import KioskTestSupport
import Testing

/// A player and a real mosquitto, joined by a network whose cable is pulled: neither end is told that the line is gone.
@Suite(
  "MQTT on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct BrokerBoardTests {
  /// The broker lives in a network namespace of its own.
  private static let script = """
    ip netns add far; ip link add near type veth peer name beyond netns far
    far() { ip netns exec far "$@"; }
    ip link set lo up; ip address add 10.77.0.1/24 dev near; ip link set near up
    far ip link set lo up; far ip address add 10.77.0.2/24 dev beyond; far ip link set beyond up
    printf 'listener 1883\\nallow_anonymous true\\nuser root\\n' > /tmp/broker.conf
    far mosquitto -c /tmp/broker.conf > /run/out/broker 2>&1 & sleep 1
    far mosquitto_sub -h 10.77.0.2 -t '#' -F '%U %t %p' > /run/out/heard & sleep 1
    cp "$MEDIA/picture-640x480.jpg" /tmp/own.jpg
    printf 'version = 1\\n[telemetry]\\nmqtt = "mqtt://10.77.0.2"\\nmqtt_topic = "board"\\n' > /tmp/v.toml
    printf '[[playlist.main.item]]\\nuri = "%s"\\nduration = 3600\\n' "$MEDIA/picture-800x600.png" /tmp/own.jpg >> /tmp/v.toml
    "$VITRINE" run --config /tmp/v.toml --no-audio --output headless --control /tmp/control 2> /run/out/log & player=$!
    ctl() { "$PLAYER" ctl "$@" --socket /tmp/control; }
    sleep 20; echo nonsense > /tmp/own.jpg

    date +%s > /run/out/cut; far ip link set beyond down
    for _ in $(seq 100); do ctl select 2; sleep 1; done
    ctl select 1; sleep 2; ctl pause; wc -l < /run/out/heard > /run/out/before

    date +%s > /run/out/mended; far ip link set beyond up
    for _ in $(seq 400); do [ "$(grep -c 'presence online' /run/out/heard)" -lt 2 ] || break; sleep 1; done
    sleep 5; far mosquitto_sub -h 10.77.0.2 -t 'board/#' -F '%t %p' --retained-only -W 2 > /run/out/kept
    kill -TERM $player; wait $player; echo $? > /run/out/status
    """

  @Test("After a cable pulled for 100 s the broker has reported the board gone, and gets its present state")
  func cut() async throws {
    let run = try await Board.run(Self.script, limit: 400)
    let log = (try? run.text("log")) ?? run.outcome.errors
    #expect(try run.text("status") == "0\n", "\(log)")
    func second(_ name: String) throws -> Double { try #require(Double(try run.text(name).dropLast())) }
    let heard = try run.text("heard").split(separator: "\n").map(String.init)
    func times(_ words: String) -> [Double] {
      heard.filter { $0.contains(words) }.compactMap { Double($0.prefix { $0 != " " }) }
    }
    let (cut, mended) = (try second("cut"), try second("mended"))
    // The broker sends the will after one and a half times the keep-alive of 30 s.
    let gone = try #require(times("presence offline").first)
    #expect(gone > cut && gone < cut + 46, "\(gone - cut) s after")
    let online = times("presence online")
    #expect(online.count == 2 && online[1] >= mended, "\(online) \(log)")
    // The wait between two tries is about a minute after 100 s.
    #expect(online[1] - mended < 120, "\(online[1] - mended) s after")
    // A hundred failures are reported as the newest few that are kept.
    let told = times("board/event").filter { $0 >= mended }
    #expect((1...32).contains(told.count), "\(told.count)")
    // The player sends presence, then status, then events.
    let back = heard.filter { (Double($0.prefix { $0 != " " }) ?? 0) >= mended }.compactMap {
      $0.split(separator: " ", maxSplits: 2).dropFirst().first
    }
    #expect(back.prefix(3) == ["board/presence", "board/status", "board/event"])
    let kept = try run.text("kept").split(separator: "\n")
    #expect(kept.contains("board/presence online"))
    let status = try #require(kept.first { $0.hasPrefix("board/status ") }).dropFirst("board/status ".count)
    let playback = try JSONValue(parsing: status.utf8)["screens"]?.elements?.first?["playback"]
    #expect(playback?["is_wanted"] == .boolean(false) && playback?["item"]?["number"] == .integer(1), "\(status)")
    #expect(log.contains("(error 7761)") && log.contains("is reachable again"), "\(log)")
  }
}
