import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Screens plugged and unplugged by real hotplug events of the kernel.
@Suite(
  "Hotplug on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct HotplugBoardTests {
  /// Each frame has its number in it; the clip has 30 frames a second for 60 s.
  private static let clip = "h264-60s-640x360-30.mp4"

  /// Shell functions: a device `board`, plugs, a player in the background.
  private static let tools = """
    plug() { echo 1 > "/sys/kernel/config/vkms/board/connectors/$1/status"; }
    unplug() { echo 2 > "/sys/kernel/config/vkms/board/connectors/$1/status"; }
    printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/\(clip)" > /tmp/v.toml
    start() {
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd never \\
        --report /run/out/r.json "$@" 2> /run/out/log & player=$!
    }
    shot() { kms-screenshot -d "$card" "/run/out/$1.ppm"; }
    stop() { kill -TERM $player; wait $player; echo $? > /run/out/status; }

    """

  private func number(_ run: Board.Run, _ shot: String) async throws -> Int? {
    try await Pixels(path: run.directory.path("\(shot).ppm")).frameNumber(x: 0, y: 60, width: 640)
  }

  @Test("A screen that is reopened leaks no file descriptor")
  func descriptors() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        start --confirm-after 1; sleep 5
        count() { ls /proc/$player/fd | wc -l >> /run/out/counts; }
        count
        for turn in 1 2 3 4; do
          unplug 0; sleep 4; plug 0; sleep 4
          count
        done
        stop
        """, devices: "none")
    let counts = try run.text("counts").split(separator: "\n").compactMap { Int($0) }
    #expect(counts.count == 5 && counts.dropFirst(2).allSatisfy { $0 == counts[1] }, "\(counts)\n\(run.log)")
    #expect(counts[4] <= counts[0] + 2, "\(counts)")
  }

  @Test("Without a screen at boot the player waits, and plays within 2 s of the plug")
  func bootUnplugged() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback --disconnected)
        start; sleep 20
        plug 0; sleep 2; shot first
        stop
        """, devices: "none")
    #expect(try run.text("status") == "0\n", "\(run.log)")
    let first = try #require(try await number(run, "first"))
    #expect((0...60).contains(first))
    let log = try run.text("log")
    #expect(log.split(separator: "\n").filter { $0.contains("waiting for a screen") }.count == 1, "\(log)")
  }

  @Test("An unplugged screen pauses the item at its position, for 1 s and for 60 s", arguments: [1, 60])
  func unplugged(seconds: Int) async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        start; sleep 10
        shot before; unplug 0; sleep \(seconds)
        kms-planes -d "$card" > /run/out/planes
        plug 0; sleep 2; shot after
        stop
        """, devices: "none")
    #expect(try run.text("status") == "0\n", "\(run.log)")
    #expect(try Board.planes(try run.text("planes")).filter(\.isLit).isEmpty)
    let before = try #require(try await number(run, "before"))
    let after = try #require(try await number(run, "after"), "no picture 2 s after the plug")
    // Within a second before the position and two after it.
    #expect((before - 30...before + 60).contains(after), "\(before), \(after)")
  }

  @Test("With unplugged = play the item runs on without a screen")
  func goesOn() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        start --unplugged play; sleep 5
        shot before; unplug 0; sleep 20
        plug 0; sleep 2; shot after
        stop
        """, devices: "none")
    let before = try #require(try await number(run, "before"))
    let after = try #require(try await number(run, "after"), "\(run.log)")
    #expect((before + 20 * 30...before + 24 * 30).contains(after), "\(before), \(after)")
  }

  @Test("Another connector takes over, in its screen's preferred mode")
  func anotherConnector() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --connectors 2 --writeback)
        unplug 1
        start; sleep 5
        shot before; unplug 0; sleep 5
        plug 1; sleep 2; shot after
        cp /run/out/log /run/out/outputs
        stop
        """, devices: "none")
    let before = try #require(try await number(run, "before"))
    let after = try #require(try await number(run, "after"), "\(run.log)")
    #expect((before - 30...before + 60).contains(after), "\(before), \(after)")
    let outputs = try run.text("outputs").split(separator: "\n").filter { $0.contains("output: ") }
    #expect(outputs.count == 2)
    #expect(outputs.first?.contains("Virtual-1") == true && outputs.last?.contains("Virtual-2") == true, "\(outputs)")
  }

  @Test("The player keeps the card while its screen is unplugged")
  func keepsTheCard() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        start; sleep 3
        unplug 0; sleep 3
        kms-hold "$card" > /run/out/hold 2>&1 & sleep 1
        plug 0; sleep 2; shot after
        stop
        """, devices: "none")
    #expect(try await number(run, "after") != nil, "\(run.log)")
  }

  @Test("SIGUSR1 switches the screen off and pauses, SIGUSR2 switches it on; a plugged screen stays off meanwhile")
  func power() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        state() { grep -c 'active=1' /sys/kernel/debug/dri/0/state >> /run/out/states; }
        start; sleep 5
        shot before; kill -USR1 $player; sleep 10; state
        kill -USR2 $player; sleep 1; state; shot after
        # Off and on at once ends on, twice the same is once.
        kill -USR1 $player; kill -USR1 $player; sleep 0.01; kill -USR2 $player; sleep 2; state
        kill -USR1 $player; sleep 1; unplug 0; sleep 2; plug 0; sleep 2; state
        kill -USR2 $player; sleep 1; state; shot last
        kill -USR1 $player; sleep 1
        stop; state
        """, devices: "none")
    #expect(try run.text("status") == "0\n", "\(run.log)")
    #expect(try run.text("states") == "0\n1\n1\n0\n1\n0\n", "\(run.log)")
    let before = try #require(try await number(run, "before"))
    let after = try #require(try await number(run, "after"))
    #expect((before - 30...before + 60).contains(after), "\(before), \(after)")
    #expect(try await number(run, "last") != nil)
  }

  @Test("The schedule switches the screen off and on")
  func schedule() async throws {
    let run = try await Board.run(
      """
      list='version = 1\n[[playlist.main.item]]\nuri = "%s"\n'
      printf "$list[[schedule.off]]\nfrom = 2020-01-01\n" "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
      lit() { grep -c 'active=1' /sys/kernel/debug/dri/0/state >> /run/out/lit; }
      "$VITRINE" run --config /tmp/v.toml --output kms --report /run/out/r.json 2> /run/out/log & player=$!
      sleep 4; lit
      printf "$list" "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
      sleep 6; lit
      kill -TERM $player; wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(try run.text("lit") == "0\n1\n", "\(log)")
    #expect((try Report.read(run.directory.path("r.json"))?.framesRendered ?? 0) > 30)
  }

  @Test(
    "50 plugs leak no descriptor, framebuffer or memory, and show the same position's picture each time",
    .long)
  func manyPlugs() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        measure() {
          echo "$(ls /proc/$player/fd | wc -l) $(grep -c '^framebuffer\\[' /sys/kernel/debug/dri/0/framebuffer) \\
            $(awk '/VmRSS/ { print $2 }' /proc/$player/status) $(ls /proc/$player/task | wc -l)" >> /run/out/measures
        }
        start; sleep 3
        shot 0
        for cycle in $(seq 50); do
          unplug 0; sleep 0.5; plug 0; sleep 2
          shot $cycle
          kms-planes -d "$card" | grep -c '"type":"overlay".*"fb":[1-9]' >> /run/out/lit
          [ $((cycle % 10)) -ne 0 ] || measure
        done
        stop
        """, devices: "none", limit: 900)
    #expect(try run.text("status") == "0\n", "\(run.log)")
    #expect(try run.text("lit").split(separator: "\n").map(String.init) == Array(repeating: "1", count: 50))
    var before = try #require(try await number(run, "0"))
    for cycle in 1...50 {
      let after = try #require(try await number(run, "\(cycle)"), "no picture after plug \(cycle)")
      // The clip repeats after 1800 frames.
      #expect((-30...60).contains((after - before + 900 + 1800) % 1800 - 900), "\(cycle): \(before), \(after)")
      before = after
    }
    let measures = try run.text("measures").split(separator: "\n")
      .map { $0.split(separator: " ").compactMap { Int($0) } }
    let (first, last) = (try #require(measures.first), try #require(measures.last))
    #expect(measures.count == 5 && first.count == 4, "\(measures)")
    #expect(last[0] <= first[0] && last[1] <= first[1] && last[3] <= first[3], "\(measures)")
    // Each plug from the 10th to the 50th leaves less than a frame (640x360 is 340 kB). The allocator takes some
    // megabytes at once.
    #expect(last[2] - first[2] < 40 * 200, "\(measures)")
  }
}

extension Board.Run {
  /// The player's log; the board's errors when the player didn't start.
  fileprivate var log: String { (try? text("log")) ?? outcome.errors }
}
