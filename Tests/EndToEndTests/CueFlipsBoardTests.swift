import Foundation
import KioskTestSupport
import Testing

/// When cues go out, compared with the flip that shows their frame. On the virtual board, whose card tells its flips.
@Suite(
  "Cues and flips on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct CueFlipsBoardTests {
  /// Four cues a second over 25 seconds of a film of 30 frames a second.
  private static let times = (1...100).map { Double($0) / 4 }
  private static let framesPerSecond = 30.0

  /// The seconds from the flip that shows each cue's frame until another program has the cue.
  private func delays(isVirtualTime: Bool) async throws -> [Double] {
    let cues = Self.times.map {
      "[[cue]]\non = \"time\"\nplaylist = \"main\"\nat = \($0)\nsend = \"udp://127.0.0.1:4000\"\ntext = \"\($0)\"\n"
    }
    let run = try await Board.run(
      """
      ip link set lo up
      cat > /tmp/v.toml <<END
      version = 1
      [[playlist.main.item]]
      uri = "$MEDIA/h264-60s-640x360-30.mp4"
      \(cues.joined())
      END
      cat > /tmp/hear.py <<'END'
      import socket, time
      ear = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      ear.bind(("127.0.0.1", 4000))
      while True:
          text = ear.recv(100).decode()
          print(f"{time.time():.6f} {text}", flush=True)
      END
      python3 /tmp/hear.py > /run/out/heard & ear=$!
      kms-flips -i 500 > /run/out/flips & flips=$!
      sleep 1
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never \\
        --report /run/out/r.json 2> /run/out/log & player=$!
      for i in $(seq 900); do [ "$(wc -l < /run/out/heard)" -lt \(Self.times.count) ] || break; sleep 0.1; done
      # The picture that stays tells the number of the frame of the last flip.
      kill -STOP $player; sleep 0.3; kill $ear $flips; kms-screenshot /run/out/last.ppm; kill -CONT $player
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """, isVirtualTime: isVirtualTime)
    let log = (try? run.text("log")) ?? run.outcome.errors
    #expect(try run.text("status") == "0\n", "\(log)")
    let heard = try run.text("heard").split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    #expect(heard.map { $0[1] } == Self.times, "each once, in their order: \(heard)")
    let flips = try run.text("flips").split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
    // The picture's plane changes most often.
    let film = try #require(Dictionary(grouping: flips) { $0[1] }.values.max { $0.count < $1.count }).map {
      $0[0] / 1e6
    }
    let (last, picture) = (try #require(film.last), try await Pixels(path: run.directory.path("last.ppm")))
    let number = try #require(picture.frameNumber(x: 0, y: 60, width: 640))
    return heard.map { cue in
      let frame = (cue[1] * Self.framesPerSecond).rounded(.up)
      let due = last - (Double(number) - frame) / Self.framesPerSecond
      return cue[0] - (film.min { abs($0 - due) < abs($1 - due) } ?? 0)
    }
  }

  @Test("100 cues reach another program within one frame of the flip that shows their frame")
  func virtualTime() async throws {
    let delays = try await delays(isVirtualTime: true)
    #expect(delays.allSatisfy { abs($0) <= 1 / Self.framesPerSecond }, "\(delays)")
    print("cues after their flips, virtual time: \(Self.words(delays))")
  }

  @Test(
    "The same in real time, measured: a busy machine may be late",
    .long)
  func realTime() async throws {
    let delays = try await delays(isVirtualTime: false)
    print("cues after their flips, real time: \(Self.words(delays))")
  }

  private static func words(_ delays: [Double]) -> String {
    let sorted = delays.map { abs($0) * 1000 }.sorted()
    func share(_ part: Double) -> Double { (sorted[Int(Double(sorted.count - 1) * part)] * 10).rounded() / 10 }
    return "median \(share(0.5)) ms, p99 \(share(0.99)) ms, most \(share(1)) ms"
  }
}
