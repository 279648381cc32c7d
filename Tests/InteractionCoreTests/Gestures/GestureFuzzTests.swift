import PlaybackCore
import Testing

@testable import InteractionCore

@Suite("Gestures under random input")
struct GestureFuzzTests {
  /// A million frames in all. Each seed is a separate run, so that a failing one can be repeated.
  @Test("Random frames cause no trap, every drag that begins ends, and no state piles up", arguments: 1...8)
  func fuzz(seed: Int) {
    var random = SplitMix64(state: UInt64(seed))
    var recognizer = GestureRecognizer(screen: PixelSize(width: 1280, height: 720))
    var drags = 0
    var isDragging = false
    var wrong = 0
    var gestures: Set<String> = []
    var time: Int64 = 0
    var largest = 0

    for _ in 0..<125_000 {
      if random.next(100) == 0 { recognizer.targets = random.next(2) == 0 ? .none : Glass.targets }
      let actions: [GestureAction]
      (actions, time) = step(&recognizer, &random, time)
      for action in actions {
        switch action {
        case .dragBegan:
          wrong += isDragging ? 1 : 0
          isDragging = true
          drags += 1
        case .dragMoved: wrong += isDragging ? 0 : 1
        case .dragEnded:
          wrong += isDragging ? 0 : 1
          isDragging = false
        case .recognised(let gesture): gestures.insert(Self.name(gesture))
        }
      }
      wrong += (recognizer.drag != nil) == isDragging ? 0 : 1
      largest = max(largest, recognizer.weight)
    }
    #expect(wrong == 0)
    // At most 20 fingers and 64 devices are remembered.
    #expect(largest <= 84, "\(largest)")
    // The run has had enough drags to test them.
    #expect(drags > 100, "\(drags)")
    #expect(
      gestures.isSuperset(of: ["tap", "doubleTap", "longPress", "swipe", "button", "twoFingerTap"]), "\(gestures)")

    for device in 0..<8 as Range<UInt32> {
      for action in recognizer.handle(.deviceRemoved(InputDeviceID(device)), at: Instant(nanoseconds: time)) {
        if case .dragEnded = action { isDragging = false }
      }
    }
    #expect(!isDragging && !recognizer.isTouched)
  }

  private func step(
    _ recognizer: inout GestureRecognizer, _ random: inout SplitMix64, _ time: Int64
  ) -> ([GestureAction], Int64) {
    var time = time
    switch random.next(1000) {
    case 0: time &-= Int64(random.next(10_000_000_000))
    case 1: time &+= Int64(bitPattern: random.next())  // anything at all
    case 2: time = [Int64.max, .min, 0][random.next(3)]
    case 3..<60: time &+= Int64(random.next(1_000_000_000))
    case 60..<120: time &-= Int64(random.next(20_000_000))
    default: time &+= Int64(random.next(30_000_000))
    }
    let now = Instant(nanoseconds: time)
    let device = InputDeviceID(UInt32(random.next(100) < 95 ? 1 : random.next(8)))
    switch random.next(200) {
    case 0: return (recognizer.handle(.deviceRemoved(device), at: now), time)
    case 1..<4:
      let scale = [nil, 10, 3, 0.01][random.next(4)]
      let added = InputDevice(id: device, name: "", abilities: [.touch], pixelsPerMillimetre: scale)
      return (recognizer.handle(.deviceAdded(added), at: now), time)
    case 4..<30: return (recognizer.timePassed(at: recognizer.deadline ?? now), time)
    case 30: return (recognizer.cancel(at: now), time)
    case 31: return (recognizer.handle(.key(KeyChange(device: device, key: "KEY_A", .down)), at: now), time)
    default: break
    }
    let changes = (0..<1 + random.next(2)).map { _ in
      // Mostly few fingers; sometimes numbers that no device has.
      let finger = random.next(50) == 0 ? Int32(truncatingIfNeeded: random.next()) : Int32(random.next(100) / 85)
      let point = ScreenPoint(x: random.place(1280), y: random.place(720))
      return switch random.next(20) {
      case 0..<6: FingerChange(finger: finger, .down(point))
      case 6..<13: FingerChange(finger: finger, .moved(point))
      case 13..<19: FingerChange(finger: finger, .up)
      default: FingerChange(finger: finger, .cancelled)
      }
    }
    return (recognizer.handle(.touch(TouchFrame(device: device, changes)), at: now), time)
  }

  private static func name(_ gesture: Gesture) -> String {
    switch gesture {
    case .tap: "tap"
    case .doubleTap: "doubleTap"
    case .longPress: "longPress"
    case .twoFingerTap: "twoFingerTap"
    case .swipe: "swipe"
    case .button: "button"
    }
  }
}

extension SplitMix64 {
  mutating func next(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

  /// Mostly a few places close together, so that taps and long presses happen; sometimes nonsense.
  mutating func place(_ limit: Double) -> Double {
    switch next(100) {
    case 0: return [Double.nan, .infinity, -1e300, 1e300][next(4)]
    case 1..<20: return Double(next(Int(limit * 2))) - limit / 2
    default: return Double(next(3)) * limit / 2 * 0.94 + 5 + Double(next(20))
    }
  }
}
