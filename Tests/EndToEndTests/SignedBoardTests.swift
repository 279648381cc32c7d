import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// Films in sign language by a finger, a key and a command, as the card composes them.
@Suite(
  "Sign language on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SignedBoardTests {
  private static let screen = PixelSize(width: 640, height: 480)
  /// The signed version is the film with a red part below its numbers.
  private static let red = (254, 0, 0)

  /// KEY_F5 of linux/input-event-codes.h.
  private static let f5 = 63

  @Test("A finger shows the signed version where the film was, a key leads back; a broken version changes nothing")
  func finger() async throws {
    var bar = TransportBar(title: "film", position: .zero, duration: .seconds(60))
    bar.buttons = [.playPause, .signed]
    let area = try #require(OverlayRenderer().targets(of: bar, screen: Self.screen).buttons[.signed])
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-60s-640x360-30.mp4" /tmp/film.mp4
      ffmpeg -v error -i /tmp/film.mp4 -vf drawbox=y=160:h=60:color=red:t=fill -c:v libx264 -preset ultrafast -an \\
        /tmp/film.bsl.mp4
      cat > /tmp/v.toml <<END
      version = 1
      [[playlist.main.item]]
      uri = "film.mp4"
      signed = "film.bsl.mp4"
      [input.keys]
      KEY_F5 = "signed"
      END
      \(Board.touchscreen(Self.screen))
      "$VITRINE" run -v --config /tmp/v.toml --output kms --mode 640x480 --osd always --no-audio --control /tmp/control \\
        --report /run/out/r.json 2> /run/out/log 3>&- & player=$!
      sleep 5
      shot() { kms-screenshot /run/out/$1.ppm; }
      shot usual
      printf 'down 0 \(Int(area.x + area.width / 2)) \(Int(area.y + area.height / 2))\\nup 0\\n' >&3; sleep 3; shot signed
      printf 'key \(Self.f5)\n' >&3; sleep 3; shot off
      # Half of a file, which has no index at its end.
      head -c 100000 /tmp/film.bsl.mp4 > /tmp/half; mv /tmp/half /tmp/film.bsl.mp4
      "$PLAYER" ctl signed on --socket /tmp/control; sleep 6; shot broken
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 200)
    let log = (try? run.text("log")) ?? run.outcome.errors
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    var numbers: [Int] = []
    let shots = try await run.pictures(["usual", "signed", "off", "broken"])
    for (name, isSigned) in [("usual", false), ("signed", true), ("off", false), ("broken", false)] {
      let shot = try #require(shots[name])
      #expect(shot.isNear(320, 250, Self.red, within: 30) == isSigned, "\(name): \(shot[320, 250])")
      numbers.append(try #require(shot.frameNumber(x: 0, y: 60, width: 640), "\(name)"))
    }
    // The film goes on meanwhile: 30 frames a second, less what opening another file takes.
    let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
    #expect(steps.allSatisfy { (60...200).contains($0) }, "\(numbers)")
    #expect(try run.played() == ["film.mp4"], "\(log)")
    #expect(log.components(separatedBy: "film.bsl.mp4").count > 1 && log.contains("(error "), "\(log)")
  }
}
