import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// A stand-in for a VA-API decoder (Tests/CStandInDecoder), with frames in the card's memory, in front of a plane that
/// lists their layout.
@Suite(
  "A decoder of VA-API on the virtual board, by a stand-in",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  // GStreamer 1.26: kmssink reports the layouts that a plane reads.
  .enabled(if: GStreamerHere.isNewer, "GStreamer 1.22's kmssink takes no layouts; VideoAccelerationTests has the rest"))
struct VADecoderBoardTests {
  static let tiled = "NV12:0x0100000000000002"

  static func tools(_ more: String = "", layouts: String = tiled) -> String {
    """
    export SCALING_CARD_LOG=/run/out/card SCALING_CARD_LAYOUTS=\(layouts) STAND_IN_CARD=/dev/dri/card0 \(more)
    export GST_PLUGIN_PATH="$(dirname "$SCALING_CARD")/stand-in" GST_REGISTRY=/tmp/stand-in GST_REGISTRY_UPDATE=yes
    play() { # ITEMS and options
      LD_PRELOAD=$SCALING_CARD "$VITRINE" play -v --output kms --no-audio --osd never --report /run/out/r.json "$@" \\
        > /run/out/log 2>&1
      echo $? > /run/out/status
    }
    look() { # SECONDS, until a picture of the screen is taken; ITEMS and options
      local seconds=$1; shift; play "$@" & player=$!
      sleep "$seconds"; kms-screenshot /run/out/shot.ppm
      wait $player
    }

    """
  }

  typealias Played = (report: PlaybackReport, card: CardLog, log: String)

  static func run(_ script: String) async throws -> Played { try played(await Board.run(script)) }

  /// Runs a script in which the shell's `look` has taken a picture of the screen.
  static func photograph(_ script: String) async throws -> (played: Played, shot: Pixels) {
    let run = try await Board.run(script)
    return (try played(run), try await Pixels(path: run.directory.path("shot.ppm")))
  }

  private static func played(_ run: Board.Run) throws -> Played {
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    return (try #require(try Report.read(run.directory.path("r.json"))), try CardLog(try run.text("card")), log)
  }

  static func layouts(_ card: CardLog) -> [String] {
    card.calls.filter { $0.call == "addfb2" && $0.imported == true }.compactMap(\.layout)
  }

  @Test("The decoder's frames reach the plane in their layout, and each buffer becomes a framebuffer once")
  func untouched() async throws {
    let (report, card, log) = try await Self.run(
      Self.tools() + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\"")
    #expect(report.items.first?.decoder == "vah264dec" && report.items.first?.framePath == "untouched", "\(log)")
    #expect(report.framesRendered == 60 && report.framesDropped == 0)
    let layouts = Self.layouts(card)
    #expect(!layouts.isEmpty && layouts.count <= 8 && layouts.allSatisfy { $0 == "0x0100000000000002" }, "\(layouts)")
  }

  @Test("The chip converts a layout that the plane doesn't read into rows")
  func processed() async throws {
    let (report, card, log) = try await Self.run(
      Self.tools(layouts: "NV12:0x0100000000000001") + "play --mode 640x480 \"$DECODER_MEDIA/h264-640x480.mp4\"")
    #expect(report.items.first?.framePath == "processed" && report.framesRendered == 60, "\(log)")
    let layouts = Self.layouts(card)
    #expect(!layouts.isEmpty && layouts.count <= 8 && layouts.allSatisfy { Int($0.dropFirst(2), radix: 16) == 0 })
  }

  @Test("A way without a picture gives way to the next one, with one report each", arguments: [1, 2, 3])
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
