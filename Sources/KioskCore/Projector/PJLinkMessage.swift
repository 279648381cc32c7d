/// The commands of PJLink, class 1 (JBMIA, version 1.04), that the player sends.
public enum PJLinkCommand: Hashable, Sendable {
  case power(Bool)
  case askPower
  /// Two digits: `ProjectorAddress.input`.
  case input(String)
  case askInput
  case askFaults
  case askLamps

  /// The four letters by which a command and its answer belong together.
  var name: String {
    switch self {
    case .power, .askPower: "POWR"
    case .input, .askInput: "INPT"
    case .askFaults: "ERST"
    case .askLamps: "LAMP"
    }
  }

  private var parameter: String {
    switch self {
    case .power(let isOn): isOn ? "1" : "0"
    case .input(let input): input
    case .askPower, .askInput, .askFaults, .askLamps: "?"
    }
  }

  /// The line as it is sent, with its end.
  public var bytes: [UInt8] { Array("%1\(name) \(parameter)\r".utf8) }
}

/// The power of a projector. Raw values are those of PJLink.
public enum PJLinkPower: UInt8, Hashable, Sendable, CaseIterable {
  case off = 0x30
  case on = 0x31
  /// On its way to off; takes minutes.
  case cooling = 0x32
  /// On its way to on; takes up to a minute or two.
  case warming = 0x33
}

/// Why a projector refuses a command.
public enum PJLinkRefusal: Hashable, Sendable {
  /// ERR1
  case unknownCommand
  /// ERR2: no such input, for example.
  case outOfRange
  /// ERR3: for example while it cools down or warms up.
  case notNow
  /// ERR4
  case failure
}

/// A projector's answer to a command.
public enum PJLinkReply: Hashable, Sendable {
  case done
  case power(PJLinkPower)
  case input(String)
  case faults(ProjectorFaults)
  case lamps([ProjectorLamp])
  case refused(PJLinkRefusal)
  /// An answer to this command that has no meaning.
  case unreadable
  case wrongPassword

  /// Reads a line without its end; nil for one that doesn't answer this command.
  public init?(_ line: [UInt8], to command: PJLinkCommand) {
    if line == Self.wrong {
      self = .wrongPassword
      return
    }
    let head = Array("%1\(command.name)=".utf8)
    // Some projectors answer in small letters.
    guard line.count >= head.count, line.prefix(head.count).map(Self.upper) == head else { return nil }
    let value = line.dropFirst(head.count)
    if let refusal = PJLinkRefusal(value.map(Self.upper)) {
      self = .refused(refusal)
      return
    }
    let read: PJLinkReply? =
      switch command {
      case .power, .input: value.map(Self.upper) == Array("OK".utf8) ? .done : nil
      case .askPower: value.count == 1 ? value.first.flatMap(PJLinkPower.init).map { .power($0) } : nil
      case .askInput: Self.input(value).map { .input($0) }
      case .askFaults: ProjectorFaults(value).map { .faults($0) }
      case .askLamps: ProjectorLamp.all(value).map { .lamps($0) }
      }
    self = read ?? .unreadable
  }

  static let wrong = Array("PJLINK ERRA".utf8)

  fileprivate static func upper(_ byte: UInt8) -> UInt8 { (0x61...0x7A).contains(byte) ? byte - 0x20 : byte }

  /// Projectors of class 2 may number their sockets by letters, too.
  private static func input(_ value: ArraySlice<UInt8>) -> String? {
    let isName = value.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    return value.count == 2 && isName ? String(decoding: value, as: UTF8.self) : nil
  }
}

extension PJLinkRefusal {
  fileprivate init?(_ value: [UInt8]) {
    switch String(decoding: value.prefix(5), as: UTF8.self) {
    case "ERR1": self = .unknownCommand
    case "ERR2": self = .outOfRange
    case "ERR3": self = .notNow
    case "ERR4": self = .failure
    default: return nil
    }
  }
}

/// The first line of a connection, which the projector sends.
public enum PJLinkGreeting: Hashable, Sendable {
  case open
  /// The first command needs a password; its digest is made of these 8 digits and the password.
  case secured(random: [UInt8])
  case wrongPassword

  /// Reads a line without its end; nil for one that is no greeting of PJLink.
  public init?(_ line: [UInt8]) {
    let secured = Array("PJLINK 1 ".utf8)
    if line == Array("PJLINK 0".utf8) {
      self = .open
    } else if line == PJLinkReply.wrong {
      self = .wrongPassword
    } else if line.starts(with: secured) {
      let random = Array(line.dropFirst(secured.count))
      let isHexadecimal = random.map(PJLinkReply.upper).allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0)
      }
      guard random.count == 8, isHexadecimal else { return nil }
      self = .secured(random: random)
    } else {
      return nil
    }
  }
}

/// Cuts the bytes from a projector, or from a stranger in its place, into lines. Keeps no more than one line of the
/// longest length.
public struct PJLinkReader: Sendable {
  public enum Line: Hashable, Sendable {
    case incomplete
    /// Without its end.
    case whole([UInt8])
    case tooLong
  }

  /// The longest line by PJLink, in bytes, with its end.
  public static let longest = 136

  private var bytes: [UInt8] = []

  public init() {}

  /// The first line of what has come so far. What follows it is thrown away: a projector says nothing by itself.
  public mutating func line(adding new: [UInt8]) -> Line {
    let end = UInt8(ascii: "\r")
    // Some firmware ends its lines with two characters: the second one comes first in the next line.
    let isFirst = bytes.isEmpty
    let text = new.drop { isFirst && ($0 == UInt8(ascii: "\n") || $0 == end) }
    bytes += text.prefix(Self.longest - bytes.count)
    if let index = bytes.firstIndex(of: end) {
      defer { bytes = [] }
      return .whole(Array(bytes[..<index]))
    }
    return bytes.count < Self.longest ? .incomplete : .tooLong
  }
}
