import Foundation
import JSONText
import KioskTestSupport
import PlaybackCore
import Testing

/// The control socket of a player on a card, in virtual time: a request that costs too much would show as missing
/// frames.
@Suite(
  "Control on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct ControlBoardTests {
  private static let start = """
    printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$MEDIA/h264-60s-640x360-30.mp4" > /tmp/v.toml
    socket=/tmp/control
    "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --osd auto --control $socket \\
      --report /run/out/r.json 2> /run/out/log & player=$!
    ctl() { "$PLAYER" ctl "$@" --socket $socket; }
    stop() { kill -TERM $player; wait $player; echo $? > /run/out/status; }
    sleep 5

    """

  @Test("10,000 malformed messages, 1,000 connections and a deaf subscriber cost no frame and no megabyte")
  func flood() async throws {
    let run = try await Board.run(
      Self.start + """
        dirty() { awk '/^RssAnon/ { print $2 }' /proc/$player/status; }
        python3 "$PROJECT/Tests/Tools/control-flood" $socket --messages 1000 --connections 50 --seed 7 > /run/out/first
        sleep 1; dirty > /run/out/memory
        python3 "$PROJECT/Tests/Tools/control-flood" $socket > /run/out/flood
        sleep 1; dirty >> /run/out/memory
        ctl status --json > /run/out/status.json
        stop
        """)
    #expect(try run.text("status") == "0\n", "\(words(of: run))")
    let told = try JSONValue(parsing: try run.text("flood").utf8)
    #expect(told["ok"] == .boolean(true) && (told["refused"]?.wholeNumber ?? 0) >= 980, "\(told.compact)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(
      report.framesDropped == 0 && report.framesRendered > 150, "\(report.framesDropped) dropped; \(words(of: run))")
    let memory = try run.text("memory").split(separator: "\n").compactMap { Int($0) }
    #expect(memory.count == 2 && memory[1] - memory[0] < 1000, "\(memory) kB")
  }

  /// `make test-floods` and `make test-long` send all of them.
  private static let (messages, connections, bounces) = Board.isLong ? (10_000, 1000, 1000) : (400, 50, 300)

  @Test("Malformed lines and OSC, half-said connections, a busy serial line and a bouncing contact cost no frame")
  func doors() async throws {
    let run = try await Board.run(
      GPIOBoardTests.tools + """
        ip link set lo up; chip box BUTTON; pull box 0 up
        play <<END
        version = 1
        [control]
        listen = "127.0.0.1:4010"
        from = ["127.0.0.1"]
        [[input.serial]]
        device = "/dev/ttyBOX"
        [[input.gpio]]
        line = "BUTTON"
        press = "pause"
        [[playlist.main.item]]
        uri = "$MEDIA/h264-640x360-30-2s.mp4"
        END
        contact="/sys/devices/platform/$(cat "$sims/box/dev_name")/$(cat "$sims/box/bank/chip_name")/sim_gpio0/pull"
        exec {never}<> <(:)
        flood() {
          # Without a process for each bounce, which would take minutes here: read waits as sleep does.
          for i in $(seq "$3"); do
            for level in down up; do echo "pull-$level" > "$contact"; read -rt 0.004 -u "$never" || true; done
          done & bounces=$!
          python3 "$PROJECT/Tests/Tools/door-flood" 127.0.0.1:4010 --serial /dev/ttyBOX --messages "$1" --connections "$2"
          wait $bounces
        }
        # The least in two rounds of the film: each beginning of it takes 3 MB for a moment, and gives back what was freed.
        dirty() {
          for i in $(seq 20); do awk '/^RssAnon/ { print $2 }' /proc/$player/status; sleep 0.2; done | sort -n | head -n 1
        }
        # The first time it needs what it keeps.
        flood 400 50 100 > /run/out/first; dirty > /run/out/memory
        flood \(Self.messages) \(Self.connections) \(Self.bounces) > /run/out/flood; dirty >> /run/out/memory
        ends
        """, limit: Board.isLong ? 1200 : 400)
    #expect(try run.text("ended") == "0\n", "\(words(of: run))")
    let told = try JSONValue(parsing: try run.text("flood").utf8)
    #expect(told["ok"] == .boolean(true) && told["heard"]?.wholeNumber ?? 0 > 0, "\(told.compact)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesDropped == 0, "\(report.framesDropped) dropped")
    #expect(report.framesRendered > (Board.isLong ? 300 : 60))
    let memory = try run.text("memory").split(separator: "\n").compactMap { Int($0) }
    #expect(memory.count == 2 && memory[1] - memory[0] < 1000, "\(memory) kB")
    print("floods of doors: \(told.compact), \(memory) kB, \(report.framesRendered) frames")
  }

  @Test("A pause holds the frame, a message lights the overlay's plane, and the screen sleeps and wakes")
  func commands() async throws {
    let run = try await Board.run(
      Self.start + """
        card=$(ls /dev/dri/card* | head -n 1)
        planes() { kms-planes -d "$card" > "/run/out/$1"; }
        planes before; ctl message "Back at two" --for 5; sleep 1; planes message; sleep 6; planes after
        ctl screen off; sleep 1; planes off; ctl screen on; sleep 2; planes on
        # Last: a bar lies on the overlay's plane for as long as a pause lasts.
        ctl pause; sleep 1
        kms-screenshot -d "$card" /run/out/held1.ppm; sleep 3; kms-screenshot -d "$card" /run/out/held2.ppm
        ctl screenshot /run/out/shot.png
        ctl play; sleep 1; ctl status --json > /run/out/status.json
        stop
        """)
    #expect(try run.text("status") == "0\n", "\(words(of: run))")
    let (first, second) = (
      try await Pixels(path: run.directory.path("held1.ppm")), try await Pixels(path: run.directory.path("held2.ppm"))
    )
    let held = try #require(first.frameNumber(x: 0, y: 60, width: 640))
    #expect(second.frameNumber(x: 0, y: 60, width: 640) == held)
    // The player's composed picture equals the card's.
    #expect(try await Pixels(path: run.directory.path("shot.png")).frameNumber(x: 0, y: 60, width: 640) == held)
    func lit(_ name: String) throws -> Int { try Board.planes(try run.text(name)).count { $0.isLit } }
    #expect(try lit("message") > lit("before") && lit("after") == lit("before"))
    #expect(try lit("off") < lit("before") && lit("on") == lit("before"))
    let status = try JSONValue(parsing: try run.text("status.json").utf8)
    #expect(status["screens"]?.elements?.first?["output"] == .string("kms"))
  }

  @Test(
    "An alert lies above the film, wakes a screen that sleeps, and the screen sleeps again when it has gone by itself")
  func alert() async throws {
    let run = try await Board.run(
      Self.start + """
        card=$(ls /dev/dri/card* | head -n 1)
        planes() { kms-planes -d "$card" > "/run/out/$1"; }
        shot() { kms-screenshot -d "$card" "/run/out/$1.ppm"; }
        planes before; shot before
        ctl alert "Leave by stair B" --until 10m; sleep 1; shot above; ctl alert-end; sleep 1; shot after
        ctl screen off; sleep 2; planes off
        ctl alert "Leave by stair B" --until 6s --instead; sleep 2; planes woken; shot woken
        sleep 6; planes asleep; ctl screen on; sleep 2; planes on; shot on
        stop
        """)
    #expect(try run.text("status") == "0\n", "\(words(of: run))")
    func shot(_ name: String) async throws -> Pixels { try await Pixels(path: run.directory.path("\(name).ppm")) }
    let ground = (0xFF, 0xC2, 0x4B)
    let above = try await shot("above")
    #expect(above.isNear(2, 2, ground, within: 2) && above.isNear(637, 40, ground, within: 2))
    // The film goes on below the band.
    for name in ["before", "above", "after", "on"] {
      let film = try await shot(name).cropped(x: 0, y: 240, width: 640, height: 160)
      #expect(film.bytes.contains { $0 > 100 }, "\(name)")
      #expect(!film.isNear(320, 80, ground, within: 10), "\(name)")
    }
    #expect(try await !shot("after").isNear(2, 2, ground, within: 10))
    let woken = try await shot("woken")
    #expect([(2, 2), (637, 2), (2, 477), (637, 477)].allSatisfy { woken.isNear($0.0, $0.1, ground, within: 2) })
    func lit(_ name: String) throws -> Int { try Board.planes(try run.text(name)).count { $0.isLit } }
    #expect(try lit("off") < lit("before") && lit("woken") > lit("off"))
    #expect(try lit("asleep") == lit("off") && lit("on") == lit("before"))
  }

  @Test(
    "A card's screenshot equals the shown picture in each pixel; by default it is composed; a .jpg name gives a JPEG"
  )
  func writeback() async throws {
    let run = try await Board.run(
      Self.start + """
        card=$(ls /dev/dri/card* | head -n 1)
        ctl pause; sleep 1; ctl message "Back at two" --for 600; sleep 1
        kms-screenshot -d "$card" /run/out/true.ppm
        ctl screenshot /run/out/card.png --source writeback --json > /run/out/card.json
        ctl screenshot /run/out/card.jpg --source writeback --width 320 --json > /run/out/jpeg.json
        ctl screenshot /run/out/made.png --json > /run/out/made.json
        kms-planes -d "$card" > /run/out/planes; kms-screenshot -d "$card" /run/out/after.ppm
        ctl play; sleep 2; ctl status --json > /run/out/status.json
        stop
        """)
    #expect(try run.text("status") == "0\n", "\(words(of: run))")
    let real = try await Pixels(path: run.directory.path("true.ppm"))
    let card = try await Pixels(path: run.directory.path("card.png"))
    #expect(card.width == 640 && card.height == 480 && card.bytes == real.bytes)
    #expect(try await Pixels(path: run.directory.path("after.ppm")).bytes == real.bytes, "it has left no trace")
    func told(_ name: String) throws -> JSONValue { try JSONValue(parsing: try run.text("\(name).json").utf8) }
    #expect(try told("card")["source"]?.text == "writeback" && told("card")["type"]?.text == "image/png")
    #expect(try told("made")["source"]?.text == "composed")
    #expect(try told("jpeg")["type"]?.text == "image/jpeg" && told("jpeg")["height"] == .integer(240))
    let jpeg = try Data(contentsOf: run.directory.url.appending(path: "card.jpg"))
    #expect(jpeg.starts(with: [0xFF, 0xD8, 0xFF]))
    #expect(try await Pixels(path: run.directory.path("card.jpg")).width == 320)
    #expect(try Board.planes(try run.text("planes")).count { $0.isLit } == 3)
    #expect(try told("status")["health"]?.text == "healthy")
  }

  /// The player's log; the board's errors when the player didn't start.
  private func words(of run: Board.Run) -> String { (try? run.text("log")) ?? run.outcome.errors }
}
