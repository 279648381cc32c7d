import Foundation
import KioskCore
import KioskTestSupport
import PlaybackCore
import Testing

/// A board whose disk loses its power: data that wasn't flushed to the disk is gone.
@Suite("Coming back after a loss of power, on the virtual board (0141)")
struct ResumeBoardTests {
  private struct Boot {
    /// The saved places on the disk, before the player started.
    var found: SavedPlaces?
    var foundText: String
    var log: String
    var status: String
    /// The item that was opened first.
    var begunWith: Int? {
      log.firstRange(of: "preparing item ").flatMap { log[$0.upperBound...].first?.wholeNumberValue }
    }
  }

  /// A list of a short clip and a film of 20 minutes, on an ext4 disk that is mounted without any safety.
  private final class SmallBoard: Sendable {
    let directory: TemporaryDirectory
    let disk: String

    init() async throws {
      directory = try TemporaryDirectory()
      disk = try await Board.disk(in: directory)
      let film = directory.path("film.mp4")
      let made = try await Tool.run(
        "gst-launch-1.0",
        [
          "-q", "videotestsrc", "num-buffers=1200", "!", "video/x-raw,format=I420,width=160,height=90,framerate=1/1",
          "!", "x264enc", "key-int-max=10", "!", "mp4mux", "!", "filesink", "location=\(film)",
        ])
      try #require(made.status == 0, "\(made.errors)")
    }

    /// Boots and plays, runs `then` while `$player` still plays, and cuts the power.
    ///
    /// - Parameter resume: a line of the configuration.
    /// - Parameter waitsForDisk: uses the host's time: virtual time jumps ahead while all processes wait for the
    ///   disk, and a player that ends waits for half a second of it only.
    func boot(_ then: String, resume: String = "", options: String = "", waitsForDisk: Bool = false) async throws
      -> Boot
    {
      let run = try await Board.run(
        """
        \(Board.mountsDisk)
        mkdir -p /disk/state; cp /disk/state/places /run/out/found 2> /dev/null
        printf 'version = 1\\n[audio]\\nenabled = false\\n[playback]\\n\(resume)\\n' > /run/config.toml
        for clip in "$MEDIA/h264-640x360-30-2s.mp4" "\(directory.path("film.mp4"))"; do
          printf '[[playlist.main.item]]\\nuri = "%s"\\n' "$clip" >> /run/config.toml
        done
        STATE_DIRECTORY=/disk/state "$VITRINE" run -v --config /run/config.toml --osd never --output headless \\
          --size 320x180 \(options) 2> /run/out/log & player=$!
        \(then)
        \(Board.cutsPower)
        """, isVirtualTime: !waitsForDisk, devices: "none", disks: [disk], limit: 400)
      let text = (try? run.text("found")) ?? ""
      return Boot(
        found: SavedPlaces(bytes: Array(text.utf8)), foundText: text,
        log: (try? run.text("log")).flatMap { $0.isEmpty ? nil : $0 } ?? "\(run.outcome)",
        status: (try? run.text("status")) ?? "")
    }
  }

  private static let ends = "wait $player; echo $? > /run/out/status"

  @Test(
    "A film resumes at most ten minutes back, with one write in that time; a clean end saves its place",
    .enabled("the board's kernel has no ext4 (VITRINE_BOARD_KERNEL); board/virtual/build-kernel makes one that has") {
      try await Board.disksMissing() == nil
    }, .timeLimit(.minutes(15)))
  func comesBack() async throws {
    let board = try await SmallBoard()
    // A cut before the first write leaves no places and no errors.
    let first = try await board.boot("sleep 30")
    #expect(first.foundText == "")
    // The film begins after 2 s, and its place is saved after 600 s. While all processes wait for a busy host's disk,
    // virtual time jumps to the end of a sleep. So the script waits for the first frame and for the file, in sleeps
    // of a fifth of a second.
    let second = try await board.boot(
      """
      until grep -q 'first frame shown' /run/out/log; do sleep 0.1; done
      sleep 590; until [ -s /disk/state/places ]; do sleep 0.2; done; for _ in $(seq 200); do sleep 0.2; done
      """)
    #expect(second.foundText == "")
    #expect(second.log.components(separatedBy: "positions of playback are written").count == 2, "\(second.log)")
    let third = try await board.boot(Self.ends, options: "--for 5", waitsForDisk: true)
    let kept = try #require(third.found?.screens[""], "\(third.foundText)")
    #expect(kept.index == 1 && kept.list == "main" && (590...600).contains(kept.position.inSeconds), "\(kept)")
    #expect(third.status == "0\n" && third.begunWith == 2, "\(third.log)")
    // A clean end flushes its place, five seconds further on, to the disk.
    let fourth = try await board.boot("sleep 3", resume: "resume = \"item\"")
    let ended = try #require(fourth.found?.screens[""], "\(fourth.foundText)")
    #expect(abs((ended.position - kept.position).inSeconds - 5) <= 2, "\(ended) after \(kept)")
    // A damaged file counts as no place, without an error.
    let fifth = try await board.boot(
      "head -c 20 /run/out/found > /disk/state/places; sync", resume: "resume = \"item\"")
    #expect(fifth.found == fourth.found)
    let sixth = try await board.boot(Self.ends, resume: "resume = \"off\"", options: "--for 3", waitsForDisk: true)
    #expect(sixth.found == nil && sixth.foundText.count == 20)
    #expect(sixth.status == "0\n" && sixth.begunWith == 1, "\(sixth.log)")
    let seventh = try await board.boot("true")
    #expect(seventh.foundText == "", "off leaves nothing")
  }

  @Test(
    "After a cut within the last write the place is the old one or the new one",
    .enabled("the board's kernel has no ext4 (VITRINE_BOARD_KERNEL); board/virtual/build-kernel makes one that has") {
      try await Board.disksMissing() == nil
    }, .timeLimit(.minutes(15)))
  func cuts() async throws {
    let board = try await SmallBoard()
    _ = try await board.boot(Self.ends, options: "--for 4", waitsForDisk: true)
    var last: ResumePoint?
    for cut in 0..<(Board.isLong ? 60 : 4) {
      let boot = try await board.boot(
        "sleep 4; kill -TERM $player; sleep 0.0\(cut * 7 % 10)", waitsForDisk: true)
      let found = try #require(boot.found?.screens[""], "cut \(cut): \(boot.foundText)")
      #expect(
        last == nil || found == last || found.position >= (last?.position ?? .zero), "\(found) after \(last as Any)")
      last = found
    }
    #expect(last != nil)
  }
}
