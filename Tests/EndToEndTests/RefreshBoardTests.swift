import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// `mode = "match"` on the virtual board: the checksum at each refresh shows how long each frame was up.
@Suite(
  "Refresh rates, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct RefreshBoardTests {
  /// The modes that the screen lists, besides the kernel's 640x480@59.94.
  private static let modes = [24, 25, 30, 50, 60].map { "640x480@\($0)" }.joined(separator: " ")
  private static let clip = """
    # NAME RATE FRAMES COLOUR: each frame another picture.
    clip() {
      gst-launch-1.0 -q videotestsrc pattern=ball num-buffers=$3 foreground-color=$4 ! \\
        video/x-raw,width=160,height=120,framerate=$2 ! jpegenc ! matroskamux ! filesink location="/tmp/$1.mkv"
    }
    """

  /// The number of refreshes for each picture, in order.
  private static func runs(_ text: String) -> [Int] {
    var (runs, last) = ([Int](), Substring())
    for line in text.split(separator: "\n") {
      guard let sum = line.split(separator: " ").last else { continue }
      if sum == last { runs[runs.count - 1] += 1 } else { runs.append(1) }
      last = sum
    }
    return runs
  }

  /// Plays clips of 24, 25, 30 and 50 frames a second for two seconds each, with checksums.
  private func play(_ arguments: String) async throws -> (runs: [Int], log: String, report: PlaybackReport?) {
    let run = try await Board.run(
      Self.clip + """

        clip a 24/1 48 0xffff4040; clip b 25/1 50 0xff40ff40; clip c 30/1 60 0xff4040ff; clip d 50/1 100 0xffffff40
        printf 'version = 1\\n[display]\\noutput = "kms"\\nmatch_hold = 0\\n[playback]\\nloop = false\\n' > /tmp/list.toml
        for clip in a b c d; do printf '[[playlist.main.item]]\\nuri = "/tmp/%s.mkv"\\n' $clip >> /tmp/list.toml; done
        MORE_MODES="\(Self.modes)" LD_PRELOAD=$(dirname "$(command -v kms-crc)")/more-modes.so "$VITRINE" run \\
          --config /tmp/list.toml \(arguments) --no-audio --osd never \\
          --report /run/out/r.json 2> /run/out/log & player=$!
        until grep -q 'output: kms' /run/out/log || ! kill -0 $player; do sleep 0.05; done
        kms-crc > /run/out/crc & crc=$!
        wait $player; kill $crc
        """)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    return (Self.runs(try run.text("crc")), try run.text("log"), try Report.read(run.directory.path("r.json")))
  }

  @Test("Frames of films with 24, 25, 30 and 50 fps stay for equal numbers of refreshes")
  func everyFrame() async throws {
    let (runs, log, report) = try await play("--mode 640x480@match")
    #expect(report?.framesRendered == 258 && report?.framesDropped == 0)
    for change in ["60.00 to 24.00", "24.00 to 50.00", "50.00 to 60.00", "60.00 to 50.00"] {
      #expect(log.contains("the screen changes from \(change) Hz"), "\(log)")
    }
    // The background comes before the first frame, and the former picture after the last.
    let isEven = (0...max(0, runs.count - 258)).contains { Self.areEven(runs.dropFirst($0)) }
    #expect(isEven, "\(runs)")
  }

  /// Whether each frame of each clip is shown for the same number of refreshes. A clip's last frame may stay during the
  /// change of mode, and the very first one may come a refresh early.
  private static func areEven(_ runs: ArraySlice<Int>) -> Bool {
    var left = runs
    for (index, (frames, refreshes)) in [(48, 1), (50, 2), (60, 2), (100, 1)].enumerated() {
      let shown = left.prefix(frames)
      let inside = shown.dropFirst(index == 0 ? 1 : 0).dropLast()
      guard shown.count == frames, inside.allSatisfy({ $0 == refreshes }) else { return false }
      left = left.dropFirst(frames)
    }
    return true
  }

  @Test("The control: at one fixed rate frames stay for 2, 3, 2, 3 refreshes")
  func oneRate() async throws {
    let (runs, log, report) = try await play("--mode 640x480@60")
    #expect(report?.framesRendered == 258 && !log.contains("the screen changes from"))
    #expect(Set(runs.dropFirst(3).prefix(40)) == [2, 3], "\(runs)")
  }
}
