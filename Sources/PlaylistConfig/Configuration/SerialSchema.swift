public import InteractionCore
public import PlaybackCore

// `[[input.serial]]`: its keys, and the checks of lines against each other and against cues.

/// `[[input.serial]]`
public struct SerialTable: Hashable, Sendable {
  public var input = SerialInput()
  /// The actions of the device's own words.
  public var match: [String: BoundAction] = [:]
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}

/// The keys of `[[input.serial]]`.
enum SerialSchema {
  static let line = TableDescription<SerialTable>([
    .value(
      "device", path, \.input.path, example: "\"/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A10KZP45-if00-port0\"",
      "The line: /dev/ttyUSB0 or another name of it. The names in /dev/serial/by-id stay the same when another adapter "
        + "is plugged in first."
    ).required,
    .value(
      "speed", speed, \.input.settings.speed, default: SerialTable(), example: "115200",
      "The speed, in bits a second, as it is set at the device."),
    .value(
      "frame", frame, \.input.settings.frame, default: SerialTable(), example: "\"7E1\"",
      "The form of a byte, as it is set at the device: bits, parity (none, even or odd), stop bits."),
    .namedValues(
      "match", .keyAction, placeholder: "PLAY1", namePattern: "^[^\\r\\n]+$",
      nameAllowed: "a word of at most \(SerialInput.mostBytesOfWord) bytes, without the end of its line, is allowed",
      isName: SerialInput.isWord, \.match, example: "\"next\"",
      "For a device that sends words of its own: what each of them does, as in [input.keys]. Such words are like "
        + "buttons, and nothing is answered. Without this table the device sends commands, and gets answers "
        + "(docs/show-control.md)."),
  ])

  private static var path: ValueRule<String> {
    ValueRule(
      allowed: "the path of a device is allowed, such as \"/dev/ttyUSB0\"", shape: .text(pattern: "^/dev/[!-~]+$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard SerialPath.isOne(text), text.utf8.count <= ConfigurationLimits.addressCharacters else {
        throw Refusal("is not the path of a device")
      }
      return text
    } spell: {
      TOMLText.quoted($0)
    }
  }

  private static var speed: ValueRule<Int> {
    let speeds = SerialSettings.speeds
    let range = Int64(speeds.min() ?? 0)...Int64(speeds.max() ?? 0)
    return ValueRule(
      allowed: "one of \(speeds.map { "\($0)" }.joined(separator: ", ")) is allowed", shape: .integer(range)
    ) { (node) throws(Refusal) in
      guard case .integer(let value) = node.value else { throw .kind(node, expected: "integer") }
      guard let speed = speeds.first(where: { $0 == value }) else { throw Refusal("is no usual speed") }
      return speed
    } spell: {
      String($0)
    }
  }

  private static var frame: ValueRule<SerialFrame> {
    ValueRule(
      allowed: "7 or 8, then N, E or O, then 1 or 2 is allowed, such as \"8N1\"",
      shape: .text(pattern: "^[78][NEO][12]$")
    ) { (node) throws(Refusal) in
      guard case .string(let text) = node.value else { throw .kind(node, expected: "string") }
      guard let frame = SerialFrame(text) else { throw Refusal("is not the form of a byte") }
      return frame
    } spell: {
      TOMLText.quoted("\($0)")
    }
  }
}

extension Configuration {
  /// The serial lines by which commands come.
  var serialInputs: [SerialInput] {
    input.serial.map { table in
      var input = table.input
      input.words = Set(table.match.keys)
      return input
    }
  }

  /// How a serial line is set: as its `[[input.serial]]` says, else as the first cue that says it does.
  public func serialSettings(of path: String) -> SerialSettings {
    if let table = input.serial.first(where: { $0.input.path == path }) { return table.input.settings }
    for case .serial(path, let settings?)? in cues.map(\.cue.address) { return settings }
    return SerialSettings()
  }
}

extension ConfigurationChecks {
  func checkSerial(reporting diagnostics: inout [Diagnostic]) {
    for (index, table) in configuration.input.serial.enumerated() where !table.input.path.isEmpty {
      let context = context.inner("input").inner("serial").element(index + 1)
      if let other = configuration.input.serial[..<index].firstIndex(where: { $0.input.path == table.input.path }) {
        diagnostics.append(
          context.diagnostic(
            "device", at: table.position, message: "is that of entry \(other + 1) too",
            allowed: "all that comes by a line stands in one entry"))
      }
      for (word, action) in table.match.sorted(by: { $0.key < $1.key }) {
        checkClip(of: action, key: word, in: context.inner("match"), reporting: &diagnostics)
      }
    }
  }

  /// - Returns: the settings that a line has elsewhere; nil where the cue's are the same.
  func otherSettings(of cue: Cue) -> SerialSettings? {
    guard case .serial(let path, let settings?)? = cue.address else { return nil }
    let others = configuration.serialSettings(of: path)
    return others == settings ? nil : others
  }
}
