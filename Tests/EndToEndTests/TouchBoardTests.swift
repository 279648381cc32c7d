import Foundation
import InteractionCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore
import Testing

/// A visitor's finger on a touchscreen of the virtual board: the kernel's own input, libinput, KMS.
@Suite(
  "Touch on the virtual board", .serialized,
  .enabled(if: Board.missing == nil, "\(Board.missing ?? "") (make test builds the kernel)"))
struct TouchBoardTests {
  /// How the touchscreen is mounted.
  enum Mounting: String, CaseIterable, Sendable {
    case plain
    case turned
    case calibrated

    var options: String {
      switch self {
      case .plain: ""
      case .turned: "--rotation 90"
      // Its x runs from right to left.
      case .calibrated: "--calibration='-1 0 1 0 1 0'"
      }
    }

    var view: PixelSize { self == .turned ? PixelSize(width: 720, height: 1280) : PixelSize(width: 1280, height: 720) }

    /// What the device has to tell for a place of the view. Its units are the panel's pixels.
    func device(_ x: Double, _ y: Double) -> (Int, Int) {
      switch self {
      case .plain: (Int(x.rounded()), Int(y.rounded()))
      case .turned: (1280 - Int(y.rounded()), Int(x.rounded()))
      case .calibrated: (1280 - Int(x.rounded()), Int(y.rounded()))
      }
    }

    /// The track of a minute's film.
    func track() throws -> OverlayTargets.Area {
      let bar = TransportBar(title: "", position: .zero, duration: .seconds(60))
      return try #require(OverlayRenderer().targets(of: bar, screen: view).track)
    }
  }

  private static let clip = "h264-60s-640x360-30.mp4"
  private static let frame = 1.0 / 30

  /// Starts the player with a touchscreen, whose lines are written to descriptor 3.
  private func start(_ options: String) -> String {
    """
    mkfifo /tmp/touch
    virtual-touch --size 1280x720 < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
    sleep 0.5
    "$VITRINE" play -v --output kms --mode 1280x720 --osd always --no-audio --report /run/out/r.json \(options) \
      "$MEDIA/\(Self.clip)" 2> /run/out/log 3>&- & player=$!
    sleep 3
    """
  }

