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

  /// The middle of the captions' button on a bar with play and choices alone.
  private func button() throws -> ScreenPoint {
    var bar = TransportBar(title: "film", position: .zero, duration: .seconds(60), isPlaying: false)
    bar.buttons = [.playPause, .captions, .choices]
    let area = try #require(OverlayRenderer().targets(of: bar, screen: Self.screen).buttons[.captions])
    return ScreenPoint(x: area.x + area.width / 2, y: area.y + area.height / 2)
  }

  /// KEY_AUDIO_DESC of linux/input-event-codes.h.
  private static let descriptionKey = 622

  @Test(
    "Audio description is heard after a finger, a remote control's key and a command; its button is filled then",
    arguments: Board.cases(usual: 1, ["beside it", "in the film"]))
  func description(place: String) async throws {
    // The second track of the film, or a file of its own.
    let isBeside = place == "beside it"
    var bar = TransportBar(title: "film", position: .zero, duration: .seconds(60))
    bar.buttons = [.playPause, .description, .mute]
    let area = try #require(OverlayRenderer().targets(of: bar, screen: Self.screen).buttons[.description])
    let run = try await Board.run(
      """
      ffmpeg -v error -f lavfi -i color=gray:s=640x360:r=25:d=60 -f lavfi -i sine=440:d=60 -f lavfi -i sine=880:d=60 \\
        -map 0 -map 1 -map 2 -c:v libx264 -preset ultrafast -c:a aac -metadata:s:a:0 language=eng \\
        -metadata:s:a:1 language=eng -disposition:a:1 visual_impaired /tmp/film.mp4
      if \(isBeside); then
        ffmpeg -v error -i /tmp/film.mp4 -map 0:a:1 -c copy /tmp/film.ad.en.m4a
        ffmpeg -v error -i /tmp/film.mp4 -map 0:v -map 0:a:0 -c copy /tmp/usual.mp4; mv /tmp/usual.mp4 /tmp/film.mp4
      fi
      \(Board.soundServer)
      \(Board.touchscreen())
      "$VITRINE" play -v --output kms --mode 1280x720 --osd always --audio-device pulse --control /tmp/control \\
        /tmp/film.mp4 2> /run/out/log 3>&- & player=$!
      sleep 5
      # The button as it is drawn, and a second of what is heard.
      note() {
        kms-screenshot /run/out/$1.ppm
        parec --device=speaker.monitor --raw --format=s16le --channels=1 --rate=8000 > /run/out/$1.pcm & parec=$!
        sleep 2; kill $parec; wait $parec || true
      }
      note off
      printf 'down 0 \(Int(area.x + area.width / 2)) \(Int(area.y + area.height / 2))\\nup 0\\n' >&3; sleep 5; note finger
      printf 'key \(Self.descriptionKey)\\n' >&3; sleep 5; note key
      "$VITRINE" ctl description on --socket /tmp/control; sleep 5; note command
      kill -TERM $player; wait $player; echo $? > /run/out/status
      kill $server
      """, limit: 150)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    /// The brightness of the button's pixels, and the pitch of the sound in hertz.
    func noted(_ name: String) async throws -> (light: Int, pitch: Double) {
      let shot = try await Pixels(path: run.directory.path("\(name).ppm"))
      let light = (Int(area.y)..<Int(area.y + area.height)).reduce(0) { sum, y in
        sum + (Int(area.x)..<Int(area.x + area.width)).reduce(0) { $0 + shot[$1, y].green }
      }
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: run.directory.path("\(name).pcm"))))
      let samples = stride(from: 0, to: bytes.count - 1, by: 2).map { Int16(bytes[$0]) | Int16(bytes[$0 + 1]) << 8 }
      let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
      return (light, Double(crossings) * 8000 / Double(max(1, samples.count)))
    }
    let off = try await noted("off")
    let finger = try await noted("finger")
    let key = try await noted("key")
    let command = try await noted("command")
    // The sign is a tenth of the button's area.
    #expect(finger.light * 20 > off.light * 21 && command.light * 20 > key.light * 21, "\([off, finger, key, command])")
    for (noted, pitch) in [(off, 440.0), (finger, 880), (key, 440), (command, 880)] {
      #expect(abs(noted.pitch - pitch) < 10, "\(noted)")
    }
  }

  @Test("A finger on the button shows captions, a remote control's key the next language, and then none")
  func finger() async throws {
    let point = try button()
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-60s-640x360-30.mp4" /tmp/film.mp4
      printf '1\\n00:00:00,000 --> 00:01:00,000\\nEin langer Satz in deutscher Sprache\\n' > /tmp/film.de.srt
      printf '1\\n00:00:00,000 --> 00:01:00,000\\nA word\\n' > /tmp/film.en.srt
      \(Board.touchscreen())
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
    let shots = try await run.pictures(["none", "first", "second", "off", "asked"])
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

  @Test("Two speakers of a WebVTT file have their colours on the screen, and one stands in its region")
  func colors() async throws {
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-60s-640x360-30.mp4" /tmp/film.mp4
      cat > /tmp/film.en.vtt <<'END'
      WEBVTT

      STYLE
      ::cue(v[voice="Ann"]) { color: #ffff00 }

      REGION
      id:left width:40% lines:2 regionanchor:0%,100% viewportanchor:5%,40%

      00:00.000 --> 01:00.000 region:left align:start
      <v Ann>HOHO HOHO</v>

      00:00.000 --> 01:00.000
      <c.magenta>HOHO HOHO</c>
      END
      "$VITRINE" play -v --output kms --mode 1280x720 --no-audio --control /tmp/control /tmp/film.mp4 2> /run/out/log & player=$!
      sleep 3
      ctl() { "$VITRINE" ctl "$@" --socket /tmp/control; }
      ctl pause; sleep 5; kms-screenshot /run/out/none.ppm
      ctl captions on; sleep 5; kms-screenshot /run/out/on.ppm
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    let shots = try await run.pictures(["none", "on"])
    let (none, on) = (try #require(shots["none"]), try #require(shots["on"]))
    /// The middle of the pixels that have got this colour, in shares of the screen, and how many they are.
    func area(_ red: Int, _ green: Int, _ blue: Int) -> (x: Double, y: Double, count: Int) {
      var (sumX, sumY, count) = (0, 0, 0)
      for y in 0..<Self.screen.height {
        for x in 0..<Self.screen.width where on[x, y] == (red, green, blue) && none[x, y] != (red, green, blue) {
          (sumX, sumY, count) = (sumX + x, sumY + y, count + 1)
        }
      }
      let (width, height) = (Double(Self.screen.width), Double(Self.screen.height))
      return (Double(sumX) / Double(max(1, count)) / width, Double(sumY) / Double(max(1, count)) / height, count)
    }
    // The other one stands above the bar, which shows that the film is paused.
    let (ann, other) = (area(255, 255, 0), area(255, 0, 255))
    #expect(ann.count > 500 && ann.x < 0.25 && (0.33..<0.4).contains(ann.y), "\(ann)")
    #expect(other.count > 500 && abs(other.x - 0.5) < 0.02 && other.y > 0.75, "\(other)")
  }
}
