import InteractionCore
import PlaybackCore

// `[input]`, `[attract]` and `[overlay]`: their keys. The numbers' reasons are with the values that they replace.
extension Schema {
  static let input = TableDescription<InputTable>([
    .value(
      "touch", .boolean, \.hasTouch, default: InputTable(),
      "Whether fingers and mice are heeded. Without them, keys and buttons still are."),
    .value(
      "lock", .word, \.lock, default: InputTable(),
      "What isn't heeded: none of the input, all of it, or all but keys and buttons (buttons-only)."),
    .value(
      "devices", .names, \.onlyDevices, default: InputTable(), example: "[\"FT5406\", \"gpio\"]",
      "Only devices whose name has one of these in it are used; `vitrine inputs` lists the names. Empty takes all. "
        + "Without a desktop only."),
    .value(
      "ignored_devices", .names, \.ignoredDevices, default: InputTable(), example: "[\"Mouse\"]",
      "Devices whose name has one of these in it are not used. Without a desktop only."),
    .value(
      "keyboards", .boolean, \.hearsKeyboards, default: InputTable(),
      "Whether full keyboards are used; remote controls, pedals and buttons always are. Without a desktop only."),
    .optional(
      "calibration", .calibration, \.calibration, example: "\"1 0 0 0 1 0\"",
      "What corrects a touchscreen: the first two rows of a matrix over shares of width and height, as in udev's "
        + "LIBINPUT_CALIBRATION_MATRIX, which holds without it. Without a desktop only."),
    .namedValues(
      "keys", .keyAction, placeholder: "KEY_1", namePattern: "^(KEY|BTN)_[A-Z0-9_]+$",
      nameAllowed: "names of keys in the kernel, such as KEY_1 or BTN_0, are allowed", isName: isKeyName, \.keyActions,
      example: "\"play welcome.mp4\"",
      "What keys and buttons do, by their names in the kernel, as `vitrine inputs` prints them; what isn't named does what "
        + "it does by itself (docs/input.md)."),
    .table("gestures", gestures, \.gestureActions, "What gestures do."),
    .table("timing", timing, \.gestures, "By what time gestures are told apart, in seconds."),
    .table(
      "distances", distances, \.gestures,
      "By what way gestures are told apart, in millimetres; on touchscreens that don't tell their size, in proportion."),
  ])

