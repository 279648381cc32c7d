import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A stand-in for a decoder of VA-API (Tests/CStandInDecoder), whose frames lie in the card's own memory, in front of a plane that says
/// that it reads their layout.
@Suite(
  "A decoder of VA-API on the virtual board, by a stand-in",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"),
  // GStreamer 1.26: kmssink says which layouts a plane reads.
  .enabled(if: GStreamerHere.isNewer, "GStreamer 1.22's kmssink takes no layouts; VideoAccelerationTests has the rest"))
struct VADecoderBoardTests {
  private static let tiled = "NV12:0x0100000000000002"

  private static func tools(_ more: String = "", layouts: String = tiled) -> String {
    """
    export SCALING_CARD_LOG=/run/out/card SCALING_CARD_LAYOUTS=\(layouts) STAND_IN_CARD=/dev/dri/card0 \(more)
    export GST_PLUGIN_PATH="$(dirname "$SCALING_CARD")/stand-in" GST_REGISTRY=/tmp/stand-in GST_REGISTRY_UPDATE=yes
    play() { # ITEMS and options
      LD_PRELOAD=$SCALING_CARD "$VITRINE" play -v --output kms --no-audio --osd never --report /run/out/r.json "$@" \\
        > /run/out/log 2>&1
      echo $? > /run/out/status
    }

    """
  }

  private static func run(_ script: String) async throws -> (report: PlaybackReport, card: CardLog, log: String) {
    let run = try await Board.run(script)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    return (try #require(try Report.read(run.directory.path("r.json"))), try CardLog(try run.text("card")), log)
  }

  private static func layouts(_ card: CardLog) -> [String] {
    card.calls.filter { $0.call == "addfb2" && $0.imported == true }.compactMap(\.layout)
  }

  @Test("Its frames reach the plane in their layout, each buffer made a framebuffer once")
  func untouched() async throws {
    let (report, card, log) = try await Self.run(
      Self.tools() + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\"")
    #expect(report.items.first?.decoder == "vah264dec" && report.items.first?.framePath == "untouched", "\(log)")
    #expect(report.framesRendered == 60 && report.framesDropped == 0)
    let layouts = Self.layouts(card)
    #expect(!layouts.isEmpty && layouts.count <= 8 && layouts.allSatisfy { $0 == "0x0100000000000002" }, "\(layouts)")
  }

  @Test("A layout that the plane doesn't read is written anew by the chip, in rows")
  func processed() async throws {
    let (report, card, log) = try await Self.run(
      Self.tools(layouts: "NV12:0x0100000000000001") + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\"")
    #expect(report.items.first?.framePath == "processed" && report.framesRendered == 60, "\(log)")
    let layouts = Self.layouts(card)
    #expect(!layouts.isEmpty && layouts.count <= 8 && layouts.allSatisfy { Int($0.dropFirst(2), radix: 16) == 0 })
  }

  @Test("Ways that give nothing: the next one, told once for each; the processor last", arguments: [1, 2, 3])
  func ladder(failing: Int) async throws {
    let ways = ["untouched", "processed", "downloaded"].prefix(failing).joined(separator: ",")
    let (report, _, log) = try await Self.run(
      Self.tools("STAND_IN_FAILS=\(ways)") + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\"")
    #expect(report.items.first?.framePath == ["processed", "copied", "untouched"][failing - 1], "\(log)")
    #expect(report.items.first?.decoder == (failing == 3 ? "avdec_h264" : "vah264dec"))
    #expect(report.items.first?.framesRendered == 60)
    #expect(log.components(separatedBy: "gives no picture").count - 1 == failing)
  }
}
