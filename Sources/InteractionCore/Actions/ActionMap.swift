internal import PlaybackCore

/// Names of gestures, as configuration files spell them.
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

/// The kinds of input that have an effect.
public enum LockMode: String, Hashable, Sendable, CaseIterable {
  case none
  /// No input does anything: signage.
  case all
  /// Keys and buttons work; touchscreens and mice don't.
  case buttonsOnly = "buttons-only"
}

/// The effect of each gesture and each key.
public struct ActionMap: Hashable, Sendable {
  public var gestures: [GestureName: Binding]
  /// By the kernel's key names, such as `KEY_PLAYPAUSE` or `BTN_0`.
  public var keys: [String: Binding]
  /// By `InputLine.key`.
  public var lines: [String: LineBindings] = [:]
  public var lock: LockMode

  public init(
    gestures: [GestureName: Binding] = Self.standardGestures, keys: [String: Binding] = Self.standardKeys,
    lock: LockMode = .none
  ) {
    self.gestures = gestures
    self.keys = keys
    self.lock = lock
  }

  /// The gestures of players on phones. A swipe to the left brings the next item, which lies to the right.
  public static let standardGestures: [GestureName: Binding] = [
    .tap: .command(.playPause), .doubleTapLeft: .command(.skip(by: .seconds(-10))),
    .doubleTapRight: .command(.skip(by: .seconds(10))), .longPress: .command(.showStatus(nil)),
    .swipeLeft: .command(.next), .swipeRight: .command(.previous), .twoFingerSwipeLeft: .command(.next),
    .twoFingerSwipeRight: .command(.previous), .horizontalDrag: .scrub, .verticalDrag: .dragVolume, .barDrag: .scrub,
  ]

  /// Media keys, keys of remote controls, and the keys that players use on a keyboard.
  public static let standardKeys: [String: Binding] = keyCommands.mapValues { .command($0) }

  private static let keyCommands: [String: Command] = [
    "KEY_PLAYPAUSE": .playPause, "KEY_SPACE": .playPause, "KEY_ENTER": .playPause, "KEY_OK": .playPause,
    "KEY_PLAY": .play, "KEY_PLAYCD": .play, "KEY_PAUSE": .pause, "KEY_PAUSECD": .pause, "KEY_STOPCD": .pause,
    "KEY_NEXTSONG": .next, "KEY_NEXT": .next, "KEY_PAGEDOWN": .next, "KEY_CHANNELUP": .next,
    "KEY_PREVIOUSSONG": .previous, "KEY_PREVIOUS": .previous, "KEY_PAGEUP": .previous, "KEY_CHANNELDOWN": .previous,
    "KEY_FASTFORWARD": .skip(by: .seconds(10)), "KEY_RIGHT": .skip(by: .seconds(10)),
    "KEY_REWIND": .skip(by: .seconds(-10)), "KEY_LEFT": .skip(by: .seconds(-10)), "KEY_HOME": .seek(to: .zero),
    "KEY_VOLUMEUP": .changeVolume(byPercent: 5), "KEY_UP": .changeVolume(byPercent: 5),
    "KEY_VOLUMEDOWN": .changeVolume(byPercent: -5), "KEY_DOWN": .changeVolume(byPercent: -5),
    "KEY_MUTE": .toggleMute, "KEY_M": .toggleMute, "KEY_SUBTITLE": .captions(.next), "KEY_LANGUAGE": .language(.next),
    "KEY_AUDIO_DESC": .description(nil), "KEY_C": .showChoices, "KEY_OPTION": .showChoices, "KEY_SETUP": .showChoices,
    "KEY_BACK": .showTiles, "KEY_ESC": .showTiles, "KEY_MENU": .showTiles, "KEY_INFO": .showStatus(nil),
    "KEY_I": .showStatus(nil),
    "KEY_1": .select(number: 1), "KEY_2": .select(number: 2), "KEY_3": .select(number: 3), "KEY_4": .select(number: 4),
    "KEY_5": .select(number: 5), "KEY_6": .select(number: 6), "KEY_7": .select(number: 7), "KEY_8": .select(number: 8),
    "KEY_9": .select(number: 9),
  ]

  public func action(for gesture: Gesture) -> Binding {
    if case .button(let button) = gesture {
      return switch button {
      case .tiles: .command(.showTiles)
      case .playPause: .command(.playPause)
      case .next: .command(.next)
      case .previous: .command(.previous)
      case .captions: .command(.captions(.next))
      case .language: .command(.language(.next))
      case .description: .command(.description(nil))
      case .signed: .command(.signed(nil))
      case .choices: .command(.showChoices)
      case .mute: .command(.toggleMute)
      }
    }
    return GestureName(gesture).flatMap { gestures[$0] } ?? .nothing
  }

  public func action(for drag: Drag.Kind) -> Binding { gestures[GestureName(drag)] ?? .nothing }

  /// The binding of a key; `nothing` for an unbound key, which then doesn't count as a touch either.
  public func action(forKey key: String) -> Binding { keys[key] ?? .nothing }

  /// Whether a double tap has an effect, so that a single tap must wait for a second one.
  public var hasDoubleTap: Bool {
    [.doubleTapLeft, .doubleTapRight].contains { (gestures[$0] ?? .nothing) != .nothing }
  }
}
