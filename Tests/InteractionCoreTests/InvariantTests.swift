import PlaybackCore
import Testing

@testable import InteractionCore

@Suite("Invariants of the finger machines")
struct InvariantTests {
  private let key = GestureRecognizer.FingerKey(device: InputDeviceID(1), finger: 0)
  private let screen = PixelSize(width: 1280, height: 720)

  @Test("The invariants report a gesture without its finger, a finger without a gesture, and a tap that outlives both")
  func gestures() {
    let fresh = GestureRecognizer(screen: screen)
    #expect(fresh.invariants.violations == [])

    var lost = fresh
    lost.state = .pressed(key)
    #expect(
      lost.invariants.violations == ["Who makes the gesture is on the glass", "Without a finger there is no gesture"])

    var idle = fresh
    let point = ScreenPoint(x: 1, y: 1)
    let now = Instant(nanoseconds: 0)
    idle.fingers[key] = .init(start: point, point: point, since: now)
    #expect(idle.invariants.violations == ["Without a gesture there is no finger"])

    var waiting = idle
    waiting.state = .spent
    waiting.lastTap = .init(point: point, at: now, isTold: false)
    #expect(waiting.invariants.violations == ["A tap waits for another one only until something else begins"])

    var many = fresh
    for device in 0..<100 as Range<UInt32> { many.scales[InputDeviceID(device)] = 4 }
    #expect(many.invariants.violations == ["No more fingers and devices are known than may be"])
  }

  @Test("The invariants report a drag whose item is gone")
  func scrubbing() throws {
    let queue = PlayQueue([MediaItem(uri: "file:///a", kind: .file)], repeatMode: .none)
    let item = try #require(queue.first)
    let range = Duration.seconds(1)..<Duration.seconds(5)
    func violations(_ change: (inout ScrubMachine.Scrub) -> Void) -> [String] {
      let media = ScrubMedia(item: item, range: range, position: .seconds(2))
      var scrub = ScrubMachine.Scrub(
        media: media, range: range, from: .seconds(2), target: .seconds(5), lastX: 0)
      change(&scrub)
      var machine = ScrubMachine()
      machine.state = .scrubbing(scrub)
      return machine.invariants.violations
    }
    #expect(violations { _ in } == [])
    #expect(violations { $0.target = .zero } == ["The finger's place is within the item"])
    #expect(violations { $0.from = .seconds(6) } == ["The drag began within the item"])
    #expect(violations { $0.media.isSeekable = false } == ["What is dragged can be sought in"])
    #expect(violations { $0.lastX = .nan } == ["The last place of the finger is a number"])
  }
}
