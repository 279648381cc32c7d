import InteractionCore
import PlaybackCore

// `[[input.gpio]]`: its keys, and the checks of lines against each other.

/// The keys of `[[input.gpio]]`.
enum GPIOSchema {
  static let line = TableDescription<LineTable>([
    .value(
      "line", .text, \.line.name, example: "\"GPIO17\"",
      "The line: its name, as `gpioinfo` prints it, or its number on the chip."
    ).required,
    .optional(
      "chip", .text, \.line.chip, example: "\"gpiochip0\"",
      "The chip with the line, by its device or its label. Without it, the first chip with a line of that name."),
    .value(
      "pull", .word, \.line.pull, default: LineTable(),
      "The chip's own resistor: up for a button to ground, down for a button to 3.3 V, none where the board has one."),
    .value(
      "active_low", .boolean, \.line.isActiveLow, default: LineTable(),
      "Whether the line is low while the button is pressed: true for a button to ground."),
    .value(
      "debounce", .seconds(in: ConfigurationLimits.debounceSeconds), \.line.debounce, default: LineTable(),
      "Changes that are shorter than this many seconds have no effect."),
    .optional(
      press, .keyAction, \.press, example: "\"next\"",
      "What a press does, as in [input.keys]. With long_press, a short press has its effect when the button is let go."),
    .optional(
      release, .keyAction, \.release, example: "\"play\"",
      "What happens when the button is let go, after any press."),
    .optional(
      longPress, .keyAction, \.longPress, example: "\"status\"", "What a long press does."),
    .value(
      "long_after", .seconds(in: ConfigurationLimits.longPressSeconds), \.longAfter, default: LineTable(),
      "For how many seconds the button is down for a long press."),
  ])

  fileprivate static let (press, release, longPress) = ("press", "release", "long_press")
}

extension ConfigurationChecks {
  func checkLines(reporting diagnostics: inout [Diagnostic]) {
    var known: [String: Int] = [:]
    for (index, table) in configuration.input.lines.enumerated() where !table.line.name.isEmpty {
      let context = context.inner("input").inner("gpio").element(index + 1)
      func report(_ key: String, _ message: String, _ allowed: String, _ severity: Diagnostic.Severity = .error) {
        diagnostics.append(
          context.diagnostic(key, at: table.position, message: message, allowed: allowed, severity: severity))
      }
      let line = table.line
      if line.chip == nil, Int(line.name) != nil {
        report("chip", "is missing", "a line's number needs the chip that it is on, such as chip = \"gpiochip0\"")
      }
      if let other = known[line.key] {
        report("line", "is the line of entry \(other) too", "all that a line does stands in one entry")
      }
      known[line.key] = known[line.key] ?? index + 1
      let actions = [
        (GPIOSchema.press, table.press), (GPIOSchema.release, table.release), (GPIOSchema.longPress, table.longPress),
      ]
      if actions.allSatisfy({ $0.1 == nil }) {
        report(
          GPIOSchema.press, "is missing", "the button does nothing without press, release or long_press", .warning)
      }
      for case (let key, let action?) in actions {
        checkClip(of: action, key: key, in: context, reporting: &diagnostics)
      }
    }
  }
}
