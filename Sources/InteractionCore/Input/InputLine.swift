/// A GPIO line that a button is wired to: an entry of `[[input.gpio]]`.
public struct InputLine: Hashable, Sendable {
  /// The resistor of the chip that keeps an open line at one level.
  public enum Pull: String, Hashable, Sendable, CaseIterable {
    case up, down, none
  }

  /// The line's name in the kernel, as `gpioinfo` prints it, such as `GPIO17`; or, with a chip, the line's number on it,
  /// from 0.
  public var name: String
  /// The chip, by its device or its label, such as `gpiochip0` or `pinctrl-rp1`; nil for all chips.
  public var chip: String?
  public var pull = Pull.up
  /// Whether the low level is the pressed one, as it is for a button between the line and ground.
  public var isActiveLow = true
  /// Changes that are shorter have no effect. The bounce of usual buttons ends within 10 ms.
  public var debounce = Duration.milliseconds(20)

  public init(_ name: String = "", chip: String? = nil) {
    self.name = name
    self.chip = chip
  }

  /// The line's number on its chip; nil for a line by name.
  public var offset: Int? { chip == nil ? nil : Int(name) }

  /// For people: `GPIO17`, or `gpiochip0 line 17`.
  public var title: String { chip.map { offset == nil ? name : "\($0) line \(name)" } ?? name }

  /// The key that the line's changes have as input events. No key of a keyboard has such a name.
  public var key: String { "gpio " + title }
}

/// The effects of a button on a GPIO line.
public struct LineBindings: Hashable, Sendable {
  /// With a long press bound, a short press has its effect when the button is let go.
  public var press: Binding
  /// Carried out whenever the button is let go, after any press.
  public var release: Binding
  public var longPress: Binding
  /// How long the button is down for a long press.
  public var longAfter: Duration

  public init(
    press: Binding = .nothing, release: Binding = .nothing, longPress: Binding = .nothing,
    longAfter: Duration = Self.standardLongAfter
  ) {
    self.press = press
    self.release = release
    self.longPress = longPress
    self.longAfter = longAfter
  }

  /// Longer than anybody presses a button by habit, and short enough to be found.
  public static let standardLongAfter = Duration.seconds(1)
}

extension LineBindings: CustomStringConvertible {
  /// For `vitrine inputs`: `press: next, long press: status`.
  public var description: String {
    let bound = [("press", press), ("release", release), ("long press", longPress)].filter { $0.1 != .nothing }
    return bound.isEmpty ? "nothing" : bound.map { "\($0.0): \($0.1)" }.joined(separator: ", ")
  }
}
