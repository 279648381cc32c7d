import InteractionCore

/// Gathers what fingers do into frames, and knows which of them are down, for devices that tell the end of all at once.
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

  /// - Returns: the frame, which is complete: nobody sends one after the last finger's up for sure.
  mutating func lift(_ finger: Int32, _ kind: FingerChange.Kind = .up) -> TouchFrame? {
    guard down.remove(finger) != nil else { return nil }
    changes.append(FingerChange(finger: finger, kind))
    return takeFrame()
  }

  /// Fingers that are down were not meant.
  mutating func cancelAll() -> TouchFrame? {
    for finger in down.sorted() { changes.append(FingerChange(finger: finger, .cancelled)) }
    down = []
    return takeFrame()
  }

  /// What has come together; nil when that is nothing.
  mutating func takeFrame() -> TouchFrame? {
    guard !changes.isEmpty else { return nil }
    defer { changes = [] }
    return TouchFrame(device: device, changes)
  }
}
