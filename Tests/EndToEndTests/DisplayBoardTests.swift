import Foundation
import KioskTestSupport
import PlaybackCore
import Testing

/// Screens on the virtual board: exact devices, layouts, plugs; with planes that don't scale, and with planes that do.
@Suite(
  "Displays on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct DisplayBoardTests {
  @Test(
    "displays lists cards, screens and planes with the chosen ones marked, in text and --json",
    arguments: Board.Card.either)
  func displays(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      make-device --name hall --overlays 1 --connectors 2 > /run/out/hall
      make-device --name shop --overlays 2 > /run/out/shop
      echo 2 > /sys/kernel/config/vkms/hall/connectors/0/status
      "$VITRINE" displays > /run/out/text; echo $? > /run/out/status
      "$VITRINE" displays --json --card hall --mode 800x600 > /run/out/json
      echo 2 > /sys/kernel/config/vkms/hall/connectors/1/status
      "$VITRINE" displays --card hall > /run/out/none; echo $? >> /run/out/status
      VITRINE_BOARD_DIR=board VITRINE_BOARD=raspberry-pi-4 "$VITRINE" displays > /run/out/profile
      """, devices: "none", card: card)
    #expect(try run.text("status") == "0\n69\n", "\(run.outcome.errors)")
    let text = try run.text("text")
    #expect(text.contains("* /dev/dri/card1 (vkms, shop): free"), "\(text)")
    #expect(text.contains("Chosen (*): /dev/dri/card1 Virtual-3 "))
    #expect(text.contains("card1: its planes serve better than those of card0"))
    #expect(text.contains("Not yet proven on hardware"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(try run.text("json").utf8)) as? [String: Any])
    let choice = try #require(json["choice"] as? [String: Any])
    #expect(choice["card"] as? String == "/dev/dri/card0")
    #expect(choice["connector"] as? String == "Virtual-2")
    #expect(choice["mode"] as? String == "800x600@60.32")
    #expect(choice["layout"] as? String == "video-on-primary")
    let profile = try run.text("profile")
    #expect(profile.contains("Board: raspberry-pi-4\n") && profile.contains("    config.txt: disable_splash=1\n"))
    #expect(try run.text("none").contains("Nothing can be shown now: /dev/dri/card0: no screen is connected"))
  }

  /// A device with a number of overlay planes, and the planes that must be lit on it during playback.
  struct Layout: CustomTestStringConvertible, Sendable {
    var overlays: Int
    var lit: [String]
    var testDescription: String { "1 primary + \(overlays) overlays" }
  }

  static let devices = [
    Layout(overlays: 2, lit: ["primary", "overlay", "overlay"]), Layout(overlays: 1, lit: ["primary", "overlay"]),
    Layout(overlays: 0, lit: ["primary"]),
  ]

  @Test(
    "Every layout of planes shows the picture and the overlay in their places", arguments: DisplayBoardTests.devices,
    Board.Card.allCases)
  func picture(layout: Layout, card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays \(layout.overlays) --writeback)
      # 1:1 on the screen, with borders above and below.
      convert "$MEDIA/picture-640x480.jpg" -crop 640x360+0+60 +repage /tmp/picture.png
      play() { "$VITRINE" play --no-audio --osd always "$@" /tmp/picture.png; }
      play --output headless --size 640x480 --snapshot /run/out/expected.png --at 1.6 --for 2 || exit 1
      play --output kms --mode 640x480 --for 3 --report /run/out/r.json -v 2> /run/out/log & player=$!
      sleep 1.65
      kms-planes -d "$card" > /run/out/planes
      kms-screenshot -d "$card" /run/out/shot.ppm
      wait $player
      """, devices: "none", card: card)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    #expect(try Board.planes(try run.text("planes")).filter(\.isLit).map(\.type) == layout.lit)
    let expected = try await Pixels(path: run.directory.path("expected.png"))
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    let difference = shot.difference(from: expected)
    #expect(difference.mean < 2, "\(difference)")
    #expect(difference.worst <= 24 && difference.share > 0.5, "\(difference)")
    // The bar is there, so the comparison isn't of an empty picture.
    let bar = expected.cropped(x: 0, y: 420, width: 640, height: 60)
    #expect(bar.bytes.contains { $0 > 150 }, "no bar below the picture")
  }

  @Test(
    "Every layout shows every frame of a video and a moving overlay", arguments: DisplayBoardTests.devices,
    Board.Card.either)
  func video(layout: Layout, card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays \(layout.overlays) --writeback)
      "$VITRINE" play --no-audio --osd always --output kms --mode 640x480 --report /run/out/r.json \
        "$MEDIA/h264-aac-640x360-30.mp4" & player=$!
      sleep 1.5
      kms-screenshot -d "$card" /run/out/shot.ppm
      wait $player
      """, devices: "none", card: card)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.framesRendered == 120)
    #expect(report.framesDropped == 0)
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    let number = try #require(shot.frameNumber(x: 0, y: 60, width: 640))
    #expect((30...60).contains(number))
    let frame = try await Media.frame(number, of: "h264-aac-640x360-30.mp4", size: (640, 360))
    let part = shot.cropped(x: 0, y: 60, width: 640, height: 240)
    let difference = part.difference(from: frame.cropped(x: 0, y: 0, width: 640, height: 240))
    #expect(difference.mean < 2, "\(difference)")
    #expect(difference.worst <= 24 && difference.share > 0.5, "\(difference)")
  }

  @Test(
    "A changed overlay is shown over a still picture, also when it is drawn into the frames",
    arguments: Board.Card.either)
  func overlayOverStillPicture(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays 0 --writeback)
      "$VITRINE" play --no-audio --osd always --output kms --mode 640x480 --report /run/out/r.json \
        "$MEDIA/picture-640x480.jpg" & player=$!
      sleep 0.9; kms-screenshot -d "$card" /run/out/early.ppm
      sleep 6; kms-screenshot -d "$card" /run/out/late.ppm
      wait $player
      """, devices: "none", card: card)
    let early = try await Pixels(path: run.directory.path("early.ppm"))
    let late = try await Pixels(path: run.directory.path("late.ppm"))
    #expect(early.difference(from: late).worst > 24, "the bar has moved")
    // The frame is shown repeatedly and counted once.
    #expect(try Report.read(run.directory.path("r.json"))?.framesRendered == 1, "\(run.outcome.errors)")
  }

  @Test(
    "An error card is shown without a plane for it and before any item has played", arguments: Board.Card.either)
  func cardWithoutFrames(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays 0 --writeback)
      echo text > /tmp/broken.mp4
      printf 'version = 1\\n[[playlist.main.item]]\\nuri = "/tmp/broken.mp4"\\n' > /tmp/v.toml
      "$VITRINE" run --config /tmp/v.toml --no-audio --output kms --mode 640x480 --for 1 & player=$!
      sleep 4; kms-screenshot -d "$card" /run/out/shot.ppm
      wait $player
      """, devices: "none", card: card)
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    #expect(shot.bytes.contains { $0 > 100 }, "there is something to read")
  }

  /// A hundred starts take two minutes, too long for each `make test`.
  private var cycles: Int { Board.isLong ? 100 : 10 }

  @Test(
    "10 starts and 2 SIGKILLs (100 and 20 in a long run) each show a picture and leave no plane or framebuffer",
    arguments: Board.Card.either)
  func manyStarts(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays 2)
      clip="$MEDIA/h264-640x360-30-2s.mp4"
      lit() { kms-planes -d "$card" | grep -c '"fb":[1-9]'; }
      framebuffers() { grep -c '^framebuffer\\[' /sys/kernel/debug/dri/0/framebuffer; }
      run() { # SIGNAL
        "$VITRINE" play --loop --no-audio --output kms --mode 640x480 --osd always "$clip" 2>> /run/out/log & player=$!
        sleep 1
        echo "during $(lit)" >> /run/out/counts
        kill "-$1" $player; wait $player 2> /dev/null; code=$?
        sleep 0.1
        echo "after $1 $code $(lit) $(framebuffers)" >> /run/out/counts
      }
      for cycle in $(seq \(cycles)); do run TERM; done
      for cycle in $(seq \(cycles / 5)); do run KILL; done
      run TERM
      """, devices: "none", card: card, limit: 400)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let counts = try run.text("counts").split(separator: "\n").map(String.init)
    #expect(counts.count == (cycles + cycles / 5 + 1) * 2)
    #expect(counts.filter { $0.hasPrefix("during") }.allSatisfy { $0 == "during 3" }, "\(counts)")
    #expect(counts.filter { $0 == "after TERM 0 0 0" }.count == cycles + 1, "\(counts)")
    #expect(counts.filter { $0 == "after KILL 137 0 0" }.count == cycles / 5, "\(counts)")
  }

  @Test(
    "play --wait-for-display waits for a card in use, names the holder, and takes over when it is free",
    arguments: Board.Card.either)
  func waitsForTheCard(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      kms-hold /dev/dri/card0 > /run/out/holder & holder=$!
      sleep 0.5
      "$VITRINE" play --wait-for-display --output kms --report /run/out/r.json "$MEDIA/h264-640x360-30-2s.mp4" \
        2> /run/out/errors & player=$!
      sleep 5.5
      kill $holder
      wait $player; echo $? > /run/out/status
      """, card: card)
    #expect(try run.text("status") == "0\n")
    let errors = try run.text("errors")
    #expect(errors.contains("waiting for a screen: /dev/dri/card0: another program drives the screen: kms-hold"))
    #expect(try Report.read(run.directory.path("r.json"))?.framesRendered == 60, "\(errors)")
  }

  @Test(
    "A user in the card's group can play; one who can't see the card's holder is told how to find out",
    arguments: Board.Card.either)
  func plainUser(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      group=$(stat -c %g /dev/dri/card0); echo $group > /run/out/group
      mkdir -p /run/nobody; chown nobody /run/nobody
      as_user() {
        setpriv --reuid=65534 --regid=65534 --groups "$group" --no-new-privs \
          env HOME=/run/nobody XDG_RUNTIME_DIR=/run/nobody "$@"
      }
      play() {
        as_user "$VITRINE" play --no-audio --output kms --mode 640x480 --report /run/nobody/r.json \
          "$MEDIA/h264-640x360-30-2s.mp4" 2> "/run/out/$1"
        echo $? >> /run/out/status
      }
      play free; cp /run/nobody/r.json /run/out/r.json
      kms-hold /dev/dri/card0 > /run/out/holder & holder=$!
      sleep 0.5
      play held
      as_user "$VITRINE" displays > /run/out/displays
      kill $holder
      """, card: card)
    #expect(try run.text("group") != "0\n")
    let free = try run.text("free")
    #expect(try run.text("status") == "0\n69\n", "\(free)")
    #expect(try Report.read(run.directory.path("r.json"))?.framesRendered == 60)
    for text in [try run.text("held"), try run.text("displays")] {
      #expect(text.contains("/dev/dri/card0: another program drives the screen") && text.contains("5002"), "\(text)")
      #expect(text.contains("find it with: fuser -v /dev/dri/card0") && !text.contains("kms-hold"), "\(text)")
    }
  }

  @Test(
    "The splash picture is up from the first commit until the first frame",
    arguments: Board.Card.either)
  func splash(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      convert -size 400x100 xc:'#2060a0' /tmp/logo.png
      # A server that thinks for 1.7 s before it says that there is nothing: the splash stays until the video comes.
      ip link set lo up
      cat > /tmp/slow.py <<PYTHON
      import http.server, time
      class Slow(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              time.sleep(1.7)
              self.send_error(404)
      http.server.ThreadingHTTPServer(("127.0.0.1", 8002), Slow).serve_forever()
      PYTHON
      python3 /tmp/slow.py 2> /dev/null & server=$!
      sleep 1
      cat > /tmp/v.toml <<TOML
      version = 1
      [display]
      background = "#102030"
      splash = "logo.png"
      [playback]
      loop = false
      [[playlist.main.item]]
      uri = "http://127.0.0.1:8002/first.mp4"
      [[playlist.main.item]]
      uri = "$MEDIA/h264-640x360-30-2s.mp4"
      TOML
      "$VITRINE" run --config /tmp/v.toml --output kms --mode 640x480 --osd never & player=$!
      sleep 0.5; kms-screenshot /run/out/splash.ppm
      kms-crc -t 4 > /run/out/crc
      wait $player; status=$?
      kill $server; exit $status
      """, card: card)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let splash = try await Pixels(path: run.directory.path("splash.ppm"))
    // 400x100 on 640x480 is 640x160, in the middle.
    for y in [162, 240, 317] { #expect(splash.isNear(320, y, (0x20, 0x60, 0xA0), within: 1), "\(splash[320, y])") }
    for y in [0, 157, 322, 479] { #expect(splash.isNear(320, y, (0x10, 0x20, 0x30), within: 1), "\(splash[320, y])") }
    let sums = try run.text("crc").split(separator: "\n").compactMap { $0.split(separator: " ").last.map(String.init) }
    let first = try #require(sums.first)
    let stays = sums.prefix { $0 == first }.count
    #expect((60...100).contains(stays), "\(stays)")
    // 60 frames, each with its own checksum, and no other picture before or between them.
    var runs: [(sum: String, count: Int)] = []
    for sum in sums.dropFirst(stays) {
      if runs.last?.sum == sum { runs[runs.count - 1].count += 1 } else { runs.append((sum, 1)) }
    }
    let film = runs.prefix(60)
    #expect(film.count == 60 && Set(film.map(\.sum)).count == 60 && !film.contains { $0.sum == first }, "\(runs)")
    #expect(film.dropFirst().dropLast().allSatisfy { $0.count == 2 }, "\(runs)")
  }

  @Test("An unreadable splash picture is reported, and the background is shown", arguments: Board.Card.either)
  func brokenSplash(card: Board.Card) async throws {
    let run = try await Board.run(
      """
      "$VITRINE" play --output kms --mode 640x480 --splash "$MEDIA/text.mp4" "$MEDIA/h264-640x360-30-2s.mp4" \
        2> /run/out/log; echo $? > /run/out/status
      """, card: card)
    #expect(try run.text("status") == "0\n")
    #expect(try run.text("log").contains("the splash picture can't be shown"))
  }

  @Test(
    "The overlay's own tests pass on the board: its costs, and no frame of 60 s late because of it",
    .long)
  func overlayTests() async throws {
    let run = try await Board.run(
      """
      export VITRINE_ON_BOARD=1
      "$(dirname "$VITRINE")/vitrinePackageTests.xctest" --testing-library swift-testing --filter KMSOverlayBoardTests
      """, limit: 1500)
    #expect(run.outcome.status == 0, "\(run.outcome.output)")
    #expect(run.outcome.output.contains("overlay and video: 1800 frames"), "\(run.outcome.output)")
    #expect(run.outcome.output.contains("composed pictures: 3580 compared"), "\(run.outcome.output)")
  }

  struct Turn: CustomTestStringConvertible, Sendable {
    var overlays: Int
    var degrees: Int
    var testDescription: String { "1 primary + \(overlays) overlays, \(degrees) degrees" }
  }

  static let turns = [
    Turn(overlays: 2, degrees: 90), Turn(overlays: 2, degrees: 180), Turn(overlays: 2, degrees: 270),
    Turn(overlays: 1, degrees: 180), Turn(overlays: 0, degrees: 90),
  ]

  @Test(
    "A rotated screen shows the upright picture, overlay and splash rotated", arguments: DisplayBoardTests.turns,
    Board.Card.allCases)
  func rotation(turn: Turn, card: Board.Card) async throws {
    let view = turn.degrees == 180 ? "640x480" : "480x640"
    let run = try await Board.run(
      """
      card=$(make-device --overlays \(turn.overlays) --writeback)
      convert "$MEDIA/picture-640x480.jpg" -crop 320x240+0+0 +repage /tmp/picture.png
      convert -size 40x20 xc:'#2060a0' /tmp/logo.png
      play() { "$VITRINE" play --no-audio --osd always "$@"; }
      play --output headless --size \(view) --snapshot /tmp/expected.png --at 1.6 --for 2 /tmp/picture.png || exit 1
      convert /tmp/expected.png -rotate \(turn.degrees) /run/out/expected.png
      play --output kms --mode 640x480 --rotation \(turn.degrees) --for 2 --snapshot /run/out/snapshot.png --at 1.6 \
        /tmp/picture.png & player=$!
      sleep 1.65; kms-screenshot -d "$card" /run/out/shot.ppm
      kms-planes -d "$card" > /run/out/planes
      wait $player || exit 2
      convert /run/out/snapshot.png -rotate \(turn.degrees) /run/out/snapshot-turned.png
      # A server that takes connections and says nothing has nothing to show.
      ip link set lo up
      python3 -c 'import socket, time; s = socket.create_server(("127.0.0.1", 8001)); time.sleep(1000)' & silent=$!
      sleep 0.5
      "$VITRINE" play --output kms --mode 640x480 --rotation \(turn.degrees) --splash /tmp/logo.png --no-audio \
        http://127.0.0.1:8001/film.mp4 & player=$!
      sleep 0.5; kms-screenshot -d "$card" /run/out/splash.ppm
      kill $player $silent; wait $player || true
      grep -A20 '^plane' /sys/kernel/debug/dri/0/state | grep rotation= | sort -u > /run/out/left
      """, devices: "none", card: card)
    #expect(run.outcome.status == 0, "\(run.outcome.errors)")
    let expected = try await Pixels(path: run.directory.path("expected.png"))
    for name in ["shot.ppm", "snapshot-turned.png"] {
      let difference = try await Pixels(path: run.directory.path(name)).difference(from: expected)
      #expect(difference.mean < 2 && difference.worst <= 24 && difference.share > 0.5, "\(name): \(difference)")
    }
    // An aspect of 2:1, as large as fits into the view, which may lie on its side.
    let splash = try await Pixels(path: run.directory.path("splash.ppm"))
    let (inside, outside) = turn.degrees == 180 ? ((5, 240), (320, 60)) : ((320, 5), (60, 240))
    #expect(splash.isNear(inside.0, inside.1, (0x20, 0x60, 0xA0), within: 1), "\(splash[inside.0, inside.1])")
    #expect(splash.isNear(outside.0, outside.1, (0, 0, 0), within: 1), "\(splash[outside.0, outside.1])")
    #expect(try run.text("left") == "\trotation=1\n")
  }

  @Test(
    "--keep-last-frame keeps the last frame until the next start's first one, and then releases it",
    arguments: Board.cases(usual: 2, [2, 0, 1]), Board.Card.either)
  func keepsLastFrame(overlays: Int, card: Board.Card) async throws {
    let run = try await Board.run(
      """
      card=$(make-device --overlays \(overlays) --writeback)
      play() { "$VITRINE" play --no-audio --osd never --output kms --mode 640x480 "$@" 2>> /run/out/log; }
      play --keep-last-frame "$MEDIA/h264-640x360-30-2s.mp4" & player=$!
      # The last frame comes soon; its item ends at 2 s and what the start took.
      sleep 2.012; kms-crc -d "$card" -t 1 > /run/out/crc
      wait $player; echo $? > /run/out/status
      kms-planes -d "$card" > /run/out/kept
      kms-screenshot -d "$card" /run/out/shot.ppm
      play "$MEDIA/h264-640x360-30-2s.mp4"; echo $? >> /run/out/status
      kms-planes -d "$card" > /run/out/after
      """, devices: "none", card: card)
    #expect(try run.text("status") == "0\n0\n", "\(run.outcome.errors)")
    #expect(try Board.planes(try run.text("kept")).filter(\.isLit).map(\.type) == ["primary"])
    #expect(try Board.planes(try run.text("after")).filter(\.isLit).isEmpty)
    let shot = try await Pixels(path: run.directory.path("shot.ppm"))
    #expect(shot.frameNumber(x: 0, y: 60, width: 640) == 59)
    #expect(!(try run.text("log")).contains("doesn't stay"))
    // Only the last two frames, and the last one as XRGB, whose rounding differs; no background.
    let sums = try run.text("crc").split(separator: "\n").compactMap { $0.split(separator: " ").last }
    #expect(sums.count > 50 && Set(sums).count <= 3, "\(Set(sums))")
  }
}
