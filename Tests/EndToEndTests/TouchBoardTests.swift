import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A visitor's finger on a touchscreen of the virtual board: the kernel's input, libinput and KMS.
@Suite(
  "Touch on the virtual board",
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test-board builds the kernel)"))
struct TouchBoardTests {
  private static let clip = "h264-60s-640x360-30.mp4"
  private static let frame = 1.0 / 30

  /// Starts the player with a touchscreen, whose commands go to descriptor 3.
  private func start(_ options: String) -> String {
    """
    mkfifo /tmp/touch
    virtual-touch --size 1280x720 --times < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
    sleep 0.5
    "$VITRINE" play -v --output kms --mode 1280x720 --osd always --no-audio --report /run/out/r.json \(options) \
      "$MEDIA/\(Self.clip)" 2> /run/out/log 3>&- & player=$!
    sleep 3
    """
  }

  @Test(
    "The bar follows a drag within a frame, with one seek at a time, and the exact frame at the end (S8-S10)",
    arguments: Board.cases(usual: 2, TouchDrag.all))
  func drag(_ drag: TouchDrag) async throws {
    let lines = Drag.lines { share in
      let point = drag.finger(share)
      return drag.mounting.device(point.x, point.y)
    }
    let run = try await Board.run(
      """
      \(start("--for 9 \(drag.mounting.options)"))
      # A relative drag counts from where the film is: paused, at its start.
      \(drag.isRelative ? "printf 'key 57\\nkey 102\\n' >&3; sleep 1" : "")
      # The first one sets a mode.
      kms-screenshot -k /run/out/first.ppm
      cat >&3 <<'END' &
      \(lines)
      END
      # As many pictures as can be taken while the finger is down.
      i=0
      until grep -q 'ok up' /run/out/touch; do
        i=$((i + 1)); kms-screenshot -k -t /run/out/shot-$i.ppm >> /run/out/times
      done
      wait $player; echo $? > /run/out/status
      """, limit: 400)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(!(try run.text("touch").contains("error")))

    // One seek is in flight; after the drag only its last, exact one is sent.
    let seeks = Drag.Seeks(log: log)
    #expect(seeks.mostInFlight == 1)
    let last = try #require(seeks.targets.last)
    #expect(abs(last - drag.asked) < Self.frame, "\(last) instead of \(drag.asked)")
    let countAtEnd = try #require(seeks.countAtEnd, "no drag has ended: \(log)")
    #expect(seeks.targets.count - countAtEnd == 1 && seeks.kinds.last == "exact", "\(seeks.targets.suffix(3))")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    let shown = try #require(report.seeks.last?.shownSeconds)
    #expect(abs(shown - drag.asked) < Self.frame, "\(shown) instead of \(drag.asked)")

    // The composed pictures show the film's frames and the thumb.
    let touches = try drag.touches(run.text("touch"))
    let times = try run.text("times").split(separator: "\n").compactMap { Int64($0) }
    try #require(touches.count == 241)
    var numbers: Set<Int> = []
    var thumbs = 0
    var late: [String] = []
    for (index, time) in times.enumerated() where time < touches[240].time {
      let pixels = try await Pixels(path: run.directory.path("shot-\(index + 1).ppm"))
      if let number = drag.frameNumber(pixels) { numbers.insert(number) }
      guard let allowed = drag.allowedThumb(at: time, touches) else { continue }
      guard let thumb = drag.thumb(pixels) else {
        late.append("no thumb at \(time)")
        continue
      }
      thumbs += 1
      if !allowed.contains(thumb) { late.append("\(thumb) instead of \(allowed)") }
    }
    #expect(late.isEmpty, "\(late.count) of \(thumbs): \(late.prefix(5))")
    #expect(thumbs >= 10, "\(thumbs) thumbs were looked at")
    #expect(numbers.count >= 8, "\(numbers.sorted())")
    // The report matches the screen: a frame of each seek that wasn't superseded.
    let told = Set(report.seeks.compactMap { $0.shownSeconds.map { Int(($0 * 30).rounded()) } })
    #expect(told.count >= numbers.count - 1, "\(told.sorted()) \(numbers.sorted())")
  }

