public import ControlProtocol
internal import InteractionCore
public import JSONText
public import PlaybackCore

/// The topics of one board.
public struct BrokerTopics: Hashable, Sendable {
  public let base: String
  /// The board's name for the broker and for programs that list devices.
  public let id: String

  /// - Parameters:
  ///   - base: from the configuration; nil for `vitrine/` and the board's name.
  ///   - name: the board's name.
  public init(base: String?, name: String) {
    let plain = String(
      name.unicodeScalars.map { scalar in
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || scalar == "-" || scalar == "_" ? Character(scalar) : "-"
      })
    id = plain.isEmpty ? "board" : String(plain.prefix(64))
    self.base = base ?? "vitrine/\(id)"
  }

  /// The client's identifier at the broker. The broker disconnects a client when another one with the same identifier
  /// connects, so boards with the same name must differ. Each run of a board has the same, so that the broker ends the
  /// connection of the run before at once, and not when its time is up.
  ///
  /// - Parameter machine: a text that is different on each machine.
  public func client(machine: String) -> String {
    "vitrine-\(id)-\(String(TextHash.of("\(machine) \(base)"), radix: 36))"
  }

  /// `online` or `offline`, retained; the broker publishes the second when the connection breaks.
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

/// Reads commands from a broker: each is a request of the control socket, and nothing else.
public struct BrokerCommands: Sendable {
  /// A person at a panel is slower, and a loop between two programs is cut off.
  public static let (perSecond, burst) = (5.0, 20.0)

  /// The decision about a message.
  public enum Verdict: Hashable, Sendable {
    case perform(ControlRequest)
    /// The request gets an error as its answer.
    case refuse(JSONValue, VitrineError)
    /// The message gets no answer.
    case ignore(Reason)
  }

  public enum Reason: String, Hashable, Sendable {
    /// The broker had stored the command: it would be carried out again with each connection. Only an alert until a
    /// date and time may be.
    case retained
    case tooMany = "too many"
  }

  private var allowance = RateAllowance(perSecond: BrokerCommands.perSecond, burst: BrokerCommands.burst)

  public init() {}

  public mutating func handlePayload(_ payload: [UInt8], isRetained: Bool, at now: Instant) -> Verdict {
    if isRetained {
      guard payload.count <= ControlLimits.lineBytes,
        case .command(let command)? = (try? ControlRequest(line: payload))?.action, command.isGoodForever
      else {
        return .ignore(.retained)
      }
    }
    guard allowance.admit(at: now) else { return .ignore(.tooMany) }
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
      7763, subject: verb.word, message: "this verb isn't answered over MQTT",
      remedy: "read the status and event topics, or ask the control socket")
  }
}
