/// A place on the screen as viewers see it, after rotation: pixels with fractions from the top left.
public struct ScreenPoint: Hashable, Sendable {
  public var x: Double
  public var y: Double
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  func distance(to other: ScreenPoint) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }
}

/// A change of one finger.
public struct FingerChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case down(ScreenPoint)
    case moved(ScreenPoint)
    case up
    /// The touch wasn't intended: a palm, or a gesture of the compositor's own.
    case cancelled
  }

  /// The finger's number on its device, which is reused after the finger is up.
  public var finger: Int32
  public var kind: Kind

  public init(finger: Int32, _ kind: Kind) {
    self.finger = finger
    self.kind = kind
  }
}

/// The changes of fingers at one moment. A mouse is a finger that is down while its button is pressed.
public struct TouchFrame: Hashable, Sendable {
  public var device: InputDeviceID
  public var changes: [FingerChange]

  public init(device: InputDeviceID, _ changes: [FingerChange]) {
    self.device = device
    self.changes = changes
  }
}

/// A change of a key or a button.
public struct KeyChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case down
    case up
  }

  public var device: InputDeviceID
  /// The key's name in the kernel's list, such as `KEY_PLAYPAUSE` or `BTN_0`.
  public var key: String
  public var kind: Kind

  public init(device: InputDeviceID, key: String, _ kind: Kind) {
    self.device = device
    self.key = key
    self.kind = kind
  }
}

/// All events of input devices, the same from libinput and from a compositor.
public enum InputEvent: Hashable, Sendable {
  case deviceAdded(InputDevice)
  /// The device's fingers and keys count as up from now on, whatever its last events were.
  case deviceRemoved(InputDeviceID)
  case touch(TouchFrame)
  case key(KeyChange)
  /// A mouse is at that place, with or without a button down.
  case pointerMoved(ScreenPoint, by: InputDeviceID)

  /// The device that the event came from.
  public var device: InputDeviceID {
    switch self {
    case .deviceAdded(let device): device.id
    case .deviceRemoved(let id): id
    case .touch(let frame): frame.device
    case .key(let change): change.device
    case .pointerMoved(_, let id): id
    }
  }
}