  @Sendable private static func isKeyName(_ name: String) -> Bool {
    (name.hasPrefix("KEY_") || name.hasPrefix("BTN_")) && name.utf8.count > 4
      && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }
  }

  static let gestures = TableDescription<[GestureName: BoundAction]>(
    GestureName.allCases.map { gesture in
      let standard = ActionMap.standardGestures[gesture] ?? .nothing
      return .value(
        gesture.key, .gestureAction(gesture), \.[bound: gesture],
        default: [gesture: BoundAction(standard)], gesture.summary)
    })

  static let timing = TableDescription<GestureSettings>([
    time("tap", \.tapLimit, "The longest tap."),
    time("long_press", \.longPress, "The shortest long press."),
    time("double_tap", \.doubleTapInterval, "From one tap to the next; each tap waits so long for a second one."),
    time("flick", \.flickLimit, "The longest flick; who drags is on the glass for longer."),
    time("pair", \.pairInterval, "From one finger to the second one of a pair."),
    .value(
      "silence", .seconds(in: ConfigurationLimits.silenceSeconds), \.silence, default: GestureSettings(),
      "A finger that tells nothing for so long isn't one."),
  ])

  static let distances = TableDescription<GestureSettings>([
    distance("slop", \.slop.inProportion, "What a resting finger may roll."),
    distance("flick", \.flickReach.inProportion, "The shortest flick."),
    distance("double_tap", \.doubleTapReach.inProportion, "Between two taps that belong together."),
    distance("pair", \.pairReach.inProportion, "The way of both fingers that is a swipe."),
    distance(
      "pinch", \.pinchReach.inProportion, "The change of two fingers' distance that is a pinch, which does nothing."),
    distance("bar", \.barHeight.inProportion, "The height of the bar for fingers, whatever is drawn."),
  ])

  private static func time(
    _ name: String, _ path: any WritableKeyPath<GestureSettings, Duration> & Sendable, _ summary: String
  ) -> TableDescription<GestureSettings>.Field {
    .value(
      name, .seconds(in: ConfigurationLimits.gestureSeconds), path, default: GestureSettings(), summary)
  }

  private static func distance(
    _ name: String, _ path: any WritableKeyPath<GestureSettings, Double> & Sendable, _ summary: String
  ) -> TableDescription<GestureSettings>.Field {
    .value(
      name, .number(in: ConfigurationLimits.gestureMillimetres, of: "millimetres"), path, default: GestureSettings(),
      summary)
  }

  static let overlay = TableDescription<OverlayTable>([
    .value(
      "osd", .word, \.osd, default: OverlayTable(),
      "When the bar with the buttons and the time shows: auto when somebody touches the screen; never leaves nothing but "
        + "error cards and subtitles."),
    .value(
      "stay", .seconds(in: ConfigurationLimits.staySeconds), \.stay, default: OverlayTable(),
      "For how many seconds the bar stays after the last touch."),
    .value(
      "buttons", .buttons, \.look.buttons, default: OverlayTable(), example: "[\"play-pause\", \"mute\"]",
      "Which buttons the bar has. What would do nothing, such as next in a list of one item or mute without sound, is left "
        + "out."),
    .value(
      "accent", .colour, \.look.accent, default: OverlayTable(),
      "The colour of the played part, of the dragged position and of dots. `vitrine check` warns where it is hard to see."
    ),
    .value(
      "contrast", .word, \.look.contrast, default: OverlayTable(),
      "high has solid black grounds, a thicker bar and no faint type."),
    .value(
      "scale", .number(in: ConfigurationLimits.overlayScale), \.look.scale, default: OverlayTable(),
      "How large everything is drawn: 1 is legible from two metres on most screens. Where the screen tells its size, buttons "
        + "have 9 mm or more whatever is said here."),
    .value(
      "times", .word, \.look.times, default: OverlayTable(),
      "How times are written: full is 00:00:06, short is 0:06."),
    .value(
      "language", .language, \.look.language, default: OverlayTable(), example: "\"ar\"",
      "Of titles and messages: one that is written from the right has them begin there, and letters that languages share, such as "
        + "those of Chinese and Japanese, have its shapes. Controls stay where they are."),
    .value(
      "fonts", .names, \.look.fontFamilies, default: OverlayTable(), example: "[\"Source Sans 3\"]",
      "Families of the type, best first; what none of them has comes from whatever the system has."),
  ])

  static let attract = TableDescription<AttractTable>([
    .optional(
      "playlist", .playlistName, \.playlist, position: \AttractTable.playlistPosition, example: "\"loop\"",
      "The playlist that plays while nobody is there. Without it, what the schedule says; with it, the schedule's is for "
        + "visitors."),
    .optional(
      "visitors", .playlistName, \.visitors, position: \AttractTable.visitorsPosition, example: "\"films\"",
      "The playlist that the first touch starts. Without one the first touch shows the bar of what plays."),
    .value(
      "idle_timeout", .seconds(in: ConfigurationLimits.idleSeconds), \.idleTimeout, default: AttractTable(),
      "After how many seconds without a touch or a key the loop comes back, and a film that somebody has paused plays on."
    ),
    .value(
      "return", .word, \.returns, default: AttractTable(),
      "When it comes back then: when the item that plays has come to its end, or at-once."),
  ])
}

extension GestureName {
  /// Its key in files.
  fileprivate var key: String { rawValue.replacing("-", with: "_") }

  fileprivate var summary: String {
    switch self {
    case .tap: "A short touch, not on a button."
    case .doubleTapLeft: "Two taps on the left half; each further one does it again."
    case .doubleTapRight: "The same on the right half."
    case .longPress: "A finger that stays."
    case .twoFingerTap: "A tap with two fingers."
    case .swipeLeft: "A flick to the left."
    case .swipeRight: "A flick to the right."
    case .twoFingerSwipeLeft: "Two fingers that move to the left together."
    case .twoFingerSwipeRight: "The same to the right."
    case .horizontalDrag: "A finger that is drawn to the side, not from the bar."
    case .verticalDrag: "A finger that is drawn up or down."
    case .barDrag: "A finger that is drawn along the bar."
    }
  }
}

