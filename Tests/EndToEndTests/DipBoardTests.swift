import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Transitions through the background, as the screen shows them.
@Suite(
  "Dips on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct DipBoardTests {
  /// The greatest brightness in the middle row of each screenshot, 20 a second, around the seams of two films of 2 s.
  private func brightness(_ transition: String, overlays: Int) async throws -> (shots: [Int], report: PlaybackReport) {
    let run = try await Board.run(
      """
      card=$(make-device --overlays \(overlays) --writeback)
      printf 'version = 1\\n[playback]\\ntransition = "\(transition)"\\ntransition_duration = 0.8\\n' > /tmp/v.toml
      for clip in 1 2; do
        printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-640x360-30-2s.mp4" >> /tmp/v.toml
      done
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never --for 5 \\
        --report /run/out/r.json & player=$!
      sleep 1.4
      for shot in $(seq 10 39); do kms-screenshot -d "$card" /run/out/$shot.ppm; sleep 0.04; done
      wait $player
      """, devices: "none")
    let report = try #require(try Report.read(run.directory.path("r.json")), "\(run.outcome.errors)")
    var shots: [Int] = []
    for shot in 10...39 {
      let pixels = try await Pixels(path: run.directory.path("\(shot).ppm"))
      shots.append(Int(pixels.cropped(x: 0, y: 240, width: 640, height: 1).bytes.max() ?? 0))
    }
    return (shots, report)
  }

  @Test("The picture fades to the background, the next one fades in, and no frame is lost", arguments: [2, 0])
  func dips(overlays: Int) async throws {
    let (shots, report) = try await brightness("dip", overlays: overlays)
    let darkest = try #require(shots.min())
    #expect(darkest < 60 && shots.prefix(3).max() ?? 0 > 220 && shots.suffix(3).max() ?? 0 > 220, "\(shots)")
    // The brightness changes in steps, not at once.
    #expect(shots.filter { (61...200).contains($0) }.count >= 4, "\(shots)")
    #expect(report.framesDropped == 0)
  }

  @Test("Without a dip each picture is as bright as the one before")
  func cuts() async throws {
    let (shots, _) = try await brightness("cut", overlays: 2)
    #expect(shots.allSatisfy { $0 > 220 }, "\(shots)")
  }
}
