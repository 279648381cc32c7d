import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// EN 301 549, 7.1.2: captions within 100 ms of the picture that they belong to.
@Suite(
  "Captions after seeks on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct CaptionSeeksBoardTests {
  private static let rate = 30
  /// A caption is on the screen for this long, and then none for as long, in frames.
  private static let span = 15
  private static let seeks = Board.isLong ? 200 : 60
  /// In frames: 100 ms.
  private static let allowed = 3

  /// A seek and the time of its picture, around the moment at which a caption comes or goes.
  private struct Shot {
    var target: Double
    /// In seconds of playback after the seek.
    var wait: Double
  }

  private static let shots: [Shot] = {
    var random = SplitMix64(state: 20_261_127)
    return (0..<seeks).map { _ in
      let edge = Double(Int.random(in: 2..<110, using: &random)) * Double(span) / Double(rate)
      let lead = Double(Int.random(in: 1...9, using: &random)) / Double(rate)
      return Shot(target: edge - lead, wait: Double.random(in: 0...0.5, using: &random))
    }
  }()

  @Test("After each of 60 seeks (200 with make test-long), the captions are those of the frame on the screen")
  func seeks() async throws {
    let captions = (0..<60).map { "\($0 + 1)\n\(Self.time($0, 0)) --> \(Self.time($0, 500))\nA word\n" }
    let run = try await Board.run(
      """
      cp "$MEDIA/h264-60s-640x360-30.mp4" /tmp/film.mp4
      cat > /tmp/film.en.srt <<'TEXT'
      \(captions.joined(separator: "\n"))
      TEXT
      "$VITRINE" play -v --output kms --mode 640x480 --osd never --loop --no-audio --control /tmp/control \\
        /tmp/film.mp4 2> /run/out/log & player=$!
      sleep 2
      "$VITRINE" ctl captions on --socket /tmp/control
      n=0
      while read -r target wait; do
        n=$((n + 1))
        "$VITRINE" ctl seek "$target" --socket /tmp/control
        sleep "$wait"
        kms-screenshot /run/out/$n.ppm
      done <<'PLAN'
      \(Self.shots.map { String(format: "%.4f %.3f", $0.target, $0.wait) }.joined(separator: "\n"))
      PLAN
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, limit: 900)
    let log = (try? run.text("log")) ?? ""
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    var (shown, beside, latest, fresh) = (0, 0, 0, 0)
    for (number, shot) in zip(1..., Self.shots) {
      let picture = try await Pixels(path: run.directory.path("\(number).ppm"))
      let frame = try #require(picture.frameNumber(x: 0, y: 60, width: 640), "picture \(number)")
      // Below the film the screen is black, but for captions.
      let isShown = (421..<480).contains { y in (0..<640).contains { x in picture[x, y].green > 128 } }
      let isDue = frame % (2 * Self.span) < Self.span
      // Frames since the last time at which a caption came or went, and until the next.
      let (since, until) = (frame % Self.span, Self.span - frame % Self.span)
      if min(since, until) <= Self.allowed { beside += 1 }
      if isShown { shown += 1 }
      guard isShown != isDue else { continue }
      // The frames that have been on the screen with the wrong caption: since the change, or since the seek.
      let sinceSeek = frame - Int((shot.target * Double(Self.rate)).rounded())
      if (0..<since).contains(sinceSeek) { fresh += 1 }
      let late = ((0..<since).contains(sinceSeek) ? sinceSeek : since) + 1
      latest = max(latest, late)
      #expect(late <= Self.allowed, "frame \(frame), \(sinceSeek) after the seek, \(isShown)")
    }
    print(
      "captions after seeks: \(shown) of \(Self.seeks) pictures with one, \(beside) within 100 ms of a change; at most "
        + "\(latest) frames late, \(fresh) times at the first frames after the seek")
    // The pictures show something: many lie where a late caption would be seen.
    #expect(shown > Self.seeks / 4 && shown < Self.seeks * 3 / 4 && beside > Self.seeks / 5)
  }

  private static func time(_ seconds: Int, _ milliseconds: Int) -> String {
    String(format: "00:00:%02d,%03d", seconds, milliseconds)
  }
}
