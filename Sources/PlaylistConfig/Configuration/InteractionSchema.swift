import InteractionCore
import PlaybackCore

// `[input]`, `[attract]` and `[overlay]`: their keys. The numbers' reasons are with the values that they replace.
extension Schema {
  static let input = TableDescription<InputTable>([
    .value(
      "touch", .boolean, \.hasTouch, default: InputTable(),
      "Whether touchscreens and mice are used. With false, keys and buttons still are."),
    .value(
      "lock", .word, \.lock, default: InputTable(),
      "Which input is ignored: none of it, all of it, or all but keys and buttons (buttons-only)."),
    .value(
      "devices", .names, \.onlyDevices, default: InputTable(), example: "[\"FT5406\", \"gpio\"]",
      "Only devices whose name contains one of these are used; `vitrine inputs` lists the names. An empty list takes "
        + "all devices. "
        + "Without a desktop only."),
    .value(
      "ignored_devices", .names, \.ignoredDevices, default: InputTable(), example: "[\"Mouse\"]",
      "Devices whose name contains one of these are not used. Without a desktop only."),
    .value(
      "keyboards", .boolean, \.hearsKeyboards, default: InputTable(),
      "Whether full keyboards are used; remote controls, pedals and buttons always are. Without a desktop only."),
    .optional(
      "calibration", .calibration, \.calibration, example: "\"1 0 0 0 1 0\"",
      "The correction of a touchscreen: the first two rows of a matrix for positions as shares of width and height, "
        + "as in udev's LIBINPUT_CALIBRATION_MATRIX. Without it, udev's matrix is used. Without a desktop only."),
    .namedValues(
      "keys", .keyAction, placeholder: "KEY_1", namePattern: "^(KEY|BTN)_[A-Z0-9_]+$",
      nameAllowed: "names of keys in the kernel, such as KEY_1 or BTN_0, are allowed", isName: isKeyName, \.keyActions,
      example: "\"play welcome.mp4\"",
      "What keys and buttons do, by their names in the kernel, as `vitrine inputs` prints them. A key that isn't "
        + "named keeps its default action (docs/input.md)."),
    .table("gestures", gestures, \.gestureActions, "What gestures do."),
    .tables(
      "gpio", header: "[[input.gpio]]", GPIOSchema.line, new: { LineTable() }, limit: ConfigurationLimits.words,
      position: \LineTable.position, \.lines,
      "Buttons that are wired to GPIO lines, without an overlay of the device tree. `vitrine inputs` shows them."),
    .tables(
      "serial", header: "[[input.serial]]", SerialSchema.line, new: { SerialTable() }, limit: ConfigurationLimits.words,
      position: \SerialTable.position, \.serial,
      "Devices at serial lines (RS-232, adapters on USB) that send commands or words of their own. `vitrine inputs` shows "
        + "them."),
  ]).without([
    "timing": "remove this table: the times that tell gestures apart are the same on all boards",
    "distances": "remove this table: the distances that tell gestures apart are the same on all boards",
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
}

extension OverlayTable {
  static let keys = TableDescription<OverlayTable>([
    .value(
      "osd", .word, \.osd, default: OverlayTable(),
      "When the bar with the buttons and the time shows: auto when somebody touches the screen; never leaves nothing but "
        + "error cards and subtitles."),
    .value(
      "stay", .seconds(in: ConfigurationLimits.staySeconds), \.stay, default: OverlayTable(),
      "For how many seconds the bar stays after the last touch."),
    .value(
      "buttons", .buttons, \.look.buttons, default: OverlayTable(), example: "[\"play-pause\", \"mute\"]",
      "Which buttons the bar has. A button that would do nothing is left out, such as next in a list of one item or "
        + "mute without sound."),
    .value(
      "accent", .colour, \.look.accent, default: OverlayTable(),
      "The colour of the played part, of the dragged position and of dots. `vitrine check` warns where it is hard to see."
    ),
    .value(
      "contrast", .word, \.look.contrast, default: OverlayTable(),
      "high has solid black backgrounds, a thicker bar and no faint text."),
    .value(
      "scale", .number(in: ConfigurationLimits.overlayScale), \.look.scale, default: OverlayTable(),
      "How large everything is drawn: 1 is legible from two metres on most screens. Where the screen tells its size, "
        + "buttons measure 9 mm or more at every scale."),
    .value(
      "height_mm", .number(in: ConfigurationLimits.overlayHeight), \.look.heightMillimetres, default: OverlayTable(),
      "How many millimetres above the lower edge of the screen the bar, the tiles and the panel of choices stand, where "
        + "the screen tells its size; at most half of the screen. Upright screens that reach down to the floor need it."
    ),
    .value(
      "times", .word, \.look.times, default: OverlayTable(),
      "How times are written: full is 00:00:06, short is 0:06."),
    .optional(
      "language", .language, \.look.language, example: "\"ar\"",
      "Of messages, cards and the words of the bar: docs/languages.md. One that is written from the right has titles and "
        + "messages begin there, and letters that languages share, such as those of Chinese and Japanese, have its shapes. "
        + "Controls stay where they are. Without it, the system's: LC_ALL, LC_MESSAGES or LANG."),
    .value(
      "fonts", .names, \.look.fontFamilies, default: OverlayTable(), example: "[\"Source Sans 3\"]",
      "Font families, best first. Letters that none of them has are taken from the system's other fonts."),
  ])
}

extension AttractTable {
  static let keys = TableDescription<AttractTable>([
    .optional(
      "playlist", .playlistName, \.playlist, position: \AttractTable.playlistPosition, example: "\"loop\"",
      "The playlist that plays while there is no visitor. Without it, the schedule's playlist. With it, the "
        + "schedule's playlist is what the first touch starts, unless visitors names another one."),
    .optional(
      "visitors", .playlistName, \.visitors, position: \AttractTable.visitorsPosition, example: "\"films\"",
      "The playlist that the first touch starts. Without it and playlist, the first touch shows the bar of the "
        + "current item."),
    .value(
      "layout", .word, \.layout, default: AttractTable(),
      "What the first touch brings: list starts the visitors' playlist with its first film; tiles shows its films as "
        + "pictures to choose from, over the loop."),
    .value(
      "idle_timeout", .seconds(in: ConfigurationLimits.idleSeconds), \.idleTimeout, default: AttractTable(),
      "After how many seconds without a touch or a key the loop comes back, and a film that somebody has paused plays on."
    ),
    .value(
      "return", .word, \.returns, default: AttractTable(),
      "Whether the loop waits for the end of the current item (item-boundary) or comes back at once (at-once)."),
    .value(
      "countdown", .seconds(in: ConfigurationLimits.countdownSeconds), \.countdown, default: AttractTable(),
      "For how many seconds a card asks visitors whether they are still there before the loop comes back; at most half "
        + "of idle_timeout. Any touch or key keeps the visit. 0 is off."),
  ])
}

extension GestureName {
  /// Its key in files.
  fileprivate var key: String { rawValue.replacing("-", with: "_") }

  fileprivate var summary: String {
    switch self {
    case .tap: "A short touch, not on a button."
    case .doubleTapLeft: "Two taps on the left half; each further tap repeats the action."
    case .doubleTapRight: "Two taps on the right half; each further tap repeats the action."
    case .longPress: "A finger that rests on one place."
    case .twoFingerTap: "A tap with two fingers."
    case .swipeLeft: "A flick to the left."
    case .swipeRight: "A flick to the right."
    case .twoFingerSwipeLeft: "Two fingers that move to the left together."
    case .twoFingerSwipeRight: "Two fingers that move to the right together."
    case .horizontalDrag: "A finger that is drawn to the side, and didn't begin on the bar."
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

// MARK: Rules

extension ValueRule where Value == BoundAction {
  static func gestureAction(_ gesture: GestureName) -> Self {
    guard gesture.isDrag else { return action("an action is allowed, such as \(Binding.examples)") { !$0.isForDrags } }
    // A vertical drag can't move along the bar.
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
      guard isAllowed(action) else { throw Refusal("is not allowed here") }
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
  /// A list of names that the system knows, each a text of one line.
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
