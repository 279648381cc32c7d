import Foundation
import KioskTestSupport
import Testing

/// The picture that a compositor ends up with when frames come faster than it composes.
@Suite(
  "Seeks while playback is paused, in a Wayland compositor", .serialized,
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/weston"), "Weston is not installed (make setup)"))
struct PausedSeekWaylandTests {
  private static let rounds = 16

  @Test("After a burst of seeks the last one's picture is on the screen (one burst in three ended with another)")
  func bursts() async throws {
    let directory = try TemporaryDirectory()
    let tools = Tool.root.appending(path: "Tests/Tools/weston")
    let media = try await Media.path("h264-60s-640x360-30.mp4")
    let configuration = try directory.write(
      "version = 1\n[[playlist.main.item]]\nuri = \"\(media)\"\n", as: "vitrine.toml")
    // Like a finger that lets go at any moment: 3 to 5 seeks to key frames, 6 to 14 ms apart.
    let driver = try directory.write(
      """
      import json, os, random, socket, subprocess, sys, time
      out, shot = sys.argv[1], sys.argv[2]
      random.seed(7)
      for _ in range(400):
          try:
              link = socket.socket(socket.AF_UNIX); link.connect(out + "/control"); break
          except OSError: time.sleep(0.05)
      answers = link.makefile()
      def send(verb, **values):
          link.sendall(json.dumps({"verb": verb, **values}).encode() + b"\\n")
          return json.loads(answers.readline())["result"]
      def screen(): return send("status")["screens"][0]
      time.sleep(2)
      send("pause")
      with open(out + "/places", "w") as places:
          for turn in range(\(Self.rounds)):
              before = screen()["counters"]["seeks"]
              for _ in range(random.choice([3, 4, 5])):
                  send("seek", to=random.randrange(2, 58) + 0.3, keyframe=True)
                  time.sleep(random.uniform(0.006, 0.014))
              # Until no seek has ended for a while: then the last one's frame is there, and the compositor has shown it.
              ended = before
              for _ in range(120):
                  time.sleep(0.5)
                  last, ended = ended, screen()["counters"]["seeks"]
                  if before < ended == last: break
              subprocess.run([shot, os.environ["XDG_RUNTIME_DIR"], f"{out}/{turn}.png"], check=True)
              print(screen()["playback"]["item"]["position_seconds"], file=places)
      """, as: "driver.py")
    let script = try directory.write(
      """
      '\(Player.path)' run --config '\(configuration)' --output wayland --osd never --no-audio \
        --control '\(directory.path("control"))' 2> '\(directory.path("log"))' & player=$!
      python3 '\(driver)' '\(directory.url.path)' '\(tools.appending(path: "weston-shot").path)' 2> '\(directory.path("driver"))'
      kill -TERM $player
      wait $player
      """, as: "script.sh")
    let outcome = try await Tool.run(
      tools.appending(path: "weston-headless").path,
      ["--size", "640x360", directory.path("run"), "--", "bash", script], limit: 600)
    #expect(try String(contentsOfFile: directory.path("driver"), encoding: .utf8) == "", "\(outcome.errors)")
    let told = try String(contentsOfFile: directory.path("places"), encoding: .utf8).split(separator: "\n").map {
      Int((try #require(Double($0)) * 30).rounded())
    }
    try #require(told.count == Self.rounds)
    var shown: [Int?] = []
    for turn in 0..<Self.rounds {
      shown.append(try await Pixels(path: directory.path("\(turn).png")).frameNumber(x: 0, y: 0, width: 640))
    }
    #expect(shown == told)
  }
}
