/// The kernel device that puts screens to sleep and wakes them over the HDMI cable (CEC), or none.
public enum CECChoice: Hashable, Sendable {
  /// The device that belongs to the connector in use, where there is one.
  case auto
  case off
  /// A path such as /dev/cec1.
  case device(String)

  /// The allowed values, for messages.
  public static let allowed = "\"auto\", \"off\" or a device such as \"/dev/cec0\""

  /// Nil for any other text.
  public init?(_ text: String) {
    switch text {
    case "auto": self = .auto
    case "off": self = .off
    default:
      guard text.hasPrefix("/dev/"), text.utf8.count > 5, !text.contains(where: { $0.isWhitespace }) else { return nil }
      self = .device(text)
    }
  }
}

extension CECChoice: CustomStringConvertible {
  /// The form used in files and options.
  public var description: String {
    switch self {
    case .auto: "auto"
    case .off: "off"
    case .device(let path): path
    }
  }
}
