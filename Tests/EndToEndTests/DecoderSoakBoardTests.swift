import Foundation
import KioskTestSupport
import Testing

/// Short runs of `make test-decoders`, which takes a thousand.
@Suite(
  "Playlists through the board's decoders, on the virtual board",
  .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
struct DecoderSoakBoardTests {
  @Test(
    "No decoder copies or drops a frame, leaks a framebuffer or shows black, with faults of decoders too",
    arguments: Board.cases(usual: 2, [("well", 10), ("silent", 19), ("late", 10), ("hang", 36), ("few", 9)]))
  func soak(decoders: String, transitions: Int) async throws {
    try await TestTool.expectPass(
      "soak",
      [
        "--list", "hardware", "--decoders", decoders, "--transitions", "\(transitions)", "--no-audio", "--checksums",
        "seams",
      ], limit: 300)
  }

  @Test("The control: the run fails where frames are copied")
  func copied() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/soak").path,
      [
        "--binary", Player.path, "--out", directory.path("out"), "--list", "hardware", "--decoders", "copied",
        "--transitions", "9", "--no-audio",
      ], limit: 300)
    #expect(outcome.status != 0 && outcome.errors.contains("frames were copied"), "\(outcome.output)\(outcome.errors)")
    #expect(outcome.errors.contains("frames were processed"))
  }

  @Test("A player killed with decoders at work leaves nothing behind, and the next one uses them")
  func kills() async throws {
    try await TestTool.expectPass("decoder-kills", ["--kills", "6"], limit: 300)
  }

  @Test("The control: the run fails where something holds a decoder over the kill")
  func held() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/decoder-kills").path,
      ["--binary", Player.path, "--out", directory.path("out"), "--kills", "1", "--leave"], limit: 300)
    #expect(outcome.status != 0 && outcome.errors.contains("left:"), "\(outcome.output)\(outcome.errors)")
  }
}
