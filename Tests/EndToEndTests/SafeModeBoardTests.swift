import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// GStreamer 1.22 only: its decoder crashes with HEVC that has entry points for wavefronts (WPP), which x265 makes by
/// default. A real fault of a real decoder, with the board's driver visl.
@Suite(
  "A decoder of the board that crashes", .serialized,
  .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"),
  .enabled(if: !GStreamerHere.isNewer, "GStreamer of Debian 12 has this fault, and newer ones don't"))
struct SafeModeBoardTests {
  /// `loop COUNT` starts the player again until it ends with 0; `ends` lists the exit codes. `films` prints `list`'s
  /// films.
  private static let tools = """
    export STATE_DIRECTORY=/tmp/state RUNTIME_DIRECTORY=/run/vitrine
    mkdir -p /tmp/state /run/vitrine /tmp/etc
    list() { # FILES
      { echo 'version = 1'; echo 'playback.picture_duration = 60'; for file in "$@"; do printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$file"; done; } > /tmp/etc/vitrine.toml
    }
    loop() { # COUNT, then options
      count=$1; shift
      timeout 100000 "$PROJECT/Tests/Tools/restart-loop" "$count" /run/out/ends "$VITRINE" run -v --config /tmp/etc \\
        --output kms --mode 640x480 --no-audio --report /run/out/r.json "$@" >> /run/out/log 2>&1
      echo $? > /run/out/status
      cp -r /tmp/state /run/out/state; cp /run/vitrine/* /run/out/
    }

    """

  @Test(
    "HEVC with wavefronts through v4l2slh265dec is left out from the third crash on, and the others play")
  func wavefronts() async throws {
    let run = try await Board.run(
      Self.tools + """
        list "$DECODER_MEDIA/h264-640x480.mp4" "$DECODER_MEDIA/hevc-wavefronts-640x480.mp4" "$DECODER_MEDIA/vp9-640x480.webm"
        loop 6 --for 14
        """, hasMedia: true)
    let log = try run.text("log")
    #expect(try run.text("ends") == "139\n139\n0\n", "\(log)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    let bad = try #require(report.items.first { $0.uri.contains("wavefronts") })
    #expect(bad.errors.contains { $0.number == 3040 }, "\(bad)")
    #expect(
      report.items.filter { !$0.uri.contains("wavefronts") }.allSatisfy { $0.errors.isEmpty && $0.status == "played" })
    let begun = log.matches(of: #/vitrine: item \d+: file:\S*/([a-z0-9]+)-/#).map { String($0.1) }
    #expect(begun.suffix(4).allSatisfy { $0 != "hevc" } && Set(begun.suffix(2)) == ["h264", "vp9"], "\(begun)")
    #expect(log.contains("died by signal 11 (SIGSEGV)") && log.contains("hevc-wavefronts"), "\(log)")
  }

  @Test("Five crashes lead to safe mode, where the films play in software; ten good minutes end it")
  func safeMode() async throws {
    let run = try await Board.run(
      Self.tools + """
        for number in 1 2 3; do cp "$DECODER_MEDIA/hevc-wavefronts-640x480.mp4" /tmp/$number.mp4; echo $number >> /tmp/$number.mp4; done
        list /tmp/1.mp4 "$MEDIA/picture-640x480.jpg" /tmp/2.mp4 /tmp/3.mp4
        loop 7 --for 900
        """, hasMedia: true, limit: 240)
    let log = try run.text("log")
    let ends = try run.text("ends").split(separator: "\n").map(String.init)
    #expect(ends.prefix(5) == ["139", "139", "139", "139", "139"], "\(ends) \(log)")
    // Safe mode ends after ten minutes and hands over to the next process.
    #expect(ends.count > 5 && ends[5] == "75", "\(ends) \(log)")
    #expect(log.contains("(error 7512)"))
    let safe = try #require(log.components(separatedBy: "(error 7512)").last)
    #expect(safe.contains("3.mp4") && safe.contains("safe mode is left"), "\(safe)")
  }
}
