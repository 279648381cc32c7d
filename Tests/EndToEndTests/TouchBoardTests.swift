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
}
