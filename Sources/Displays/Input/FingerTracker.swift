import InteractionCore

/// Groups the changes of fingers into frames, and remembers which fingers are down, for devices that end all touches at
/// once.
struct FingerTracker {
  let device: InputDeviceID
  private var changes: [FingerChange] = []
  private var down: Set<Int32> = []

  init(device: InputDeviceID) { self.device = device }

  mutating func put(down finger: Int32, at point: ScreenPoint) {
    down.insert(finger)
    changes.append(FingerChange(finger: finger, .down(point)))
  }

  mutating func move(_ finger: Int32, to point: ScreenPoint) {
    guard down.contains(finger) else { return }
    changes.append(FingerChange(finger: finger, .moved(point)))
  }

  /// - Returns: a complete frame: after the last finger's lift, the compositor may send no frame event.
  mutating func lift(_ finger: Int32, _ kind: FingerChange.Kind = .up) -> TouchFrame? {
    guard down.remove(finger) != nil else { return nil }
    changes.append(FingerChange(finger: finger, kind))
    return drainFrame()
  }

  /// Cancels all fingers that are down.
  mutating func cancelAll() -> TouchFrame? {
    for finger in down.sorted() { changes.append(FingerChange(finger: finger, .cancelled)) }
    down = []
    return drainFrame()
  }

  /// The changes since the last frame; nil without any.
  mutating func drainFrame() -> TouchFrame? {
    guard !changes.isEmpty else { return nil }
    defer { changes = [] }
    return TouchFrame(device: device, changes)
  }
}
