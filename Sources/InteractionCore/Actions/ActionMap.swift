/// Names of gestures, as files have them.
public enum GestureName: String, Hashable, Sendable, CaseIterable {
  case tap
  case doubleTapLeft = "double-tap-left"
  case doubleTapRight = "double-tap-right"
  case longPress = "long-press"
  case twoFingerTap = "two-finger-tap"
  case swipeLeft = "swipe-left"
  case swipeRight = "swipe-right"
  case twoFingerSwipeLeft = "two-finger-swipe-left"
  case twoFingerSwipeRight = "two-finger-swipe-right"
  case horizontalDrag = "horizontal-drag"
  case verticalDrag = "vertical-drag"
  case barDrag = "bar-drag"

  public init?(_ gesture: Gesture) {
    switch gesture {
    case .tap: self = .tap
    case .doubleTap(.left): self = .doubleTapLeft
    case .doubleTap(.right): self = .doubleTapRight
    case .longPress: self = .longPress
    case .twoFingerTap: self = .twoFingerTap
    case .swipe(.left, let fingers): self = fingers > 1 ? .twoFingerSwipeLeft : .swipeLeft
    case .swipe(.right, let fingers): self = fingers > 1 ? .twoFingerSwipeRight : .swipeRight
    case .button: return nil
    }
  }

  public init(_ drag: Drag.Kind) {
    switch drag {
    case .bar: self = .barDrag
    case .horizontal: self = .horizontalDrag
    case .vertical: self = .verticalDrag
    }
  }

  public var isDrag: Bool { self == .barDrag || self == .horizontalDrag || self == .verticalDrag }
}

/// What is listened to.
public enum LockMode: String, Hashable, Sendable, CaseIterable {
  case none
  /// No input does anything: signage.
  case all
  /// Keys and buttons work, the glass and mice don't.
  case buttonsOnly = "buttons-only"
}

/// What each gesture and each key does.
public struct ActionMap: Hashable, Sendable {
  public var gestures: [GestureName: InputAction]
  /// By the kernel's names, such as `KEY_PLAYPAUSE` or `BTN_0`.
  public var keys: [String: InputAction]
  public var lock: LockMode

  public init(
    gestures: [GestureName: InputAction] = Self.standardGestures, keys: [String: InputAction] = Self.standardKeys,
    lock: LockMode = .none
  ) {
    self.gestures = gestures
    self.keys = keys
    self.lock = lock
  }

  /// As people know them from players in the hand. A flick to the left brings what is to the right, which is the next.
  public static let standardGestures: [GestureName: InputAction] = [
    .tap: .playPause, .doubleTapLeft: .skip(.seconds(-10)), .doubleTapRight: .skip(.seconds(10)),
    .longPress: .statusCard, .swipeLeft: .next, .swipeRight: .previous, .twoFingerSwipeLeft: .next,
    .twoFingerSwipeRight: .previous, .horizontalDrag: .scrub, .verticalDrag: .dragVolume, .barDrag: .scrub,
  ]

  /// Media keys, those of remote controls, and those that players have on a keyboard.
  public static let standardKeys: [String: InputAction] = [
    "KEY_PLAYPAUSE": .playPause, "KEY_SPACE": .playPause, "KEY_ENTER": .playPause, "KEY_OK": .playPause,
    "KEY_PLAY": .play, "KEY_PLAYCD": .play, "KEY_PAUSE": .pause, "KEY_PAUSECD": .pause, "KEY_STOPCD": .pause,
    "KEY_NEXTSONG": .next, "KEY_NEXT": .next, "KEY_PAGEDOWN": .next, "KEY_CHANNELUP": .next,
    "KEY_PREVIOUSSONG": .previous, "KEY_PREVIOUS": .previous, "KEY_PAGEUP": .previous, "KEY_CHANNELDOWN": .previous,
    "KEY_FASTFORWARD": .skip(.seconds(10)), "KEY_RIGHT": .skip(.seconds(10)), "KEY_REWIND": .skip(.seconds(-10)),
    "KEY_LEFT": .skip(.seconds(-10)), "KEY_HOME": .seek(.zero), "KEY_VOLUMEUP": .volume(5), "KEY_UP": .volume(5),
    "KEY_VOLUMEDOWN": .volume(-5), "KEY_DOWN": .volume(-5), "KEY_MUTE": .mute, "KEY_M": .mute, "KEY_INFO": .statusCard,
    "KEY_I": .statusCard, "KEY_1": .select(1), "KEY_2": .select(2), "KEY_3": .select(3), "KEY_4": .select(4),
    "KEY_5": .select(5), "KEY_6": .select(6), "KEY_7": .select(7), "KEY_8": .select(8), "KEY_9": .select(9),
  ]

  public func action(for gesture: Gesture) -> InputAction {
    if case .button(let button) = gesture {
      return switch button {
      case .playPause: .playPause
      case .next: .next
      case .previous: .previous
      case .mute: .mute
      }
    }
    return GestureName(gesture).flatMap { gestures[$0] } ?? .nothing
  }

  public func action(for drag: Drag.Kind) -> InputAction { gestures[GestureName(drag)] ?? .nothing }

  /// Keys that do nothing are nobody's: not even a touch of the screen.
  public func action(forKey key: String) -> InputAction { keys[key] ?? .nothing }

  /// Whether two taps mean something, so that a tap has to wait for a second one.
  public var hasDoubleTap: Bool {
    [.doubleTapLeft, .doubleTapRight].contains { (gestures[$0] ?? .nothing) != .nothing }
  }
}