  @Test(
    "A drag of two seconds along the bar: one seek at a time, and at the end the very frame; then nothing seeks (S8-S10)",
    arguments: Mounting.allCases)
  func bar(mounting: Mounting) async throws {
    let track = try mounting.track()
    let y = track.y + track.height / 2
    let (from, to) = ((track.x + track.width * 0.1).rounded(), (track.x + track.width * 0.87).rounded())
    let lines = Drag.lines { mounting.device(from + (to - from) * $0, y) }
    let run = try await Board.run(
      """
      \(start("--for 8 \(mounting.options)"))
      cat >&3 <<'END' &
      \(lines)
      END
      # What is seen during the drag; the finger comes down with the first line.
      for i in $(seq 1 30); do kms-screenshot -k /run/out/shot-$i.ppm; done
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(run.outcome.errors) \(log)")
    #expect(!(try run.text("touch").contains("error")))
    let seeks = Drag.Seeks(log: log)
    #expect(seeks.mostInFlight == 1)
    let asked = (to - track.x) / track.width * 60
    let last = try #require(seeks.targets.last)
    #expect(abs(last - asked) < Self.frame, "\(last) instead of \(asked)")
    #expect(seeks.kinds.last == "exact")
    let report = try #require(try Report.read(run.directory.path("r.json")))
    let shown = try #require(report.seeks.last?.shownSeconds)
    #expect(abs(shown - asked) < Self.frame, "\(shown) instead of \(asked)")
    if mounting == .plain {
      var numbers: Set<Int> = []
      for shot in 1...30 {
        let pixels = try await Pixels(path: run.directory.path("shot-\(shot).ppm"))
        if let number = pixels.frameNumber(x: 0, y: 0, width: 1280), (190...1500).contains(number) {
          numbers.insert(number)
        }
      }
      #expect(numbers.count >= 8, "\(numbers.sorted())")
    }
  }

  @Test("The bar is under the finger a frame after each of its moves")
  func follows() async throws {
    let track = try Mounting.plain.track()
    let y = Int(track.y + track.height / 2)
    let places = (0..<12).map { 300 + $0 * 61 }
    let moves = places.enumerated().map { index, x in
      "echo 'move 0 \(x) \(y)' >&3; sleep 0.034; kms-screenshot -k /run/out/shot-\(index).ppm"
    }
    let run = try await Board.run(
      """
      \(start("--for 6"))
      kms-screenshot -k /run/out/first.ppm
      echo 'down 0 280 \(y)' >&3; sleep 0.05
      \(moves.joined(separator: "\n"))
      echo 'up 0' >&3
      wait $player
      """)
    for (index, x) in places.enumerated() {
      let pixels = try await Pixels(path: run.directory.path("shot-\(index).ppm"))
      // The dragged thumb is a disc of the accent, wider than the track is high.
      let row = y - 9
      let accent = (0..<1280).filter { pixels.isNear($0, row, (0xFF, 0xC2, 0x4B), within: 24) }
      let (first, last) = (try #require(accent.first), try #require(accent.last))
      #expect(abs((first + last) / 2 - x) <= 1, "\(first)...\(last) instead of \(x)")
    }
  }

  @Test("A drag elsewhere moves by as much as the finger; keys pause and go to the start (P4)")
  func relative() async throws {
    let track = try Mounting.plain.track()
    let lines = Drag.lines { (300 + Int(600 * $0), 300) }
    let run = try await Board.run(
      """
      \(start("--for 9"))
      # Space, Home.
      printf 'key 57\\nkey 102\\n' >&3
      sleep 1
      cat >&3 <<'END'
      \(lines)
      END
      sleep 3; kms-screenshot /run/out/shot.ppm
      wait $player; echo $? > /run/out/status
      """)
    let log = try run.text("log")
    #expect(try run.text("status") == "0\n", "\(log)")
    let seeks = Drag.Seeks(log: log)
    #expect(seeks.mostInFlight == 1 && seeks.targets.first == 0)
    let asked = 600 / track.width * 60
    let last = try #require(seeks.targets.last)
    #expect(abs(last - asked) < Self.frame, "\(last) instead of \(asked)")
    // It was paused, and is so again.
    let pixels = try await Pixels(path: run.directory.path("shot.ppm"))
    let number = try #require(pixels.frameNumber(x: 0, y: 0, width: 1280))
    #expect(abs(Double(number) / 30 - asked) <= Self.frame, "frame \(number) for \(asked) s")
  }

  @Test("A touchscreen that is pulled out mid-drag, and one that comes while the film plays")
  func unplug() async throws {
    let track = try Mounting.plain.track()
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
    // libinput cancels the fingers of a device that goes, so the film plays on from where it was before the drag.
    let numbers = try await [
      Pixels(path: run.directory.path("a.ppm")).frameNumber(x: 0, y: 0, width: 1280),
      Pixels(path: run.directory.path("b.ppm")).frameNumber(x: 0, y: 0, width: 1280),
    ].compactMap(\.self)
    #expect(numbers.count == 2 && numbers[0] < numbers[1] && (60...210).contains(numbers[0]), "\(numbers)")
    // The new one works.
    let target = (400 - track.x) / track.width * 60
    #expect(Drag.Seeks(log: log).targets.last.map { abs($0 - target) < Self.frame } == true)
  }

  @Test("inputs lists devices, tells what they do, which gesture that is, and what it would do")
  func inputs() async throws {
    let run = try await Board.run(
      """
      mkfifo /tmp/touch
      virtual-touch --size 1280x720 < /tmp/touch > /run/out/touch & exec 3> /tmp/touch
      sleep 0.5
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
    // In this order, with others between them.
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

  @Test("Locked, neither fingers nor keys do anything; with buttons only, keys do", arguments: ["all", "buttons-only"])
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

  @Test("The first touch brings the visitors' list, and idle time the loop; a paused film plays on (P17)")
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

  @Test("A long press brings the status card, the next touch takes it away and does nothing else")
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
    // In the card's margin, at the left of the middle.
    #expect(
      card.isNear(350, 360, (0x12, 0x12, 0x15), within: 20) && !without.isNear(350, 360, (0x12, 0x12, 0x15), within: 20)
    )
    // It plays on.
    let numbers = [without, later].compactMap { $0.frameNumber(x: 0, y: 0, width: 1280) }
    #expect(numbers.count == 2 && numbers[0] < numbers[1], "\(numbers)")
  }
}
