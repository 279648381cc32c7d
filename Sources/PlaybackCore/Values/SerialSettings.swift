/// How the bytes of a serial line (RS-232, RS-485 or an adapter on USB) are sent: the speed and the form of each.
public struct SerialSettings: Hashable, Sendable {
  /// In bits a second; one of `speeds`.
  public var speed: Int
  public var frame: SerialFrame

  /// The settings of most devices when they leave their maker.
  public init(speed: Int = 9600, frame: SerialFrame = SerialFrame()) {
    self.speed = speed
    self.frame = frame
  }

  /// The speeds that control systems, projectors and displays have; the kernel knows all of them by number.
  public static let speeds = [300, 600, 1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600]
}

extension SerialSettings: CustomStringConvertible {
  public var description: String { "\(speed) \(frame)" }
}

/// The form of a byte on a serial line: `8N1` is eight bits, no parity and one stop bit.
public struct SerialFrame: Hashable, Sendable {
  public enum Parity: Character, Hashable, Sendable {
    case none = "N"
    case even = "E"
    case odd = "O"
  }

  /// 7 or 8.
  public let bits: Int
  public let parity: Parity
  /// 1 or 2.
  public let stops: Int

  /// 8N1.
  public init() { (bits, parity, stops) = (8, .none, 1) }

  /// - Parameter text: such as `8N1` or `7E1`.
  public init?(_ text: some StringProtocol) {
    let parts = Array(text)
    guard parts.count == 3, let parity = Parity(rawValue: parts[1]) else { return nil }
    switch (parts[0], parts[2]) {
    case ("7", "1"): (bits, stops) = (7, 1)
    case ("7", "2"): (bits, stops) = (7, 2)
    case ("8", "1"): (bits, stops) = (8, 1)
    case ("8", "2"): (bits, stops) = (8, 2)
    default: return nil
    }
    self.parity = parity
  }
}

extension SerialFrame: CustomStringConvertible {
  public var description: String { "\(bits)\(parity.rawValue)\(stops)" }
}

/// The path of a serial line, and in a cue's address its settings: `/dev/ttyUSB0` or `/dev/ttyUSB0,38400,8E1`.
public enum SerialPath {
  /// Whether a text is the path of a device. Blanks and commas are no part of such names.
  public static func isOne(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("/dev/") && text.count > 5 && !text.hasSuffix("/") && !text.contains("/../")
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && $0 != "," && $0 != "\"" }
  }

  /// - Returns: the path, and the settings where the text has any; nil for another text.
  static func read(_ text: Substring) -> (path: String, settings: SerialSettings?)? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let path = parts.first, isOne(path), parts.count <= 3 else { return nil }
    guard parts.count > 1 else { return (String(path), nil) }
    guard let speed = SerialSettings.speeds.first(where: { "\($0)" == parts[1] }) else { return nil }
    guard parts.count > 2 else { return (String(path), SerialSettings(speed: speed)) }
    return SerialFrame(parts[2]).map { (String(path), SerialSettings(speed: speed, frame: $0)) }
  }
}
