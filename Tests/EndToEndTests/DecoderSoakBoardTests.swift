import Foundation
import KioskTestSupport
import Testing

/// Short runs of what `make test-decoders` does a thousand times.
@Suite(
  "Lists that the board's decoders play, on the virtual board",
  .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
struct DecoderSoakBoardTests {
  @Test(
    "No frame of a decoder is copied, none is dropped, framebuffers are as many as buffers, nothing is black; faults of decoders",
    arguments: [("well", 10), ("late", 10), ("silent", 19), ("hang", 36), ("few", 9)])
  func soak(decoders: String, transitions: Int) async throws {
    try await TestTool.expectPass(
      "soak",
      [
        "--list", "hardware", "--decoders", decoders, "--transitions", "\(transitions)", "--no-audio", "--checksums",
        "seams",
      ], limit: 300)
  }

  @Test("The control: where frames are copied the same run fails")
  func copied() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/soak").path,
      [
        "--binary", Player.path, "--out", directory.path("out"), "--list", "hardware", "--decoders", "copied",
        "--transitions", "9", "--no-audio",
      ], limit: 300)
    #expect(outcome.status != 0 && outcome.errors.contains("frames were copied"), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("not untouched"))
  }

  @Test("A player that is killed with decoders at work leaves nothing behind, and the next one uses them")
  func kills() async throws {
    try await TestTool.expectPass("decoder-kills", ["--kills", "6"], limit: 300)
  }

  @Test("The control: where something holds a decoder over the kill the same run fails")
  func held() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/decoder-kills").path,
      ["--binary", Player.path, "--out", directory.path("out"), "--kills", "1", "--leave"], limit: 300)
    #expect(outcome.status != 0 && outcome.errors.contains("left:"), "\(outcome.output)\(outcome.errors)")
  }
}
