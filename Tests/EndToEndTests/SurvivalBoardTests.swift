import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// The picture outlives the process on real KMS: a keeper holds the card's file, and the next process takes it over.
@Suite(
  "A picture that outlives its process, on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct SurvivalBoardTests {
  @Test(
    "After a kill the last picture stays until the next process's first frame (make test-deaths: 1,000 kills)",
    arguments: Board.cases(usual: 2, ["touched", "screens", "composed", "loop", "bar"]))
  func kills(scene: String) async throws {
    try await TestTool.expectPass(
      "process-kills", ["--scenes", scene, "--kills", "7", "--within", "0.4"], limit: 200)
  }

  @Test(
    "The last picture also stays when its frames came from a dead decoder",
    .enabled(if: Board.mediaMissing == nil, "\(Board.mediaMissing ?? "")"))
  func decoderKills() async throws {
    try await TestTool.expectPass(
      "process-kills", ["--scenes", "decoders", "--kills", "5", "--within", "0.4"], limit: 200)
  }

  @Test("The control: without a keeper the picture goes")
  func notKept() async throws {
    let directory = try TemporaryDirectory()
    let outcome = try await Tool.run(
      Tool.root.appending(path: "Tests/Tools/process-kills").path,
      [
        "--binary", Player.path, "--out", directory.path("out"), "--scenes", "loop", "--kills", "1", "--within", "0.5",
        "--no-keep",
      ], limit: 200)
    #expect(outcome.status != 0 && outcome.errors.contains("went dark"), "\(outcome.output)\(outcome.errors)")
  }

  /// A keeper, with a player that reads its arguments from /tmp/arguments. `next` kills the player and waits for the
  /// following one, `facts NAME` records lit planes and framebuffers.
  private static let tools = """
    export SWIFT_BACKTRACE=enable=no
    film="$MEDIA/h264-640x360-30-2s.mp4"
    printf '#!/bin/bash\\nread -r -a words < /tmp/arguments\\nexec "%s" "${words[@]}" 2>> /run/out/log\\n' "$VITRINE" > /tmp/player
    arguments() { echo "play -v --loop --no-audio --output kms $* $film" > /tmp/arguments; }
    keep() { kms-keeper "$@" -- bash /tmp/player >> /run/out/keeper & keeper=$!; sleep 1.5; }
    next() { kill "-${1:-KILL}" "$(pgrep -P $keeper)"; sleep 1.5; }
    facts() {
      kms-planes -d "$card" > "/run/out/$1.planes"
      grep -c '^framebuffer' /sys/kernel/debug/dri/0/framebuffer > "/run/out/$1.framebuffers"
      kms-screenshot -d "$card" "/run/out/$1.ppm"
    }
    stop() { kill -TERM $keeper; wait $keeper; echo $? > /run/out/status; kms-planes -d "$card" > /run/out/after.planes; }

    """

  private func takeovers(_ run: Board.Run) throws -> Int {
    try run.text("log").components(separatedBy: "the last picture stays").count - 1
  }

  /// Expects the lit planes, and no more framebuffers than a player has that follows no dead one.
  private func expectWhole(
    _ run: Board.Run, _ name: String, lit: [String] = ["primary", "overlay"],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let planes = try Board.planes(try run.text("\(name).planes")).filter(\.isLit)
    #expect(planes.map(\.type) == lit, "\(name)", sourceLocation: sourceLocation)
    let framebuffers = try #require(Int(try run.text("\(name).framebuffers").dropLast()))
    // The background, and the frames that the sink holds at a time.
    #expect(framebuffers <= 5, "\(name)", sourceLocation: sourceLocation)
  }

  @Test(
    "A next player with another mode, plane or rotation gets it, and nothing of the dead player stays"
  )
  func otherWishes() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        arguments --mode 640x480 --osd never; keep; facts first
        arguments --mode 800x600 --osd never; next; facts mode
        arguments --mode 800x600 --osd never --rotation 180; next; facts turn
        next; facts turned
        arguments --mode 800x600 --osd always; next; facts back
        arguments --mode 800x600 --osd never; next; facts bar
        arguments --output headless --size 640x480; next; facts unseen
        stop
        """, devices: "none")
    let log = try run.text("log")
    for name in ["first", "mode", "turn", "turned", "bar"] { try expectWhole(run, name) }
    try expectWhole(run, "back", lit: ["primary", "overlay", "overlay"])
    // A new mode never takes the picture over; a new rotation does where the plane rotates.
    let planes = try Board.planes(try run.text("mode.planes")).filter(\.isLit)
    #expect(planes.first?.width == 800 && planes.first?.height == 600)
    #expect(try takeovers(run) >= 2, "\(log)")
    // A player without a screen gives the card back.
    #expect(try Board.planes(try run.text("unseen.planes")).filter(\.isLit).isEmpty, "\(log)")
    #expect(try run.text("keeper").contains("forget card0"))
    #expect(try run.text("status") == "0\n")
    let turned = try await Pixels(path: run.directory.path("turned.ppm"))
    #expect(turned.width == 800)
  }

  @Test("A clean end, also at the end of a playlist, gives the card back dark and free for others")
  func cleanEnd() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=/dev/dri/card0
        arguments --mode 640x480 --osd never; keep; next; stop
        timeout 0.5 kms-hold "$card" > /run/out/free
        echo "play --no-audio --output kms --mode 640x480 $film" > /tmp/arguments; keep
        sleep 2; wait $keeper; echo $? >> /run/out/status
        timeout 0.5 kms-hold "$card" >> /run/out/free
        kms-planes > /run/out/last.planes
        """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n0\n", "\(log)")
    #expect(try run.text("free") == "holding /dev/dri/card0\nholding /dev/dri/card0\n")
    for name in ["after", "last"] {
      #expect(try Board.planes(try run.text("\(name).planes")).filter(\.isLit).isEmpty)
    }
    let keeper = try run.text("keeper").split(separator: "\n").map(String.init)
    #expect(keeper.filter { $0 == "forget card0" }.count == 2, "\(keeper)")
    #expect(keeper.filter { $0 == "died 0 0" }.count == 2, "nothing is kept at the end: \(keeper)")
  }

  @Test("While the keeper holds the card without a player, other programs name it")
  func holder() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=/dev/dri/card0
        arguments --mode 640x480 --osd never; keep --delay 1500
        kill -KILL "$(pgrep -P $keeper)"; sleep 0.5
        "$VITRINE" play --no-audio --output kms "$film" 2> /run/out/other; echo $? > /run/out/code
        kms-planes > /run/out/held.planes
        sleep 2.5
        "$VITRINE" play --no-audio --output kms "$film" 2> /run/out/playing
        stop
        """)
    let other = try run.text("other")
    #expect(other.contains("another program drives the screen: kms-keeper (pid "), "\(other)")
    #expect(try run.text("playing").contains("vitrine (pid "))
    #expect(try run.text("code") == "69\n")
    // The last picture stays meanwhile.
    #expect(try Board.planes(try run.text("held.planes")).filter(\.isLit).count == 2)
  }

  @Test(
    "A screen unplugged or asleep while its player is dead has a picture after it, and no leftover planes"
  )
  func pluggedAndAsleep() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 2 --writeback)
        plug() { echo "$1" > /sys/kernel/config/vkms/board/connectors/0/status; }
        arguments --mode 640x480 --osd never --wait-for-display; keep --delay 500
        kill -KILL "$(pgrep -P $keeper)"; plug 2; sleep 2
        plug 1; sleep 2; facts back
        kill -USR1 "$(pgrep -P $keeper)"; sleep 1
        next KILL; sleep 1; facts awake
        stop
        """, devices: "none")
    let log = try run.text("log")
    #expect(log.contains("waiting for a screen"), "\(log)")
    try expectWhole(run, "back")
    try expectWhole(run, "awake")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(try Board.planes(try run.text("after.planes")).filter(\.isLit).isEmpty)
  }

  @Test(
    "Two screens become one and two again over deaths: leases are taken over or revoked, without leftovers")
  func fewerScreens() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays 4 --connectors 2 --writeback)
        config() { # SCREENS
          printf 'version = 1\\n[[playlist.main.item]]\\nuri = "%s"\\n' "$film" > /tmp/v.toml
          for screen in $(seq "$1"); do printf '[[screen]]\\nname = "s%s"\\nconnector = "Virtual-%s"\\n' "$screen" "$screen"; done >> /tmp/v.toml
        }
        echo "run --config /tmp/v.toml -v --no-audio --output kms --mode 640x480 --osd never" > /tmp/arguments
        config 2; keep; facts two
        next; facts again
        config 1; next; facts one
        config 2; next; facts more
        next; facts still
        stop
        """, devices: "none")
    let log = try run.text("log")
    let both = ["primary", "primary", "overlay", "overlay"]
    for name in ["two", "again", "more", "still"] {
      #expect(try Board.planes(try run.text("\(name).planes")).filter(\.isLit).map(\.type) == both, "\(name): \(log)")
      #expect(try #require(Int(try run.text("\(name).framebuffers").dropLast())) <= 10)
    }
    try expectWhole(run, "one")
    // Both screens are taken over, twice.
    #expect(try takeovers(run) >= 4, "\(log)")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(try Board.planes(try run.text("after.planes")).filter(\.isLit).isEmpty)
    #expect(try run.text("keeper").split(separator: "\n").last == "died 0 0")
  }

  @Test("A process that asks to be replaced, because pipelines hang, leaves its picture as a dead one does")
  func replaced() async throws {
    let directory = try TemporaryDirectory()
    let made = try await Tool.run(
      "make", ["-C", Tool.root.appending(path: "Tests/Tools/hang").path, "BUILD=\(directory.url.path)"])
    try #require(made.status == 0, "\(made.errors)")
    let run = try await Board.run(
      Self.tools + """
        card=/dev/dri/card0
        mkdir -p /run/state /run/media; cd /run/media
        # Two of them: each has hung once when the first process goes, twice when the second does, and is left out then.
        for clip in hangs-down hangs-down-too good; do cp "$film" $clip.mp4; done
        printf 'version = 1\n[audio]\nenabled = false\n' > config.toml
        for clip in hangs-down hangs-down-too good; do printf '[[playlist.main.item]]\nuri = "%s.mp4"\n' $clip >> config.toml; done
        printf '#!/bin/bash\nLD_PRELOAD=%s STATE_DIRECTORY=/run/state exec "%s" run --config config.toml -v --osd never --output kms --mode 640x480 2>> /run/out/log\n' \
          "\(directory.path("hang.so"))" "$VITRINE" > /tmp/player
        keep; kms-flips > /run/out/flips & flips=$!
        for try in $(seq 300); do [ "$(grep -c 'died 75' /run/out/keeper)" -lt 2 ] || break; sleep 0.1; done
        sleep 1; kill $flips
        facts end
        kill -KILL $keeper "$(pgrep -P $keeper)"
        """, limit: 90)
    withExtendedLifetime(directory) {}
    let log = try run.text("log")
    #expect(try run.text("keeper").components(separatedBy: "died 75 1").count == 3, "\(log)")
    // Flips of the picture's planes.
    let flips = try run.text("flips").split(separator: "\n").map { $0.split(separator: " ") }
    #expect(flips.count > 50 && !flips.contains { $0.last == "0" }, "\(log)")
    #expect(try takeovers(run) >= 2)
    try expectWhole(run, "end")
  }

  @Test("A dead player's pointer goes with the next first frame, and comes back with the mouse")
  func pointer() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=/dev/dri/card0
        mkfifo /tmp/touch; virtual-touch --no-touch --mouse < /tmp/touch > /dev/null & exec 3> /tmp/touch; sleep 0.5
        arguments --mode 640x480 --osd auto; keep --delay 300
        printf 'mouse 12 8\\nsleep 20\\nmouse 12 8\\n' >&3; sleep 0.3; facts moved
        kill -KILL "$(pgrep -P $keeper)"; sleep 0.2; kms-planes > /run/out/dead.planes
        sleep 2; facts next
        printf 'mouse 12 8\\nsleep 20\\nmouse 12 8\\n' >&3; sleep 0.3; facts again
        stop
        """, kernelArguments: ["vkms.enable_cursor=1"])
    let log = try run.text("log")
    func isPointing(_ name: String) throws -> Bool {
      try Board.planes(try run.text("\(name).planes")).contains { $0.type == "cursor" && $0.isLit }
    }
    #expect(try isPointing("moved") && isPointing("dead"), "\(log)")
    #expect(try !isPointing("next"), "\(log)")
    #expect(try isPointing("again"), "\(log)")
    #expect(try takeovers(run) == 1 && !isPointing("after"))
  }

  @Test("With a refresh rate that follows the films, the next process keeps the lit mode")
  func rate() async throws {
    let run = try await Board.run(
      Self.tools + """
        card=/dev/dri/card0
        gst-launch-1.0 -q videotestsrc pattern=ball num-buffers=240 ! video/x-raw,width=160,height=120,framerate=24/1 ! \
          jpegenc ! matroskamux ! filesink location=/tmp/slow.mkv
        printf '#!/bin/bash\nexport MORE_MODES="640x480@24 640x480@60" LD_PRELOAD=%s\nexec "%s" run --config /tmp/v.toml %s 2>> /run/out/log\n' \
          "$(dirname "$(command -v kms-crc)")/more-modes.so" "$VITRINE" \
          "-v --mode 640x480@match --no-audio --osd never --output kms" > /tmp/player
        printf 'version = 1\n[display]\nmatch_hold = 0\n[[playlist.main.item]]\nuri = "/tmp/slow.mkv"\n' > /tmp/v.toml
        keep; sleep 1; next; next
        stop
        """)
    let log = try run.text("log")
    #expect(log.components(separatedBy: " to 24.00 Hz").count == 2, "once, by the first: \(log)")
    #expect(log.components(separatedBy: "output: kms card0 Virtual-1 640x480@24.00").count == 3, "\(log)")
    #expect(try takeovers(run) == 2, "\(log)")
  }

  @Test(
    "A next process without a film shows the reason above the last picture, and after 3 s in its place",
    arguments: [2, 0])
  func message(overlays: Int) async throws {
    let run = try await Board.run(
      Self.tools + """
        card=$(make-device --overlays \(overlays) --writeback)
        cp "$film" /tmp/film.mp4
        printf 'version = 1\n[[playlist.main.item]]\nuri = "/tmp/film.mp4"\n' > /tmp/v.toml
        echo "run --config /tmp/v.toml -v --no-audio --output kms --mode 640x480 --osd never" > /tmp/arguments
        keep; echo text > /tmp/film.mp4
        kill -KILL "$(pgrep -P $keeper)"; sleep 2; facts early
        sleep 4; facts late
        cp "$film" /tmp/film.mp4; next; sleep 1; facts mended
        stop
        """, devices: "none")
    let log = try run.text("log")
    #expect(try takeovers(run) == 2, "\(log)")
    let early = try await Pixels(path: run.directory.path("early.ppm"))
    let late = try await Pixels(path: run.directory.path("late.ppm"))
    if overlays == 0 {
      #expect(early.frameNumber(x: 0, y: 60, width: 640) != nil, "the last picture, untouched")
      #expect(early.difference(from: late).worst > 24, "\(log)")
    } else {
      func lit(_ name: String) throws -> [String] {
        try Board.planes(try run.text("\(name).planes")).filter(\.isLit).map(\.type)
      }
      let beginning = try lit("early")
      #expect(beginning == ["primary", "overlay", "overlay"], "the message has a plane above the last picture: \(log)")
      #expect(try lit("late") == ["primary", "overlay"], "a dead player's picture behind a card: \(log)")
    }
    #expect(late.bytes.contains { $0 > 100 }, "there is something to read")
    try expectWhole(run, "mended", lit: overlays == 0 ? ["primary"] : ["primary", "overlay"])
    let mended = try await Pixels(path: run.directory.path("mended.ppm"))
    #expect(mended.frameNumber(x: 0, y: 60, width: 640) != nil)
  }
}
