import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// Captions by a finger and by a remote control, as the card composes them.
@Suite(
  "Captions on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct CaptionsBoardTests {
  private static let screen = PixelSize(width: 1280, height: 720)
  /// KEY_SUBTITLE of linux/input-event-codes.h.
  private static let subtitleKey = 370

  /// The middle of the captions' button on a bar with nothing else but play.
  private func button() throws -> ScreenPoint {
    var bar = TransportBar(title: "film", position: .zero, duration: .seconds(60), isPlaying: false)
    bar.buttons = [.playPause, .captions]
    let area = try #require(OverlayRenderer().targets(of: bar, screen: Self.screen).buttons[.captions])
    return ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)
  }

  @Test("A finger on the button shows captions, a remote control's key the next language, and then none")
  func finger() async throws {
    let point = try button()
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-60s-640x360-30.mp4" /tmp/film.mp4
      printf '1\\n00:00:00,000 --> 00:01:00,000\\nEin langer Satz in deutscher Sprache\\n' > /tmp/film.de.srt
      printf '1\\n00:00:00,000 --> 00:01:00,000\\nA word\\n' > /tmp/film.en.srt
      mkfifo /tmp/touch
      virtual-touch --size 1280x720 < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
      "$VITRINE" play -v --output kms --mode 1280x720 --osd always --no-audio --control /tmp/control \\
        /tmp/film.mp4 2> /run/out/log 3>&- & player=$!
      sleep 3
      # Paused, so that nothing but the captions changes above the bar.
      printf 'key 57\\n' >&3
      sleep 5
      shot() { kms-screenshot /run/out/$1.ppm; }
      shot none
      printf 'down 0 \(Int(point.x)) \(Int(point.y))\\nup 0\\n' >&3; sleep 5; shot first
      printf 'key \(Self.subtitleKey)\\n' >&3; sleep 5; shot second
      printf 'key \(Self.subtitleKey)\\n' >&3; sleep 5; shot off
      "$VITRINE" ctl captions de --socket /tmp/control; sleep 5; shot asked
      "$VITRINE" ctl captions klingon --socket /tmp/control 2> /run/out/refused; echo $? > /run/out/code
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    var shots: [String: Pixels] = [:]
    for name in ["none", "first", "second", "off", "asked"] {
      shots[name] = try await Pixels(path: run.directory.path("\(name).ppm"))
    }
    let none = try #require(shots["none"])
    let top = Int(point.y) - 60
    /// The number of pixels above the bar that aren't as without captions.
    func changed(_ name: String) throws -> Int {
      let shot = try #require(shots[name])
      return (0..<top).reduce(0) { sum, y in
        sum
          + (0..<Self.screen.width).reduce(0) { count, x in
            let (a, b) = (none[x, y], shot[x, y])
            return count + (abs(a.red - b.red) + abs(a.green - b.green) + abs(a.blue - b.blue) > 30 ? 1 : 0)
          }
      }
    }
    let (first, second, off, asked) = (
      try changed("first"), try changed("second"), try changed("off"), try changed("asked")
    )
    #expect(off == 0, "\(off)")
    #expect(second > 300 && first > 2 * second && asked == first, "\(first), \(second), \(asked)")
    #expect(try run.text("code") == "64\n")
    #expect(try run.text("refused").contains("klingon is neither a language, such as de, nor next, off, on"))
  }
}
