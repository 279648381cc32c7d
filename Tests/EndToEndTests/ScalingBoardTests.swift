import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Planes that scale (board/virtual/tools/scaling-card.c), checked by the screen's picture and by the requests to the
/// card.
@Suite(
  "Planes that scale, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ScalingBoardTests {
  /// `play` plays on a scaling plane and takes a screenshot after a second.
  private static let tools = """
    export SCALING_CARD_LOG=/run/out/card
    play() { # ITEMS and options
      LD_PRELOAD=$SCALING_CARD "$VITRINE" ${VERB:-play} -v --output kms --no-audio --osd never --report /run/out/r.json "$@" \\
        > /run/out/log 2>&1 & player=$!
      sleep 1; kms-screenshot /run/out/shot.ppm
      wait $player; echo $? > /run/out/status
    }

    """

  private struct Outcome {
    var report: PlaybackReport
    var card: CardLog
    var log: String
    var shot: Pixels

    init(_ run: Board.Run) async throws {
      log = try run.text("log")
      let problems = log.split(separator: "\n").filter { $0.contains("error") }.joined(separator: "\n")
      #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(problems)")
      report = try #require(try Report.read(run.directory.path("r.json")))
      card = try CardLog(try run.text("card"))
      shot = try await Pixels(path: run.directory.path("shot.ppm"))
    }
  }

  /// Expects a film of 16 bars, the first dark and the last red, in this part of the screen, all bars equally wide.
  private func expectBars(_ shot: Pixels, x: Int, width: Int, y: Int, _ hint: Comment? = nil) {
    func bar(_ number: Int) -> (Int, Int, Int) { shot[x + (2 * number + 1) * width / 32, y] }
    for number in 0..<14 {
      #expect(bar(number).1 < bar(number + 1).1, hint ?? "bar \(number)")
    }
    let red = bar(15)
    #expect(red.0 > 150 && red.1 < 90, hint ?? "\(red)")
  }

  struct Panel: CustomTestStringConvertible, Sendable {
    var mode: String
    var mm: String
    /// The place of a 16:9 film: x, y, width, height.
    var place: [Int]
    var testDescription: String { "\(mode), \(mm) mm" }
  }

  static let panels = [
    // The official 7" touchscreen of the Raspberry Pi, and sizes that other panels report (docs/hardware.md).
    Panel(mode: "800x480", mm: "154x86", place: [0, 15, 800, 450]),
    Panel(mode: "1024x768", mm: "160x90", place: [0, 96, 1024, 576]),
    Panel(mode: "800x1280", mm: "216x135", place: [0, 415, 800, 450]),
    Panel(mode: "480x800", mm: "86x154", place: [0, 265, 480, 270]),
    Panel(mode: "1024x768", mm: "0x0", place: [0, 96, 1024, 576]),
  ]

  @Test("The whole film is shown in its shape, whatever size the panel claims", arguments: panels)
  func panel(_ panel: Panel) async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_MM=\(panel.mm) SCALING_CARD_MODES=\(panel.mode)@60
        play "$DECODER_MEDIA/bars-1280x720.mp4"
        """)
    let outcome = try await Outcome(run)
    let place = panel.place
    #expect(outcome.card.ways == ["0,0,1280,720 to \(place.map(String.init).joined(separator: ","))"])
    #expect(outcome.report.items.first?.framePath == "untouched")
    expectBars(outcome.shot, x: place[0], width: place[2], y: place[1] + place[3] / 2)
  }

  @Test(
    "The plane, not the processor, corrects a film with pixels that aren't square", arguments: ["154x86", "0x0"])
  func anamorphic(mm: String) async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_MM=\(mm) SCALING_CARD_MODES=800x480@60
        play "$DECODER_MEDIA/h264-anamorphic-720x576.mp4"
        """)
    let outcome = try await Outcome(run)
    #expect(outcome.card.ways == ["0,0,720,576 to 0,15,800,450"])
    #expect(outcome.report.items.first?.framePath == "untouched")
  }

  @Test(
    "A scaling plane does fit = cover and stretch for the whole film, and the snapshot matches the screen",
    arguments: ["cover", "stretch"], ["yes", "no"])
  func fit(fit: String, scales: String) async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_SCALES=\(scales) SCALING_CARD_MM=154x86 SCALING_CARD_MODES=800x480@60
        printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\nfit = "\(fit)"\\n' "$DECODER_MEDIA/bars-640x480.mp4" > /tmp/v.toml
        VERB=run play --config /tmp/v.toml --for 1.9 --snapshot /run/out/snapshot.png --at 1
        """)
    let outcome = try await Outcome(run)
    if scales == "yes" {
      #expect(outcome.report.items.first?.framePath == "untouched")
      #expect(outcome.card.ways == [fit == "cover" ? "0,48,640,384 to 0,0,800,480" : "0,0,640,480 to 0,0,800,480"])
    } else {
      #expect(outcome.report.items.first?.framePath == "converted")
      #expect(outcome.card.ways == ["0,0,800,480 to 0,0,800,480"])
    }
    for y in [5, 240, 474] { expectBars(outcome.shot, x: 0, width: 800, y: y) }
    let snapshot = try await Pixels(path: run.directory.path("snapshot.png"))
    #expect(snapshot.difference(from: outcome.shot).mean < 3)
  }

  @Test("On a panel without scaling a film is as large as possible, with borders on two sides at most")
  func fitted() async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_SCALES=no SCALING_CARD_MM=154x86 SCALING_CARD_MODES=800x480@60
        play "$DECODER_MEDIA/bars-1280x720.mp4"
        """)
    let outcome = try await Outcome(run)
    #expect(outcome.card.ways == ["0,0,800,450 to 0,15,800,450"])
    expectBars(outcome.shot, x: 0, width: 800, y: 240)
  }

  @Test(
    "After a refused scaling the processor fits the item, the plane scales the next one, and both are reported")
  func refusal() async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_FAIL=20:28 SCALING_CARD_MM=154x86 SCALING_CARD_MODES=800x480@60
        play "$DECODER_MEDIA/bars-1280x720.mp4" "$DECODER_MEDIA/h264-anamorphic-720x576.mp4"
        """)
    let outcome = try await Outcome(run)
    #expect(outcome.report.framesRendered == 120 && outcome.report.errors.isEmpty)
    #expect(outcome.log.components(separatedBy: "the plane doesn't scale 1280x720").count == 2, "\(outcome.log)")
    let ways = outcome.card.ways
    #expect(
      ways.contains("0,0,1280,720 to 0,15,800,450: errno 28") && ways.contains("0,0,800,450 to 0,15,800,450"), "\(ways)"
    )
    #expect(ways.last == "0,0,720,576 to 0,15,800,450", "\(ways)")
  }

  @Test("A plane with little scaling gets a size fitted from the first frame on after two refusals")
  func limit() async throws {
    let run = try await Board.run(
      Self.tools + """
        export SCALING_CARD_MOST=1 SCALING_CARD_MM=154x86 SCALING_CARD_MODES=800x480@60
        play --loop --for 11 "$DECODER_MEDIA/bars-1280x720.mp4"
        """)
    let outcome = try await Outcome(run)
    #expect(outcome.card.shown.filter { $0.errno == 34 }.count <= 8, "\(outcome.card.ways)")
    #expect(outcome.card.ways.suffix(1) == ["0,0,800,450 to 0,15,800,450"])
    expectBars(outcome.shot, x: 0, width: 800, y: 240)
  }
}
