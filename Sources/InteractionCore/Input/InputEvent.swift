/// A place on the screen as people see it, turned as the picture is: pixels with fractions from the top left.
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

/// What one finger did.
public struct FingerChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case down(ScreenPoint)
    case moved(ScreenPoint)
    case up
    /// It wasn't meant: a palm, or a gesture of the compositor's own.
    case cancelled
  }

  /// Which finger of its device. A number may come again once the finger is up.
  public var finger: Int32
  public var kind: Kind

  public init(finger: Int32, _ kind: Kind) {
    self.finger = finger
    self.kind = kind
  }
}

/// What fingers did at one moment. A mouse is a finger that is down while its button is.
public struct TouchFrame: Hashable, Sendable {
  public var device: InputDeviceID
  public var changes: [FingerChange]

  public init(device: InputDeviceID, _ changes: [FingerChange]) {
    self.device = device
    self.changes = changes
  }
}

/// What a key or a button did.
public struct KeyChange: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case down
    case up
  }

  public var device: InputDeviceID
  /// Its name in the kernel's list, such as `KEY_PLAYPAUSE` or `BTN_0`.
  public var key: String
  public var kind: Kind

  public init(device: InputDeviceID, key: String, _ kind: Kind) {
    self.device = device
    self.key = key
    self.kind = kind
  }
}

/// Everything that input devices tell, the same from libinput and from a compositor.
public enum InputEvent: Hashable, Sendable {
  case deviceAdded(InputDevice)
  /// Its fingers and keys are up from here on, whatever it said last.
  case deviceRemoved(InputDeviceID)
  case touch(TouchFrame)
  case key(KeyChange)
  /// A mouse is at that place, whether a button is down or not.
  case pointerMoved(ScreenPoint, by: InputDeviceID)

  /// The device that it is about.
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
