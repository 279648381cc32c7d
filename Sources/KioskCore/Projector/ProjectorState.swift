/// The faults that a projector reports: six parts, each well or not.
public struct ProjectorFaults: Hashable, Sendable {
  /// In the order of PJLink.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case fan, lamp, temperature, cover, filter, other
  }

  /// Raw values are those of PJLink.
  public enum Level: UInt8, Hashable, Sendable {
    case warning = 0x31
    case error = 0x32

    var word: String { self == .warning ? "warning" : "error" }
  }

  /// The parts that aren't well.
  public private(set) var levels: [Part: Level] = [:]

  public init() {}

  /// - Parameter value: six digits; nil for anything else.
  init?(_ value: ArraySlice<UInt8>) {
    guard value.count == Part.allCases.count else { return nil }
    for (part, digit) in zip(Part.allCases, value) where digit != UInt8(ascii: "0") {
      guard let level = Level(rawValue: digit) else { return nil }
      levels[part] = level
    }
  }

  public var isEmpty: Bool { levels.isEmpty }

  /// Such as `lamp error`, in the order of the parts.
  public var words: [String] {
    Part.allCases.compactMap { part in levels[part].map { "\(part.rawValue) \($0.word)" } }
  }
}

/// One lamp of a projector.
public struct ProjectorLamp: Hashable, Sendable {
  /// For how long it has burnt, in hours.
  public var hours: Int
  public var isOn: Bool

  /// The most lamps by PJLink.
  private static let most = 8
  /// The most digits of the hours: five by PJLink, and one more.
  private static let mostDigits = 6

  public init(hours: Int, isOn: Bool) {
    self.hours = hours
    self.isOn = isOn
  }

  /// - Parameter value: pairs of hours and 0 or 1, with spaces between; nil for anything else.
  static func all(_ value: ArraySlice<UInt8>) -> [ProjectorLamp]? {
    let words = value.split(separator: UInt8(ascii: " "))
    guard !words.isEmpty, words.count.isMultiple(of: 2), words.count <= 2 * most else { return nil }
    var lamps: [ProjectorLamp] = []
    for index in stride(from: 0, to: words.count, by: 2) {
      let (digits, state) = (words[index], words[index + 1])
      let isNumber = digits.allSatisfy { (0x30...0x39).contains($0) }
      guard isNumber, digits.count <= mostDigits, state == [0x30] || state == [0x31] else { return nil }
      lamps.append(ProjectorLamp(hours: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, isOn: state == [0x31]))
    }
    return lamps
  }
}

/// Why an exchange with a projector came to nothing.
public enum PJLinkFailure: Error, Hashable, Sendable {
  /// There is no connection, for this reason.
  case unreachable(String)
  /// No answer in time.
  case silent
  /// The machine at that address answers, but not in PJLink.
  case garbled
  case wrongPassword
  case noPassword
}

/// The known state of a projector.
public struct ProjectorState: Hashable, Sendable {
  /// Why it isn't as it is to be.
  public enum Trouble: Hashable, Sendable {
    case link(PJLinkFailure)
    /// The projector is on though it is to be off, or the other way round, and commands don't help.
    case disobeys(isWantedOn: Bool)
    /// The projector shows another input; nil if it doesn't say which.
    case otherInput(wanted: String, shown: String?)
    case noSuchInput(String)
  }

  /// Nil before the first command.
  public internal(set) var isWantedOn: Bool?
  /// Nil where it doesn't say, or doesn't answer.
  public internal(set) var power: PJLinkPower?
  /// The input that it showed last.
  public internal(set) var input: String?
  public internal(set) var faults = ProjectorFaults()
  public internal(set) var lamps: [ProjectorLamp] = []
  public internal(set) var trouble: Trouble?

  public init() {}
}
