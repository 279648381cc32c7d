import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A mouse on KMS, where no compositor draws its arrow.
@Suite(
  "A mouse on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct MouseBoardTests {
  @Test(
    "The arrow is where a press counts, comes with a move, goes with the bar, and costs the film no frame",
    arguments: [0, 90])
  func pointer(rotation: Int) async throws {
    let run = try await Board.run(
      """
      mkfifo /tmp/touch
      virtual-touch --no-touch --mouse < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
      "$VITRINE" play -v --output kms --mode 1280x720 --rotation \(rotation) --osd auto --no-audio --for 9 \\
        --report /run/out/r.json "$MEDIA/h264-60s-640x360-30.mp4" 2> /run/out/log 3>&- & player=$!
      sleep 2; kms-planes > /run/out/before
      for move in 1 2 3 4 5 6 7 8 9 10; do printf 'mouse 12 8\\nsleep 20\\n' >&3; done
      sleep 0.5; kms-planes > /run/out/moved; kms-screenshot -k /run/out/moved.ppm
      printf 'press\\nsleep 100\\nrelease\\n' >&3
      # Three seconds after the last move, and a little.
      sleep 3.4; kms-planes > /run/out/later
      # Gone for good with the player, however it ends.
      printf 'mouse -30 -30\\n' >&3; sleep 0.3; kms-planes > /run/out/again
      kill $player; wait $player; echo $? > /run/out/status; kms-planes > /run/out/after
      """, kernelArguments: ["vkms.enable_cursor=1"])
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(!(try run.text("touch").contains("error")))
    func arrow(_ name: String) throws -> Board.Plane {
      try #require(Board.planes(try run.text(name)).first { $0.type == "cursor" })
    }
    for name in ["before", "later", "after"] { #expect(try !arrow(name).isLit, "\(name)") }
    #expect(try arrow("again").isLit)
    let shown = try arrow("moved")
    #expect(shown.isLit && shown.width == shown.height)

    // The tip's place on the panel, and the press's place in the view.
    let press = try #require(log.firstMatch(of: /gesture: tap\(.*x: ([0-9.]+), y: ([0-9.]+)\)/), "\(log)")
    let (x, y) = (Int(try #require(Double(press.1))), Int(try #require(Double(press.2))))
    let isTurned = rotation == 90
    let middle = isTurned ? (x: 360, y: 640) : (x: 640, y: 360)
    #expect(x > middle.x && y > middle.y, "it begins in the middle, and was moved to the right and down")
    #expect(
      isTurned
        ? shown.x == 1280 - y - shown.width && shown.y == x : shown.x == x && shown.y == y,
      "\(shown) for a press at \(x), \(y)")
    let picture = try await Pixels(path: run.directory.path("moved.ppm"))
    // A little down the arrow's left edge it is white.
    let (inX, inY) = isTurned ? (1280 - y - 14, x + 3) : (x + 3, y + 14)
    #expect(picture.isNear(inX, inY, (255, 255, 255), within: 16), "\(picture[inX, inY])")

    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0 && report.gapSummary.longerThanFrame == 0)
  }
}
