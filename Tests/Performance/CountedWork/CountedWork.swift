// Repeats one piece of work, for valgrind to count its instructions (Tests/Performance/counts). The start costs the
// same for each number of times, so the difference of two runs is the work alone.
//
//   counted-work machine-step|gesture-frame|overlay-redraw|tile-pan TIMES

import InteractionCore
import KioskCore
import KioskTestSupport
import OverlayRenderer
import PlaybackCore

@main
enum CountedWork {
  static let works: [String: @Sendable (Int) throws -> Int] = [
    "machine-step": machineSteps, "gesture-frame": gestureFrames, "overlay-redraw": overlayRedraws,
    "tile-pan": tilePans,
  ]

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let work = works[arguments[1]], let times = Int(arguments[2]), times >= 0 else {
      print("usage: counted-work \(works.keys.sorted().joined(separator: "|")) TIMES")
      throw WrongArguments()
    }
    // Prints the sum, so that the optimiser keeps the work.
    print(try work(times))
  }

  struct WrongArguments: Error {}

  // MARK: The work

  /// One event of the playback machine: the mean over a recorded film with its seeks.
  static func machineSteps(_ times: Int) throws -> Int {
    let trace = try BusTrace(named: "seek-storm")
    let fresh = machine(of: trace)
    var machine = fresh
    var sum = 0
    for number in 0..<times {
      let step = trace.steps[number % trace.steps.count]
      if number % trace.steps.count == 0 { machine = fresh }
      sum += machine.handle(step.event, at: step.at).count
    }
    return sum
  }

  /// One touch of a finger that drags the bar, and the presentation of the overlay after it.
  static func gestureFrames(_ times: Int) throws -> Int {
    var drag = try FingerOnTheBar()
    var sum = 0
    for number in 0..<times {
      sum += drag.move(to: Double(200 + number * 7 % 600)).model.bar == nil ? 0 : 1
    }
    return sum
  }

  /// Draws the bar for its next second, on a screen of 1280x720.
  static func overlayRedraws(_ times: Int) -> Int {
    let renderer = OverlayRenderer()
    var sum = 0
    for number in 0..<times {
      let bar = TransportBar(title: "The Great Hall", position: .seconds(60 + number % 500), duration: .seconds(596))
      let image = renderer.render(OverlayModel(bar: bar), screen: PixelSize(width: 1280, height: 720))
      sum += image?.pixels.count ?? 0
    }
    return sum
  }

  /// Pages of tiles under a finger, on a screen of 1280x720: drawn before, and copied to where they are now.
  static func tilePans(_ times: Int) -> Int {
    let renderer = OverlayRenderer()
    let screen = PixelSize(width: 1280, height: 720)
    let tiles = (0..<500).map { Tile(title: "Film \($0)", facts: TileFacts(length: .seconds(60 + $0))) }
    let sheet = TileSheet(tiles: tiles, grid: renderer.tileGrid(count: tiles.count, screen: screen))
    var model = OverlayModel()
    var sum = 0
    for number in 0..<times {
      model.tiles = TileWall(sheet, position: Double(number * 7 % 100) / 100)
      sum += renderer.render(model, screen: screen)?.pixels.count ?? 0
    }
    return sum
  }

  static func machine(of trace: BusTrace) -> PlaybackMachine {
    PlaybackMachine(queue: trace.start.items, loops: trace.start.loops, seed: 0)
  }
}

/// A playing film with its bar on the screen and a finger on the bar.
struct FingerOnTheBar {
  private static let screen = PixelSize(width: 1280, height: 720)
  private static let y = 690.0
  private var machine: InteractionMachine
  private var now: Instant
  private let overlay: OverlayScene
  private let scene: InteractionMachine.Scene

  init() throws {
    let trace = try BusTrace(named: "clean-file")
    var playback = CountedWork.machine(of: trace)
    // Replays the trace up to the middle of its film.
    for step in trace.steps.prefix(trace.steps.count / 2) { _ = playback.handle(step.event, at: step.at) }
    now = (trace.steps.dropLast(trace.steps.count / 2).last?.at ?? Instant(nanoseconds: 0)) + .seconds(1)
    overlay = OverlayScene(playback: playback)
    scene = InteractionMachine.Scene(
      media: ScrubMedia(item: ItemID(rawValue: 0), range: .zero..<(.seconds(100)), position: .seconds(10)),
      isPlaying: true, screen: Self.screen)
    machine = InteractionMachine(InteractionSettings(), mode: .always, screen: Self.screen, sound: SoundSettings())
    _ = machine.overlay(overlay, at: now)
    if let bar = machine.barToMeasure(on: Self.screen) {
      let track = OverlayTargets.Area(x: 100, y: Self.y - 4, width: 1080, height: 8)
      machine.barMeasured(bar, on: Self.screen, OverlayTargets(track: track))
    }
    _ = touch(.down(ScreenPoint(x: 200, y: Self.y)))
  }

  mutating func move(to x: Double) -> OverlayPresenter.Presentation { touch(.moved(ScreenPoint(x: x, y: Self.y))) }

  private mutating func touch(_ kind: FingerChange.Kind) -> OverlayPresenter.Presentation {
    now = now + .milliseconds(8)
    let frame = TouchFrame(device: InputDeviceID(1), [FingerChange(finger: 0, kind)])
    _ = machine.handle(.heard(.touch(frame), at: now), in: scene, at: now)
    _ = machine.endBatch()
    return machine.overlay(overlay, at: now)
  }
}
