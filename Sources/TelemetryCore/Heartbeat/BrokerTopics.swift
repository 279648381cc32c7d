public import ControlProtocol
public import JSONText
public import PlaybackCore

/// The topics of one board.
public struct BrokerTopics: Hashable, Sendable {
  public let base: String
  /// The board, for the broker and for others that list devices.
  public let id: String

  /// - Parameters:
  ///   - base: from the configuration; nil is `vitrine/` and the board's name.
  ///   - name: of the board.
  public init(base: String?, name: String) {
    let plain = String(
      name.unicodeScalars.map { scalar in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
      })
    id = plain.isEmpty ? "board" : String(plain.prefix(64))
    self.base = base ?? "vitrine/\(id)"
  }

  /// Whom the broker takes us for. Two that it takes for one it would hang up in turn, for ever: boards that have one name too are told
  /// apart. In each run it is the same, so that the broker says at once that the run before is gone, and not when we are long there.
  ///
  /// - Parameter machine: what is another text on each machine.
  public func client(machine: String) -> String {
    "vitrine-\(id)-\(String(TextHash.of("\(machine) \(base)"), radix: 36))"
  }

  /// `online` or `offline`, retained; the broker says the second for us when we are gone.
  public var presence: String { "\(base)/presence" }
  /// The status as JSON, retained.
  public var status: String { "\(base)/status" }
  public var event: String { "\(base)/event" }
  public var command: String { "\(base)/command" }
  public var answer: String { "\(base)/answer" }
}

/// A message that is published.
public struct BrokerMessage: Hashable, Sendable {
  public var topic: String
  public var payload: [UInt8]
  public var isRetained: Bool

  public init(_ topic: String, _ payload: String, isRetained: Bool = false) {
    self.topic = topic
    self.payload = Array(payload.utf8)
    self.isRetained = isRetained
  }
}

/// Reads commands of a broker: each is a request of the control socket, and nothing else.
public struct BrokerCommands: Sendable {
  /// A person at a panel is slower, and a loop between two programs is noticed.
  public static let (perSecond, burst) = (5.0, 20.0)

  /// What becomes of a message.
  public enum Verdict: Hashable, Sendable {
    case perform(ControlRequest)
    /// It is answered, and nothing is done.
    case refuse(JSONValue, VitrineError)
    /// There is nobody to answer, or too much to answer.
    case ignore(Reason)
  }

  public enum Reason: String, Hashable, Sendable {
    /// The broker kept it: it would be done again with each connection.
    case retained
    case tooMany = "too many"
  }

  private var allowance = BrokerCommands.burst
  private var last: Instant?

  public init() {}

  public mutating func takePayload(_ payload: [UInt8], isRetained: Bool, at now: Instant) -> Verdict {
    guard !isRetained else { return .ignore(.retained) }
    if let last { allowance = min(Self.burst, allowance + max(0, (now - last).inSeconds) * Self.perSecond) }
    last = now
    guard allowance >= 1 else { return .ignore(.tooMany) }
    allowance -= 1
    guard payload.count <= ControlLimits.lineBytes else { return .refuse(.null, ControlErrors.lineTooLong) }
    do throws(ControlRequest.Refusal) {
      let request = try ControlRequest(line: payload)
      switch request.action {
      case .command, .status: return .perform(request)
      case .hello, .screenshot, .subscribe:
        return .refuse(request.id, BrokerErrors.notByBroker(request.verb))
      }
    } catch {
      return .refuse(error.id, error.error)
    }
  }
}

public enum BrokerErrors {
  static func notByBroker(_ verb: ControlVerb) -> VitrineError {
    VitrineError(
      7763, subject: verb.word, message: "it isn't answered by MQTT",
      remedy: "read the status and event topics, or ask the control socket")
  }
}
