import InteractionCore
import PlaybackCore
import Testing

@Suite("Gestures of one finger")
struct GestureTests {
  @Test("A tap is recognised once a second one can't follow")
  func tap() {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.up(100)
    #expect(glass.told.isEmpty)
    glass.wait(until: 379)
    #expect(glass.told.isEmpty)
    glass.wait(until: 380)
    #expect(glass.told == [.recognised(.tap(ScreenPoint(x: 300, y: 300)))])
    #expect(glass.recognizer.deadline == nil)
  }

  @Test("Without double taps, a tap is recognised as soon as the finger lifts")
  func tapAtOnce() {
    var settings = GestureSettings()
    settings.hasDoubleTap = false
    var glass = Glass(settings: settings)
    for start in [0, 150] as [Int64] {
      glass.down(300, 300, start)
      glass.up(start + 100)
    }
    #expect(glass.told == Array(repeating: .recognised(.tap(ScreenPoint(x: 300, y: 300))), count: 2))
  }

  @Test(
    "A double tap counts by its half of the screen, and a quick third tap counts again",
    arguments: [(300.0, Gesture.Side.left), (900, .right)])
  func doubleTap(x: Double, side: Gesture.Side) {
    var glass = Glass()
    for start in [0, 200, 400] as [Int64] {
      glass.down(x, 300, start)
      glass.up(start + 80)
    }
    glass.wait(until: 5000)
    #expect(glass.told == [.recognised(.doubleTap(side)), .recognised(.doubleTap(side))])
  }

  @Test("Two taps far apart in place or time are single taps", arguments: [(500.0, 200 as Int64), (300, 361)])
  func twoTaps(x: Double, later: Int64) {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.up(80)
    glass.down(x, 300, later)
    glass.up(later + 80)
    glass.wait(until: 5000)
    #expect(
      glass.told == [
        .recognised(.tap(ScreenPoint(x: 300, y: 300))), .recognised(.tap(ScreenPoint(x: x, y: 300))),
      ])
  }

  @Test("A long press is recognised while the finger rests, and its lift means nothing")
  func longPress() {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.move(320, 310, 100)  // it rolls by 2.2 mm
    glass.wait(until: 699)
    #expect(glass.told.isEmpty)
    glass.wait(until: 700)
    #expect(glass.told == [.recognised(.longPress(ScreenPoint(x: 300, y: 300)))])
    glass.move(900, 310, 800)
    glass.up(900)
    glass.wait(until: 5000)
    #expect(glass.told.count == 1)
  }

  @Test("A press too long for a tap and too short for a long press means nothing")
  func slowTap() {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.up(500)
    glass.wait(until: 5000)
    #expect(glass.told.isEmpty)
  }

  @Test("A tap before another gesture still counts")
  func tapThenDrag() {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.up(80)
    glass.down(300, 300, 200)
    glass.move(300, 400, 250)
    glass.up(300)
    let drag = glass.drag(.vertical, from: (300, 300), at: (300, 400))
    #expect(
      glass.told == [.recognised(.tap(ScreenPoint(x: 300, y: 300))), .dragBegan(drag), .dragEnded(drag, .lifted)])
  }

  @Test(
    "A fast flick is a swipe and starts no drag", arguments: [(300.0, Gesture.Side.left), (900, .right)])
  func flick(to x: Double, side: Gesture.Side) {
    var glass = Glass()
    glass.down(600, 300, 0)
    for step in 1...6 { glass.move(600 + (x - 600) * Double(step) / 6, 310, Int64(step) * 25) }
    glass.up(160)
    #expect(glass.told == [.recognised(.swipe(side, fingers: 1))])
  }

  @Test("A flick that is too short means nothing")
  func shortFlick() {
    var glass = Glass()
    glass.down(600, 300, 0)
    glass.move(680, 300, 60)
    glass.up(100)
    glass.wait(until: 5000)
    #expect(glass.told.isEmpty)
  }

  @Test("A horizontal drag starts when it can't be a flick any more, even by a finger at rest")
  func horizontalDrag() {
    var glass = Glass()
    glass.down(600, 300, 0)
    glass.move(640, 302, 100)
    glass.wait(until: 199)
    #expect(glass.told.isEmpty)
    glass.wait(until: 200)
    let began = glass.drag(.horizontal, from: (600, 300), at: (640, 302))
    #expect(glass.told == [.dragBegan(began)])
    glass.move(700, 200, 300)
    glass.move(700, 200, 310)  // nothing new
    glass.up(400)
    let last = glass.drag(.horizontal, from: (600, 300), at: (700, 200))
    #expect(glass.told == [.dragBegan(began), .dragMoved(last), .dragEnded(last, .lifted)])
    #expect(!glass.recognizer.isTouched && glass.recognizer.deadline == nil)
  }

  @Test("A vertical drag starts at once")
  func verticalDrag() {
    var glass = Glass()
    glass.down(600, 300, 0)
    glass.move(605, 331, 20)
    #expect(glass.told == [.dragBegan(glass.drag(.vertical, from: (600, 300), at: (605, 331)))])
  }

  @Test("With a glass of unknown size the slop is in units of the overlay")
  func units() {
    var glass = Glass(pixelsPerMillimetre: nil)
    glass.down(600, 300, 0)
    glass.move(600, 314, 20)  // a unit is 13.3 pixels, the slop 14.7
    #expect(glass.told.isEmpty)
    glass.move(600, 316, 30)
    #expect(glass.told.count == 1)
  }
}

