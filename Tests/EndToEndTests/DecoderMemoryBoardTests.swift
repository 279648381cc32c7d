import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// One process finds that a decoder gives no picture, and the next one knows it.
@Suite(
  "Decoders that are remembered, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"),
  .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
struct DecoderMemoryBoardTests {
  @Test("The next run avoids a decoder that gave no picture, until its record is removed")
  func remembered() async throws {
    // Each picture takes 2.5 s.
    let run = try await Board.run(
      """
      mkdir /tmp/conf /tmp/state; export STATE_DIRECTORY=/tmp/state
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$DECODER_MEDIA/h264-640x480.mp4" > /tmp/conf/config.toml
      show() { # NAME
        timeout -s TERM 14 "$VITRINE" run --config /tmp/conf/config.toml --output kms --no-audio --report "/run/out/$1.json" \\
          > "/run/out/$1" 2>&1
      }
      show first; cp /tmp/state/decoders /run/out/record; show second; rm /tmp/state/decoders; show third
      true
      """, kernelArguments: ["visl.visl_transtime_ms=2500"], hasMedia: true)
    func log(_ name: String) throws -> String { try run.text(name) }
    func decoder(_ name: String) throws -> String? {
      try Report.read(run.directory.path("\(name).json"))?.items.first?.decoder
    }
    let warning = "gives no picture (v4l2slh264dec)"
    let first = try log("first")
    #expect(try run.text("record").hasPrefix("v4l2slh264dec\t"), "\(first)")
    #expect(first.contains(warning))
    let second = try log("second")
    #expect(!second.contains(warning) && second.contains("v4l2slh264dec isn't used"), "\(second)")
    #expect(try decoder("second") == "avdec_h264")
    #expect(try log("third").contains(warning), "tried again")
  }

  @Test("A deck whose decoder reaches its limit of pictures is rebuilt at its position, and the film goes on")
  func worn() async throws {
    let run = try await Board.run(
      """
      mkdir /tmp/board
      printf 'version = 1\\n[match]\\ndriver = ["none"]\\n[decoder]\\npictures = 50\\n' > /tmp/board/10-worn.toml
      export VITRINE_BOARD_DIR=/tmp/board VITRINE_BOARD=worn
      "$VITRINE" play -v --output kms --no-audio --report /run/out/r.json "$DECODER_MEDIA/h264-640x480.mp4" \\
        > /run/out/log 2>&1
      echo $? > /run/out/status
      """, hasMedia: true)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.items.first?.status == "played" && report.items.first?.decoder == "v4l2slh264dec")
    #expect(log.contains("reopened before it fails"), "\(log)")
    // Frames decoded ahead of the screen are decoded again, and none is left out: 60 frames or a few more.
    #expect((60...64).contains(report.framesRendered), "\(report.framesRendered)")
  }
}