extension [GestureName: BoundAction] {
  fileprivate subscript(bound gesture: GestureName) -> BoundAction {
    get { self[gesture] ?? BoundAction(.nothing) }
    set { self[gesture] = newValue }
  }
}

extension Reach {
  /// In millimetres; the units that stand in for them where a glass tells no size change with it.
  fileprivate var inProportion: Double {
    get { millimetres }
    set {
      units *= newValue / millimetres
      millimetres = newValue
    }
  }
}

// MARK: Rules

extension ValueRule where Value == BoundAction {
  static func gestureAction(_ gesture: GestureName) -> Self {
    guard gesture.isDrag else { return action("an action is allowed, such as \(Binding.examples)") { !$0.isForDrags } }
    // Up and down is no way along the bar.
    let words = gesture == .verticalDrag ? ["volume", "none"] : ["scrub", "volume", "none"]
    return action(Refusal.listed(words)) { words.contains("\($0)") }
  }

  static var keyAction: Self {
    action("an action is allowed, such as \(Binding.examples)") { !$0.isForDrags }
  }

  private static func action(_ allowed: String, _ isAllowed: @escaping @Sendable (Binding) -> Bool) -> Self {
    ValueRule(allowed: allowed, shape: .text(pattern: nil)) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let action = Binding(text) else { throw Refusal("is not an action") }
      guard isAllowed(action) else { throw Refusal("is not for this") }
      return BoundAction(action, at: node.position)
    } spell: {
      TOMLText.quoted("\($0.action)")
    }
  }
}

extension ValueRule where Value == CalibrationMatrix {
  static var calibration: Self {
    ValueRule(
      allowed: "six numbers that don't map the glass to a line are allowed, such as \"1 0 0 0 1 0\"",
      shape: .text(pattern: nil)
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let matrix = CalibrationMatrix(parsing: text) else { throw Refusal("is not a calibration") }
      return matrix
    } spell: {
      TOMLText.quoted($0.values.map { ValueRule<Double>.spelled($0) }.joined(separator: " "))
    }
  }
}

extension ValueRule where Value == [OverlayButton] {
  static var buttons: Self {
    let words = OverlayButton.allCases.map(\.rawValue)
    let shape = ValueShape.list(of: .words(words), count: 0...words.count)
    return ValueRule(
      allowed: "a list of \(words.map { TOMLText.quoted($0) }.joined(separator: ", ")) is allowed", shape: shape
    ) { (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      var buttons: [OverlayButton] = []
      for element in elements {
        guard case .string(let word) = element.value, let button = OverlayButton(rawValue: word),
          !buttons.contains(button)
        else { throw Refusal("has \(TOMLText.spelled(element)) in it, which is no button or is there twice") }
        buttons.append(button)
      }
      return buttons
    } spell: {
      "[" + $0.map { TOMLText.quoted($0.rawValue) }.joined(separator: ", ") + "]"
    }
  }
}

extension ValueRule where Value == [String] {
  /// Names of things that the system knows, each a text of one line.
  static var names: Self {
    let text = ValueRule<String>.text
    let shape = ValueShape.list(of: .text(pattern: nil), count: 0...ConfigurationLimits.words)
    return ValueRule(allowed: "a list of names in quotes is allowed", shape: shape) { (node) throws(Refusal) in
      guard case .array(let elements) = node.value else { throw .kind(node, expected: "array") }
      guard elements.count <= ConfigurationLimits.words else {
        throw Refusal("is too long", allowed: "at most \(ConfigurationLimits.words) names are allowed")
      }
      var names: [String] = []
      for element in elements { names.append(try text.read(element)) }
      return names
    } spell: {
      "[" + $0.map { TOMLText.quoted($0) }.joined(separator: ", ") + "]"
    }
  }
}