  @Test("A drag ends when its touchscreen is pulled, and one plugged in during a film works")
  func unplug() async throws {
    let track = try TouchDrag.Mounting.plain.track()
    let y = Int(track.y + track.height / 2)
    let run = try await Board.run(
      """
      \(start("--for 9"))
      printf 'down 0 600 \(y)\\nmove 0 700 \(y)\\n' >&3
      sleep 0.5
      exec 3>&-          # unplugged
      sleep 2; kms-screenshot /run/out/a.ppm; sleep 0.5; kms-screenshot /run/out/b.ppm
      (sleep 0.5; echo 'down 0 400 \(y)'; sleep 0.2; echo 'up 0'; sleep 0.5) | virtual-touch --size 1280x720 > /run/out/touch2
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    // libinput cancels the fingers of a device that goes, so the film continues from before the drag.
    let numbers = try await [
      Pixels(path: run.directory.path("a.ppm")).frameNumber(x: 0, y: 0, width: 1280),
      Pixels(path: run.directory.path("b.ppm")).frameNumber(x: 0, y: 0, width: 1280),
    ].compactMap(\.self)
    #expect(numbers.count == 2 && numbers[0] < numbers[1] && (60...210).contains(numbers[0]), "\(numbers)")
    // The plugged-in touchscreen works.
    let target = (400 - track.x) / track.width * 60
    #expect(Drag.Seeks(log: log).targets.last.map { abs($0 - target) < Self.frame } == true)
  }

  @Test("inputs lists devices and events, with the gesture of each and its action")
  func inputs() async throws {
    let run = try await Board.run(
      """
      \(Board.touchscreen())
      "$VITRINE" inputs --list > /run/out/list 2>&1 3>&-; echo $? > /run/out/status
      "$VITRINE" inputs --for 8 > /run/out/events 2>&1 3>&- & player=$!
      sleep 2
      printf 'down 0 300 300\\nsleep 80\\nup 0\\nsleep 500\\nkey 164\\n' >&3
      printf 'down 0 800 300\\nsleep 40\\nmove 0 500 310\\nsleep 40\\nup 0\\nsleep 500\\n' >&3
      printf 'down 0 100 300\\nsleep 300\\nmove 0 300 310\\nsleep 40\\n' >&3
      sleep 3
      exec 3>&-
      wait $player; echo $? >> /run/out/status
      """)
    #expect(try run.text("status") == "0\n0\n", "\(run.outcome.errors)")
    let list = try run.text("list")
    #expect(list.contains("'virtual touchscreen' (touch, 10.0 pixels in a millimetre)"), "\(list)")
    #expect(list.contains("'virtual keyboard' (keys)"))
    let lines = try run.text("events").split(separator: "\n").map(String.init)
    let wanted = [
      "touch 1: finger 0 down 300,300", "touch 1: finger 0 up", "  gesture: tap -> play-pause",
      "key 2: KEY_PLAYPAUSE down -> play-pause", "  gesture: swipe-left -> next",
      "  gesture: horizontal-drag begins -> scrub", "  gesture: horizontal-drag ends after 200,10 (cancelled)",
      "device 1: gone",
    ]
    // The lines are in this order, with others between them.
    var rest = lines[...]
    for line in wanted {
      let place = rest.firstIndex(of: line)
      #expect(place != nil, "\(line) in \(lines)")
      if let place { rest = rest[(place + 1)...] }
    }
  }

  @Test("A key plays a clip, and then the film goes on where it was (P17)")
  func clip() async throws {
    let run = try await Board.run(
      """
      \(start("--for 12 --key KEY_1=\"play $MEDIA/h264-640x360-30-2s.mp4\""))
      # The film is at about 2.5 s: key 1.
      kms-screenshot /run/out/before.ppm
      echo 'key 2' >&3
      sleep 1.5; kms-screenshot /run/out/clip.ppm
      sleep 2; kms-screenshot /run/out/after.ppm
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    #expect(report.errors.isEmpty)
    var numbers: [Int] = []
    for name in ["before", "clip", "after"] {
      let pixels = try await Pixels(path: run.directory.path(name + ".ppm"))
      numbers.append(try #require(pixels.frameNumber(x: 0, y: 0, width: 1280)))
    }
    #expect(numbers[1] < 60, "the clip shows: \(numbers)")
    // The clip took 2 s of the 3.5 between the pictures.
    #expect((numbers[0] + 10...numbers[0] + 60).contains(numbers[2]), "\(numbers)")
    #expect(log.contains("h264-640x360-30-2s.mp4"))
  }

  @Test("A lock ignores fingers and keys; with buttons only, keys work", arguments: ["all", "buttons-only"])
  func lock(mode: String) async throws {
    let run = try await Board.run(
      """
      \(start("--for 6 --lock \(mode)"))
      printf 'down 0 700 675\\nsleep 100\\nmove 0 900 675\\nup 0\\nsleep 500\\nkey 57\\n' >&3
      sleep 1; kms-screenshot /run/out/a.ppm; sleep 0.5; kms-screenshot /run/out/b.ppm
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(Drag.Seeks(log: log).targets.isEmpty)
    let numbers = try await [
      Pixels(path: run.directory.path("a.ppm")).frameNumber(x: 0, y: 0, width: 1280),
      Pixels(path: run.directory.path("b.ppm")).frameNumber(x: 0, y: 0, width: 1280),
    ]
    // The space bar pauses.
    #expect((numbers[0] == numbers[1]) == (mode == "buttons-only"), "\(numbers)")
  }

  @Test("The first touch starts the visitors' list, and idle time the loop; a paused film plays on (P17)")
  func attract() async throws {
    let run = try await Board.run(
      """
      \(start("--for 14 --loop --idle 2 --idle-at-once --visitors $MEDIA/h264-aac-640x360-30.mp4"))
      # A touch; then the space bar pauses what it has brought.
      printf 'down 0 700 300\\nsleep 100\\nup 0\\nsleep 700\\nkey 57\\nsleep 200\\n' >&3
      sleep 1.3; kms-screenshot /run/out/visitor-1.ppm; sleep 0.3; kms-screenshot /run/out/visitor-2.ppm
      sleep 3; kms-screenshot /run/out/loop-1.ppm; sleep 0.5; kms-screenshot /run/out/loop-2.ppm
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    #expect(log.contains("a visitor is there") && log.contains("back to the loop"), "\(log)")
    var numbers: [Int] = []
    for name in ["visitor-1", "visitor-2", "loop-1", "loop-2"] {
      let pixels = try await Pixels(path: run.directory.path(name + ".ppm"))
      numbers.append(try #require(pixels.frameNumber(x: 0, y: 0, width: 1280), "\(name)"))
    }
    #expect(numbers[0] == numbers[1] && numbers[0] < 40 && numbers[2] < numbers[3], "\(numbers)")
  }

  @Test("A card asks before a visit ends; a touch keeps the visit and does nothing else")
  func stillThere() async throws {
    let run = try await Board.run(
      """
      \(start("--for 24 --loop --idle 6 --idle-at-once --visitors $MEDIA/h264-60s-640x360-30.mp4"))
      touch() { printf 'down 0 700 300\\nsleep 100\\nup 0\\n' >&3; }
      shot() { kms-screenshot /run/out/$1.ppm; }
      touch; sleep 2; shot visit; sleep 2; shot asked
      touch; sleep 1; shot kept; sleep 0.5; shot plays
      sleep 2.5; shot asked-again; sleep 4; shot loop
      kill $player; wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    var (cards, numbers): ([Int], [Int]) = ([], [])
    for name in ["visit", "asked", "kept", "plays", "asked-again", "loop"] {
      let pixels = try await Pixels(path: run.directory.path(name + ".ppm"))
      // The lower part of the card's ground, where the film is grey: below its number.
      cards.append(
        (130..<165).reduce(0) { sum, y in
          sum
            + (410..<870).reduce(0) { count, x in
              let pixel = pixels[x, y]
              return count + (max(pixel.red, pixel.green, pixel.blue) < 45 ? 1 : 0)
            }
        })
      numbers.append(pixels.frameNumber(x: 0, y: 0, width: 1280) ?? -1)
    }
    let shows = cards.map { $0 > 10_000 }
    #expect(shows == [false, true, false, false, true, false], "\(cards)")
    #expect(numbers[2] < numbers[3], "the touch hasn't paused the film: \(numbers)")
    #expect(log.components(separatedBy: "a visitor is there").count == 2 && log.contains("back to the loop"), "\(log)")
  }

  @Test("[input], [overlay] and [attract] of the configuration take effect, also when they change")
  func configuration() async throws {
    let run = try await Board.run(
      """
      mkdir -p /tmp/kiosk/conf.d; cd /tmp/kiosk
      ln -s "$MEDIA/h264-640x360-30-2s.mp4" clip.mp4
      cat > vitrine.toml <<END
      version = 1
      [display]
      output = "kms"
      mode = "1280x720"
      [audio]
      enabled = false
      [input.keys]
      KEY_1 = "play clip.mp4"
      [input.gestures]
      tap = "none"
      [overlay]
      osd = "always"
      accent = "#00FF00"
      buttons = ["play-pause"]
      [attract]
      visitors = "films"
      idle_timeout = 5
      return = "at-once"
      [[playlist.main.item]]
      uri = "$MEDIA/\(Self.clip)"
      [[playlist.films.item]]
      uri = "$MEDIA/h264-aac-640x360-30.mp4"
      END
      \(Board.touchscreen())
      "$VITRINE" run -v --config /tmp/kiosk --confirm-after 1 --for 24 2> /run/out/log 3>&- & player=$!
      sleep 3; kms-screenshot /run/out/green.ppm
      # The space bar brings the visitors' list, key 1 the clip; then nobody.
      echo 'key 57' >&3; sleep 1.5; echo 'key 2' >&3; sleep 1; kms-screenshot /run/out/clip.ppm
      sleep 7
      printf '[overlay]\naccent = "#FF00FF"\n[input]\nlock = "all"\n' > new; mv new conf.d/10-locked.toml
      sleep 4
      # The space bar pauses, where it is heard.
      echo 'key 57' >&3; sleep 0.5
      kms-screenshot /run/out/locked-1.ppm; sleep 0.5; kms-screenshot /run/out/locked-2.ppm
      wait $player; echo $? > /run/out/status
      """, limit: 400)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    // The played part of the track, near its start.
    let track = try TouchDrag.Mounting.plain.track()
    let (x, y) = (Int(track.x) + 8, Int(track.y + track.height / 2))
    let green = try await Pixels(path: run.directory.path("green.ppm"))
    #expect(green.isNear(x, y, (0, 255, 0), within: 24), "\(green[x, y])")
    let clip = try await Pixels(path: run.directory.path("clip.ppm")).frameNumber(x: 0, y: 0, width: 1280)
    #expect(clip.map { $0 < 60 } == true)
    let lines = log.split(separator: "\n").map(String.init)
    let visited = lines.firstIndex { $0.contains("a visitor is there") }
    let played = lines.firstIndex { $0.contains("/tmp/kiosk/clip.mp4") }
    let back = lines.lastIndex { $0.contains("back to the loop") }
    if let visited, let played, let back { #expect(visited < played && played < back) } else { Issue.record("\(log)") }
    let first = try await Pixels(path: run.directory.path("locked-1.ppm"))
    let second = try await Pixels(path: run.directory.path("locked-2.ppm"))
    #expect(first.isNear(x, y, (255, 0, 255), within: 24), "\(first[x, y])")
    let numbers = [first, second].compactMap { $0.frameNumber(x: 0, y: 0, width: 1280) }
    #expect(numbers.count == 2 && numbers[0] < numbers[1], "locked, and paused all the same: \(numbers)")
  }

  @Test("A long press shows the status card, and the next touch only hides it")
  func status() async throws {
    let run = try await Board.run(
      """
      \(start("--for 8"))
      printf 'down 0 700 300\\nsleep 900\\nup 0\\n' >&3
      sleep 1.3; kms-screenshot /run/out/card.ppm
      printf 'down 0 700 300\\nsleep 80\\nup 0\\n' >&3
      sleep 1; kms-screenshot /run/out/a.ppm; sleep 0.4; kms-screenshot /run/out/b.ppm
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let card = try await Pixels(path: run.directory.path("card.ppm"))
    let without = try await Pixels(path: run.directory.path("a.ppm"))
    let later = try await Pixels(path: run.directory.path("b.ppm"))
    // A place in the card's left margin.
    #expect(
      card.isNear(350, 360, (0x12, 0x12, 0x15), within: 20) && !without.isNear(350, 360, (0x12, 0x12, 0x15), within: 20)
    )
    // The film plays on.
    let numbers = [without, later].compactMap { $0.frameNumber(x: 0, y: 0, width: 1280) }
    #expect(numbers.count == 2 && numbers[0] < numbers[1], "\(numbers)")
  }
}