@Suite("Gestures on the overlay")
struct OverlayGestureTests {
  @Test("A touch within 9 mm of the track drags it from the first moment", arguments: [630.0, 674, 719])
  func bar(y: Double) {
    var glass = Glass(targets: Glass.targets)
    glass.down(500, y, 0)
    glass.move(520, y - 300, 10)
    glass.up(20)
    let (start, end) = (
      glass.drag(.bar, from: (500, y), at: (500, y)), glass.drag(.bar, from: (500, y), at: (520, y - 300))
    )
    #expect(glass.told == [.dragBegan(start), .dragMoved(end), .dragEnded(end, .lifted)])
  }

  @Test("A drag above the bar's area, or without a bar, is an ordinary drag", arguments: [Glass.targets, .none])
  func notTheBar(targets: OverlayTargets) {
    var glass = Glass(targets: targets)
    glass.down(500, targets == .none ? 674 : 629, 0)
    #expect(glass.told.isEmpty)
  }

  @Test("On a glass of unknown size the bar's area is 3.2 units high")
  func barInUnits() {
    // 42.7 pixels around 674.5.
    for (y, isBar) in [(654.0, true), (652, false)] {
      var glass = Glass(targets: Glass.targets, pixelsPerMillimetre: nil)
      glass.down(500, y, 0)
      #expect(glass.told.isEmpty == !isBar, "\(y)")
    }
  }

  @Test("A button acts at once on release, and not when the finger slid off")
  func button() {
    var glass = Glass(targets: Glass.targets)
    glass.down(65, 675, 0)
    #expect(glass.told.isEmpty)
    glass.up(100)
    #expect(glass.told == [.recognised(.button(.playPause))])
    glass.down(65, 675, 150)
    glass.move(400, 675, 200)
    glass.move(65, 675, 250)
    glass.up(300)
    #expect(glass.told.count == 1)
  }

  @Test("A drag of the bar goes on when the bar isn't drawn any more")
  func barGoes() {
    var glass = Glass(targets: Glass.targets)
    glass.down(500, 674, 0)
    glass.recognizer.targets = .none
    glass.move(600, 674, 10)
    glass.up(20)
    #expect(glass.told.count == 3)
  }
}

@Suite("Gestures of several fingers, and what goes wrong")
struct ManyFingersTests {
  @Test("Two fingers together make a two-finger tap")
  func twoFingerTap() {
    var glass = Glass()
    glass.down(300, 300, 0)
    glass.down(500, 300, 60, finger: 1)
    glass.up(150)
    glass.up(170, finger: 1)
    glass.wait(until: 5000)
    #expect(glass.told == [.recognised(.twoFingerTap)])
  }

  @Test("Two fingers in one direction make a swipe, at any speed", arguments: [(-1.0, Gesture.Side.left), (1, .right)])
  func twoFingerSwipe(direction: Double, side: Gesture.Side) {
    var glass = Glass()
    glass.down(600, 300, 0)
    glass.down(750, 300, 50, finger: 1)
    for step in 1...10 {
      let (way, time) = (direction * Double(step) * 12, 100 + Int64(step) * 60)
      glass.move(600 + way, 300, time)
      glass.move(750 + way, 302, time, finger: 1)
    }
    glass.up(900)
    glass.up(910, finger: 1)
    glass.wait(until: 5000)
    #expect(glass.told == [.recognised(.swipe(side, fingers: 2))])
  }

