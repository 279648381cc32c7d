import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The stand-in's frames in a compositor that reads dmabufs: Weston on the virtual board's card, drawing by Mesa's software driver. That
/// one reads dmabufs in rows alone.
extension VADecoderBoardTests {
  struct Composed: CustomTestStringConvertible, Sendable {
    var clip: String
    var decodes: String
    /// The layout that the chip writes; empty for no chip.
    var writes = "NV12"
    var word: String
    /// Imported buffers: as wl_buffers, of this format.
    var format: String?
    /// The film's place on a screen of 1024x768.
    var place = [0, 0, 1024, 768]

    var testDescription: String { "\(clip), decoder \(decodes), chip \(writes): \(word)" }
  }

  static let composed = [
    Composed(clip: "h264-640x480.mp4", decodes: "NV12", word: "untouched", format: "NV12"),
    Composed(
      clip: "h264-1920x1080.mp4", decodes: "NV12", word: "untouched", format: "NV12", place: [0, 96, 1024, 576]),
    Composed(clip: "h264-640x480.mp4", decodes: tiled, word: "processed", format: "NV12"),
    Composed(clip: "h264-640x480.mp4", decodes: tiled, writes: "", word: "copied"),
    Composed(clip: "hevc-ten-bits-640x480.mp4", decodes: "NV12,P010", word: "untouched", format: "P010"),
  ]

  @Test("In a compositor: each buffer is imported once, or the next way is taken", arguments: composed)
  func weston(_ film: Composed) async throws {
    let run = try await Board.run(
      """
      export XDG_RUNTIME_DIR=/tmp/runtime WAYLAND_DISPLAY=kiosk STAND_IN_CARD=/dev/dri/card0
      export STAND_IN_DECODES=\(film.decodes) STAND_IN_WRITES=\(film.writes)
      export GST_PLUGIN_PATH="$(dirname "$SCALING_CARD")/stand-in" GST_REGISTRY=/tmp/stand-in GST_REGISTRY_UPDATE=yes
      mkdir -m 700 "$XDG_RUNTIME_DIR"
      SEATD_VTBOUND=0 LIBSEAT_BACKEND=builtin weston --backend=drm --renderer=gl --drm-device=card0 --shell=kiosk-shell.so \\
        --no-config --socket=kiosk --idle-time=0 --continue-without-input > /run/out/weston 2>&1 & weston=$!
      for try in $(seq 200); do if [ -S "$XDG_RUNTIME_DIR/kiosk" ]; then break; fi; sleep 0.1; done
      WAYLAND_DEBUG=1 "$VITRINE" play -v --output wayland --no-audio --osd never --report /run/out/r.json \\
        "$DECODER_MEDIA/\(film.clip)" > /run/out/log 2>&1 & player=$!
      sleep 1.5; kms-screenshot /run/out/shot.ppm
      wait $player; echo $? > /run/out/status
      kill $weston; wait
      """)
    let lines = try run.text("log").split(separator: "\n").map(String.init)
    let log = lines.filter { !$0.hasPrefix("[") }.joined(separator: "\n")
    let weston = try run.text("weston")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log) \(weston)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    let item = report.items.first
    #expect(item?.decoder?.hasPrefix("va") == true && item?.framePath == film.word, "\(item?.framePath ?? "") \(log)")
    #expect(report.framesRendered == 60 && report.framesDropped == 0, "\(report.framesRendered)")
    // create(width, height, format, flags)
    let made = lines.filter { $0.contains("-> zwp_linux_buffer_params_v1") && $0.contains(".create(") }
    if let format = film.format {
      let code = format.utf8.reversed().reduce(0) { $0 << 8 | Int($1) }
      #expect(!made.isEmpty && made.count <= 8 && made.allSatisfy { $0.contains(", \(code), ") }, "\(made)")
    } else {
      #expect(made.isEmpty, "\(made)")
    }
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    Self.expectPicture(shot, x: film.place[0], y: film.place[1], width: film.place[2], height: film.place[3])
  }
}
