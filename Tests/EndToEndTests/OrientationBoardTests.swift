import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

@Suite(
  "Films upright, and fields apart, on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct OrientationBoardTests {
  /// A rotated screen, and the ffmpeg filter for a frame that is upright already.
  struct Screen: CustomTestStringConvertible, Sendable {
    var degrees: Int
    var filter: String
    var testDescription: String { "\(degrees) degrees" }
  }

  static let screens = [
    Screen(degrees: 0, filter: "scale=270:480,pad=640:480:(ow-iw)/2:0"),
    Screen(degrees: 90, filter: "scale=360:640,pad=480:640:(ow-iw)/2:0,transpose=clock"),
  ]

  @Test(
    "A portrait film matches ffmpeg's picture on a plane that can't scale",
    arguments: OrientationBoardTests.screens)
  func portrait(screen: Screen) async throws {
    let run = try await Board.run(
      """
      "$VITRINE" play --no-audio --osd never --output kms --mode 640x480 --rotation \(screen.degrees) \
        --report /run/out/r.json "$MEDIA/portrait-320x180-25.mp4" & player=$!
      sleep 0.8; kms-screenshot /run/out/shot.ppm
      wait $player
      ffmpeg -hide_banner -loglevel error -i "$MEDIA/portrait-320x180-25.mp4" \
        -vf "select=gte(n\\\\,12),\(screen.filter)" -frames:v 1 -pix_fmt rgb24 /run/out/expected.ppm
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesRendered == 25 && report.framesDropped == 0)
    #expect(report.items.first?.width == 180 && report.items.first?.height == 320)
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    let expected = try await Pixels(path: run.directory.path("expected.ppm"))
    let difference = shot.difference(from: expected)
    // Another frame of the film gives a difference of 4 to 7, measured, by its number and square; a wrong rotation
    // gives 30 or more.
    #expect(difference.mean < 12 && difference.share > 0.5, "\(difference)")
  }

  @Test("An interlaced film shows each of its fields once")
  func fields() async throws {
    let run = try await Board.run(
      """
      for clip in interlaced-320x192-25.ts interlaced-320x192-25.mpg interlaced-720x576-25.dv; do
        "$VITRINE" play --no-audio --osd never --output kms --mode 640x480 --report "/run/out/$clip.json" "$MEDIA/$clip"
      done
      """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    for clip in ["interlaced-320x192-25.ts", "interlaced-320x192-25.mpg", "interlaced-720x576-25.dv"] {
      let report = try #require(try Report.read(run.directory.path("\(clip).json")))
      // GStreamer 1.26: the last picture of a program stream has no timestamp, and gets the one before it.
      let (fields, dropped) = clip.hasSuffix(".mpg") && GStreamerHere.isNewer ? (48, 1) : (50, 0)
      #expect(
        report.framesRendered == fields && report.framesDropped == dropped,
        "\(clip): \(report.framesRendered) shown, \(report.framesDropped) dropped")
    }
  }
}