  @Test("A pinch means nothing, with all that follows it")
  func pinch() {
    var glass = Glass()
    glass.down(600, 300, 0)
    glass.down(700, 300, 30, finger: 1)
    for step in 1...20 {
      glass.move(600 - Double(step) * 10, 300, 50 + Int64(step) * 10)
      glass.move(700 + Double(step) * 10, 300, 50 + Int64(step) * 10, finger: 1)
    }
    for step in 1...20 { glass.move(400 + Double(step) * 10, 300, 300 + Int64(step) * 10) }
    glass.up(600)
    glass.up(610, finger: 1)
    glass.wait(until: 5000)
    #expect(glass.told.isEmpty && !glass.recognizer.isTouched)
  }

  @Test("A whole hand on the glass means nothing")
  func hand() {
    var glass = Glass()
    for finger in 0..<5 as Range<Int32> {
      glass.down(300 + Double(finger) * 90, 300, Int64(finger) * 10, finger: finger)
    }
    for finger in 0..<5 as Range<Int32> { glass.up(100 + Int64(finger), finger: finger) }
    glass.wait(until: 5000)
    #expect(glass.told.isEmpty)
  }

  @Test("A palm that joins a drag doesn't disturb it, and doesn't continue it after the finger lifts")
  func palm() {
    var glass = Glass(targets: Glass.targets)
    glass.down(500, 674, 0)
    glass.down(900, 400, 10, finger: 1)
    glass.down(950, 450, 12, finger: 2)
    glass.move(600, 674, 20)
    glass.finger(1, .cancelled, 25)
    glass.up(30)
    glass.move(1000, 500, 40, finger: 2)
    glass.up(50, finger: 2)
    glass.wait(until: 5000)
    let (start, end) = (
      glass.drag(.bar, from: (500, 674), at: (500, 674)), glass.drag(.bar, from: (500, 674), at: (600, 674))
    )
    #expect(glass.told == [.dragBegan(start), .dragMoved(end), .dragEnded(end, .lifted)])
  }

  @Test("A drag ends however its finger is lost", arguments: 0..<5)
  func ends(way: Int) {
    var glass = Glass(targets: Glass.targets)
    glass.down(500, 674, 0)
    var wanted = DragEnd.lost
    switch way {
    case 0: glass.send(.deviceRemoved(Glass.device), 100)
    case 1:
      glass.finger(0, .cancelled, 100)
      wanted = .cancelled
    case 2: glass.wait(until: 60_000)
    case 3:
      glass.told += glass.recognizer.cancel(at: at(100))
      wanted = .cancelled
    default:
      // The same finger comes down again: its lift got lost.
      glass.down(500, 100, 100)
    }
    let drag = glass.drag(.bar, from: (500, 674), at: (500, 674))
    #expect(glass.told == [.dragBegan(drag), .dragEnded(drag, wanted)])
    #expect(glass.recognizer.isTouched == (way == 4))
    #expect(glass.recognizer.drag == nil)
  }

  @Test("Time that goes back a little stands still; time that goes back far releases all fingers")
  func backwards() {
    var glass = Glass(targets: Glass.targets)
    glass.down(500, 674, 10_000)
    glass.told = glass.recognizer.handle(
      .touch(TouchFrame(device: Glass.device, [FingerChange(finger: 0, .moved(ScreenPoint(x: 510, y: 674)))])),
      at: at(9_500))
    #expect(glass.told.count == 1 && glass.recognizer.isTouched)
    glass.told = glass.recognizer.timePassed(at: at(1000))
    #expect(glass.told == [.dragEnded(glass.drag(.bar, from: (500, 674), at: (510, 674)), .lost)])
    // From there on times count again.
    glass.down(300, 300, 1100)
    glass.wait(until: 1800)
    #expect(glass.told.last == .recognised(.longPress(ScreenPoint(x: 300, y: 300))))
  }

  @Test("Lifts and moves of unknown fingers mean nothing")
  func unknownFingers() {
    var glass = Glass()
    glass.up(10)
    glass.move(100, 100, 20, finger: 7)
    glass.finger(9, .cancelled, 30)
    glass.send(.deviceRemoved(InputDeviceID(99)), 40)
    #expect(glass.told.isEmpty && glass.recognizer.deadline == nil)
  }
}
