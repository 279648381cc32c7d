import Foundation
import InteractionCore
import KioskTestSupport
import PlaybackCore
import Testing

/// Touch panels that don't announce themselves as touchscreens, with the kernel's own devices, udev and libinput.
@Suite(
  "Touch panels of other names on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct PanelBoardTests {
  /// Touch commands for a tap and a drag of 0.2 s.
  private static let lines: String = {
    let way = (1...25).map { "move 0 \(200 + 20 * $0) 400\nsleep 8\n" }.joined()
    return "down 0 300 300\nsleep 60\nup 0\nsleep 500\ndown 0 200 400\nsleep 8\n\(way)sleep 60\nup 0\n"
  }()

  @Test(
    "A panel of any name works: a tap and a drag count at the finger's place",
    arguments: [("frame", "touch"), ("single", "touch"), ("mouse", "pointer"), ("pen", "touch")])
  func heard(kind: String, ability: String) async throws {
    let run = try await Board.run(
      """
      mkfifo /tmp/touch
      virtual-touch --no-keys --size 1280x720 --panel \(kind) < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
      "$VITRINE" inputs --size 1280x720 --for 4 > /run/out/events 2>&1 3>&- & player=$!
      sleep 2
      cat >&3 <<'END'
      \(Self.lines)
      END
      wait $player; echo $? > /run/out/status
      """)
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors)")
    #expect(!(try run.text("touch").contains("error")))
    let lines = try run.text("events").split(separator: "\n").map(String.init)
    #expect(lines.first?.contains("'virtual panel (\(kind))' (\(ability)") == true, "\(lines)")
    let downs = lines.filter { $0.contains("finger 0 down") }
    #expect(downs == ["touch 1: finger 0 down 300,300", "touch 1: finger 0 down 200,400"], "\(lines)")
    #expect(lines.filter { $0.hasSuffix("finger 0 up") }.count == 2, "\(lines)")
    #expect(lines.contains("  gesture: tap -> play-pause"), "\(lines)")
    let end = try #require(lines.last { $0.contains("finger 0 at") }?.split(separator: " ").last)
    // libinput smooths a pen's last four places into one.
    let place = end.split(separator: ",").compactMap { Int($0) }
    #expect(place.count == 2 && (660...700).contains(place[0]) && abs(place[1] - 400) <= 1, "\(end)")
    #expect(lines.contains { $0.contains("swipe-right") || $0.contains("horizontal-drag begins") }, "\(lines)")
  }

  @Test("A pen along the bar scrubs the film, as a finger does")
  func pen() async throws {
    let track = try TouchDrag.Mounting.plain.track()
    let (y, begin) = (Int(track.y + track.height / 2), Int(track.x + track.width / 6))
    let way = (1...100).map { "move 0 \(begin + 6 * $0) \(y)\nsleep 8\n" }.joined()
    let run = try await Board.run(
      """
      mkfifo /tmp/touch
      virtual-touch --no-keys --size 1280x720 --panel pen < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
      "$VITRINE" play -v --output kms --mode 1280x720 --osd always --no-audio --for 7 --report /run/out/r.json \\
        "$MEDIA/h264-60s-640x360-30.mp4" 2> /run/out/log 3>&- & player=$!
      sleep 3
      cat >&3 <<'END'
      down 0 \(begin) \(y)
      sleep 8
      \(way)sleep 100
      up 0
      END
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.seeksTotal >= 8, "\(report.seeksTotal)")
    let asked = (Double(begin + 600) - track.x) / track.width * 60
    let last = try #require(Drag.Seeks(log: log).targets.last)
    // libinput smooths a pen's last four places into one: 9 pixels behind, less than a second of the film.
    #expect(abs(last - asked) < 1, "\(last) instead of \(asked)")
  }

  @Test("inputs --list and the player's log name an unused input device with the reason")
  func nothing() async throws {
    let run = try await Board.run(
      """
      mkfifo /tmp/touch
      virtual-touch --no-keys --panel nothing < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
      "$VITRINE" inputs --list > /run/out/list 2>&1 3>&-
      "$VITRINE" play -v --output kms --no-audio --for 1 "$MEDIA/h264-640x360-30-2s.mp4" 2> /run/out/log 3>&-
      """)
    let reason = "the system (udev) takes it for neither a touchscreen, a pen, a mouse nor keys"
    let list = try run.text("list")
    #expect(list.contains("'virtual panel (nothing)'") && list.contains(reason), "\(list)")
    let log = try run.text("log")
    #expect(log.contains("'virtual panel (nothing)' isn't used: \(reason)"), "\(log)")
  }
}
