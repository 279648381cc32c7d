import Foundation
import KioskTestSupport
import Testing

/// `vitrine displays --self-test`: half a minute that shows an owner the abilities of his board.
@Suite("The self-test")
struct SelfTestBoardTests {
  private struct Report: Decodable {
    struct Clip: Decodable {
      var name: String
      var decoder: String
      var is_hardware: Bool
      var driver: String
      var frames: Int
      var verdict: String
      var text: String
    }
    struct Item: Decodable {
      var clip: String
      var decoder: String?
      var frame_path: String?
      var frames_rendered: Int
    }
    struct Playback: Decodable {
      var frames_rendered: Int
      var frames_dropped: Int
      var processor_share: Double
      var items: [Item]
    }
    struct Problem: Decodable {
      var number: Int
      var text: String
    }
    var has_passed: Bool
    var clips: [Clip]
    var playback: Playback?
    var sound_devices: [String]
    var inputs: [String]
    var problems: [Problem]
  }

  private static let clips = ["h264.mp4", "h265.mp4", "vp8.webm", "vp9.webm"]
  private static let folder = Tool.root.appending(path: "deploy/self-test")

  private func report(_ text: String) throws -> Report { try JSONDecoder().decode(Report.self, from: Data(text.utf8)) }

  @Test(
    "Decoders in software give right pictures, all of them shown, and a wrong checksum fails",
    .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
  func software() async throws {
    let run = try await Board.run(
      """
      "$VITRINE" displays --self-test --clips "$PROJECT/deploy/self-test" --out /run/out/r.json > /run/out/said 2>&1
      echo $? > /run/out/status
      cp -r "$PROJECT/deploy/self-test" /tmp/clips
      sed -i '3s/ .*/ 00000000000000000000000000000000/' /tmp/clips/checksums
      "$VITRINE" displays --self-test --clips /tmp/clips --out /run/out/wrong.txt > /run/out/wrong-said 2>&1
      echo $? > /run/out/wrong-status
      """, limit: 240)
    let said = try run.text("said")
    let found = try report(run.text("r.json"))
    #expect(try run.text("status") == "0\n", "\(said) \(run.outcome.errors)")
    #expect(found.has_passed && found.problems.isEmpty, "\(found.problems)")
    #expect(found.clips.map(\.name) == Self.clips)
    for clip in found.clips {
      #expect(clip.verdict == "passed" && clip.frames == 30 && !clip.is_hardware, "\(clip)")
    }
    let playback = try #require(found.playback)
    #expect(playback.items.allSatisfy { $0.frames_rendered >= 30 && $0.frame_path != nil }, "\(playback)")
    #expect(playback.frames_dropped == 0)
    // The control: a wrong checksum fails.
    let wrong = try run.text("wrong.txt")
    #expect(try run.text("wrong-status") == "65\n")
    #expect(wrong.contains("FAIL h264.mp4: avdec_h264 gave 1 of 30 pictures wrong"), "\(wrong)")
    #expect(wrong.contains("error 3032") || wrong.contains("3032"), "\(wrong)")
    #expect(wrong.contains("ok   vp9.webm") && wrong.contains("Self-test of vitrine"), "\(wrong)")
  }

  @Test(
    "Decoders that draw their own pictures are reported so, and their frames go to the plane untouched",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func drawn() async throws {
    let run = try await Board.run(
      """
      LD_PRELOAD=$SCALING_CARD "$VITRINE" displays --self-test --clips "$PROJECT/deploy/self-test" --out /run/out/r.json \
        > /run/out/said 2>&1
      echo $? > /run/out/status
      LD_PRELOAD=$SCALING_CARD "$VITRINE" displays > /run/out/displays 2>&1
      for clip in h264.mp4 h265.mp4 vp8.webm vp9.webm; do
        "$VITRINE" check --probe "$PROJECT/deploy/self-test/$clip"
      done > /run/out/probed 2>&1
      """, hasMedia: true, limit: 240)
    let found = try report(run.text("r.json"))
    let said = try run.text("said")
    #expect(try run.text("status") == "0\n", "\(said)")
    for name in Self.clips {
      let clip = try #require(found.clips.first { $0.name == name })
      #expect(clip.verdict == "not_compared" && clip.driver == "visl" && clip.frames == 30, "\(clip)")
      #expect(clip.text.contains("test driver"))
      // The result is the hardware decoder's, not that of a decoder which replaced it.
      #expect(clip.is_hardware && clip.decoder.hasPrefix("v4l2sl"), "\(clip)")
      #expect(found.playback?.items.first { $0.clip == name }?.frame_path == "untouched", "\(name)")
    }
    // GStreamer 1.22 only: the discoverer alone would call all of them unplayable.
    let probed = try run.text("probed")
    for decoder in ["v4l2slh264dec", "v4l2slh265dec", "v4l2slvp8dec", "v4l2slvp9dec"] {
      #expect(probed.contains("by \(decoder), hardware"), "\(probed)")
    }
    let displays = try run.text("displays")
    #expect(displays.contains("H.264: v4l2slh264dec, in hardware; frames go to the plane as they are"), "\(displays)")
  }

  @Test("Without a screen the self-test runs the decoders and fails")
  func noScreen() async throws {
    guard !FileManager.default.fileExists(atPath: "/dev/dri/card0") else { return }
    let out = try TemporaryDirectory()
    let run = try await Tool.run(
      Player.path,
      ["displays", "--self-test", "--clips", Self.folder.path, "--out", out.path("r.txt")], limit: 120)
    let text = try String(contentsOfFile: out.path("r.txt"), encoding: .utf8)
    #expect(run.status == 65 && run.output.hasPrefix("FAILED"), "\(run.output) \(run.errors)")
    for name in Self.clips { #expect(text.contains("ok   \(name): "), "\(text)") }
    #expect(text.contains("not played: "))
  }

  @Test("Without its clips the self-test says where it looks for them; its options belong together")
  func noClips() async throws {
    let run = try await Tool.run(Player.path, ["displays", "--self-test", "--clips", "/nonexistent"], limit: 60)
    #expect(run.status == 66 && run.errors.contains("clips aren't installed"), "\(run.errors)")
    #expect(try await Tool.run(Player.path, ["displays", "--out", "x"], limit: 60).status == 64)
  }

  @Test("make install puts the clips where the program looks for them, each with its checksums")
  func installed() async throws {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make",
      ["-s", "-C", Tool.root.path, "install", "PREFIX=/usr", "DESTDIR=\(directory.url.path)", "BINARY=\(Player.path)"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await Tool.run(
      directory.path("usr/bin/vitrine"), ["displays", "--self-test", "--json"], limit: 120)
    let found = try report(run.output)
    #expect(found.clips.map(\.name) == Self.clips && found.clips.allSatisfy { $0.verdict == "passed" })
  }
}
