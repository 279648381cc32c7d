import InteractionCore
import PlaybackCore

func at(_ milliseconds: Int64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

/// A touchscreen of 1280x720 pixels, 10 in a millimetre, with a bar at the bottom like the drawn one. It fires the
/// recogniser's timers.
struct Glass {
  static let device = InputDeviceID(1)
  static let targets = OverlayTargets(
    track: .init(x: 200, y: 672, width: 1000, height: 5),
    buttons: [.playPause: .init(x: 40, y: 650, width: 50, height: 50)])

  var recognizer: GestureRecognizer
  var told: [GestureAction] = []

  init(
    targets: OverlayTargets = .none, settings: GestureSettings = GestureSettings(), pixelsPerMillimetre: Double? = 10
  ) {
    recognizer = GestureRecognizer(settings: settings, screen: PixelSize(width: 1280, height: 720))
    recognizer.targets = targets
    send(
      .deviceAdded(
        InputDevice(
          id: Self.device, name: "glass", abilities: [.touch], pixelsPerMillimetre: pixelsPerMillimetre)), 0)
  }

  mutating func send(_ event: InputEvent, _ milliseconds: Int64) {
    wait(until: milliseconds)
    told += recognizer.handle(event, at: at(milliseconds))
  }

  /// Lets time pass up to `milliseconds`, and fires the recogniser's timers.
  mutating func wait(until milliseconds: Int64) {
    while let due = recognizer.deadline, due <= at(milliseconds) { told += recognizer.timePassed(at: due) }
  }

  mutating func finger(_ finger: Int32 = 0, _ kind: FingerChange.Kind, _ milliseconds: Int64) {
    send(.touch(TouchFrame(device: Self.device, [FingerChange(finger: finger, kind)])), milliseconds)
  }

  mutating func down(_ x: Double, _ y: Double, _ milliseconds: Int64, finger: Int32 = 0) {
    self.finger(finger, .down(ScreenPoint(x: x, y: y)), milliseconds)
  }
  mutating func move(_ x: Double, _ y: Double, _ milliseconds: Int64, finger: Int32 = 0) {
    self.finger(finger, .moved(ScreenPoint(x: x, y: y)), milliseconds)
  }
  mutating func up(_ milliseconds: Int64, finger: Int32 = 0) { self.finger(finger, .up, milliseconds) }

  func drag(_ kind: Drag.Kind, from start: (Double, Double), at point: (Double, Double)) -> Drag {
    Drag(
      kind: kind, start: ScreenPoint(x: start.0, y: start.1), point: ScreenPoint(x: point.0, y: point.1),
      scale: TouchScale(unit: 720.0 / 54, pixelsPerMillimetre: 10))
  }
}
