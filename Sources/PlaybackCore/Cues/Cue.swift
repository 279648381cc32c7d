/// A message to another machine at a moment of the program: `[[cue]]`.
public struct Cue: Hashable, Sendable {
  public var moment = CueMoment.itemStarted
  /// The time in the medium, of `CueMoment.time`.
  public var at: Duration?
  /// The screen by its name; nil for each.
  public var screen: String?
  /// The playlist whose items are meant, and the number of one of them, from 1; nil for all.
  public var playlist: String?
  public var item: Int?
  /// Nil in a faulty file only.
  public var address: CueAddress?
  public var text = ""
  /// Of an OSC message.
  public var arguments: [CueArgument] = []
  /// For how long a GPIO line is active. A fifth of a second is long enough for a relay to close, and for the input of a
  /// show control to see it.
  public var pulse = Duration.milliseconds(200)
  /// Whether the low level of a GPIO line is the active one.
  public var isActiveLow = false

  public init() {}
}

/// The moments that have cues. Those of the player's health have the words of the status; all others but `time` are
/// events of the control socket, by the same names.
public enum CueMoment: String, Hashable, Sendable, CaseIterable {
  case time
  case itemStarted = "item-started"
  case itemEnded = "item-ended"
  case itemFailed = "item-failed"
  case visitStarted = "visit-started"
  case visitEnded = "visit-ended"
  case alertShown = "alert-shown"
  case alertEnded = "alert-ended"
  case healthy, attention, trouble

  /// Whether it is a moment of an item.
  public var isOfItem: Bool {
    switch self {
    case .time, .itemStarted, .itemEnded, .itemFailed: true
    case .visitStarted, .visitEnded, .alertShown, .alertEnded, .healthy, .attention, .trouble: false
    }
  }

  /// Whether the health of the whole player has become what the word says.
  public var isOfHealth: Bool { [.healthy, .attention, .trouble].contains(self) }
}

/// A value that an OSC message carries.
public enum CueArgument: Hashable, Sendable {
  case whole(Int64)
  case number(Double)
  case text(String)
  case truth(Bool)
}

/// A machine and its port, as a sender writes them.
public struct CueReceiver: Hashable, Sendable {
  /// A name or a literal address, without brackets.
  public let host: String
  /// 1...65535.
  public let port: Int

  /// - Parameter text: `name:port`, `10.0.0.5:port` or `[::1]:port`. Without a port it is nil.
  init?(_ text: Substring) {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.value > 0x20 && $0.value < 0x7F && !"/@?#\\".contains(Character($0))
    }
    // Of a bare IPv6 address the last group would be taken for a port.
    let hasPort = text.hasPrefix("[") ? text.contains("]:") : text.filter { $0 == ":" }.count == 1
    guard isPlain, hasPort, let origin = WebOrigin(.http, server: String(text)) else { return nil }
    (host, port) = (origin.host, origin.port)
  }
}

extension CueReceiver: CustomStringConvertible {
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// The receiver of a cue's message, and the protocol.
public enum CueAddress: Hashable, Sendable {
  /// An OSC message by UDP, with its address pattern, such as `/cue/5/start`.
  case osc(CueReceiver, String)
  case udp(CueReceiver)
  case tcp(CueReceiver)
  /// A POST.
  case http(String)
  /// A topic of the broker that the player is connected to.
  case mqtt(String)
  /// A pulse on a GPIO line of the board, by its name, or with its chip by its number.
  case gpio(chip: String?, line: String)
  /// A serial line of the board, by its path. Without settings, those that stand elsewhere in the configuration.
  case serial(String, SerialSettings?)

  /// The allowed forms, for people.
  public static let allowed =
    "osc://HOST:PORT/ADDRESS, udp://HOST:PORT, tcp://HOST:PORT, http://..., https://..., mqtt:TOPIC, gpio:LINE, "
    + "gpio:CHIP/LINE, serial:/dev/ttyUSB0 or serial:/dev/ttyUSB0,38400,8E1"

  public init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let rest = text[text.index(after: colon)...]
    switch text[..<colon] {
    case "osc":
      guard rest.hasPrefix("//"), let slash = rest.dropFirst(2).firstIndex(of: "/"),
        let receiver = CueReceiver(rest.dropFirst(2)[..<slash]), Self.isPattern(rest[slash...])
      else { return nil }
      self = .osc(receiver, String(rest[slash...]))
    case "udp", "tcp":
      guard rest.hasPrefix("//"), let receiver = CueReceiver(rest.dropFirst(2)) else { return nil }
      self = text.hasPrefix("udp") ? .udp(receiver) : .tcp(receiver)
    case "http", "https":
      // A password in the address would be told with each error, and isn't sent.
      guard let origin = WebOrigin(address: text), !origin.host.isEmpty, !text.contains("@"), !text.contains(" ") else {
        return nil
      }
      self = .http(text)
    case "mqtt":
      // Wildcards are for subscribers, and topics with $ belong to the broker.
      guard !rest.isEmpty, !rest.hasPrefix("$"), !rest.hasPrefix("//"), !rest.contains("#"), !rest.contains("+") else {
        return nil
      }
      self = .mqtt(String(rest))
    case "gpio":
      // A chip may be named by its path.
      let slash = rest.lastIndex(of: "/")
      let (chip, line) = (slash.map { String(rest[..<$0]) }, slash.map { rest[rest.index(after: $0)...] } ?? rest)
      guard !line.isEmpty, chip?.isEmpty != true, chip != nil || Int(line) == nil else { return nil }
      self = .gpio(chip: chip, line: String(line))
    case "serial":
      guard let (path, settings) = SerialPath.read(rest) else { return nil }
      self = .serial(path, settings)
    default: return nil
    }
  }

  /// Whether a text is an address pattern that each receiver takes as a plain address.
  private static func isPattern(_ text: Substring) -> Bool {
    text.count > 1
      && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F && !"#*,?[]{}".contains(Character($0)) }
  }
}

extension CueAddress: CustomStringConvertible {
  public var description: String {
    switch self {
    case .osc(let receiver, let pattern): "osc://\(receiver)\(pattern)"
    case .udp(let receiver): "udp://\(receiver)"
    case .tcp(let receiver): "tcp://\(receiver)"
    case .http(let address): address
    case .mqtt(let topic): "mqtt:\(topic)"
    case .gpio(let chip, let line): "gpio:\(chip.map { "\($0)/" } ?? "")\(line)"
    case .serial(let path, nil): "serial:\(path)"
    case .serial(let path, let settings?):
      "serial:\(path),\(settings.speed)\(settings.frame == SerialFrame() ? "" : ",\(settings.frame)")"
    }
  }
}
