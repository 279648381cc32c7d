public import PlaybackCore

extension KioskStatus {
  /// The projector of one screen.
  public struct Projector: Hashable, Sendable, Encodable {
    public var address: String
    /// Nil where it doesn't answer, or doesn't say.
    public var power: String?
    /// Whether it is to be on.
    public var isWantedOn: Bool
    /// The input that it showed last, two digits by PJLink.
    public var input: String?
    /// The faults that the projector reports, such as `lamp error`.
    public var faults: [String]
    /// How long each of its lamps has burnt.
    public var lampHours: [Int]
    /// The number of the error of what isn't as it is to be; nil when all is well.
    public var problem: Int?
    /// The error in words.
    public var reason: String?

    public init(_ address: ProjectorAddress, _ state: ProjectorState) {
      self.address = address.place
      power = state.power?.word
      isWantedOn = state.isWantedOn ?? false
      input = state.input
      faults = state.faults.words
      lampHours = state.lamps.map(\.hours)
      let error =
        state.trouble.map { ProjectorErrors.trouble(address, $0) }
        ?? (state.faults.isEmpty ? nil : ProjectorErrors.faults(address, state.faults))
      problem = error?.number
      reason = error.map { PlainText.clipped($0.message) }
    }

    enum CodingKeys: String, CodingKey {
      case address, power, input, faults, problem, reason
      case isWantedOn = "is_wanted_on"
      case lampHours = "lamp_hours"
    }
  }
}

extension PJLinkPower {
  var word: String {
    switch self {
    case .off: "off"
    case .on: "on"
    case .cooling: "cooling"
    case .warming: "warming"
    }
  }
}

/// The errors of projectors: numbers 7650 to 7659, listed in docs/errors.md.
public enum ProjectorErrors {
  public static func trouble(_ address: ProjectorAddress, _ trouble: ProjectorState.Trouble) -> VitrineError {
    switch trouble {
    case .link(.unreachable(let reason)): notAnswering(address, reason)
    case .link(.silent): notAnswering(address, "no answer in time")
    case .link(.garbled): notAnswering(address, "what answers there doesn't speak PJLink")
    case .link(.wrongPassword):
      VitrineError(
        7651, subject: address.place, message: "the projector refuses the password",
        remedy: "write the projector's password for PJLink into the file that projector_password_file names")
    case .link(.noPassword):
      VitrineError(
        7651, subject: address.place, message: "the projector asks for a password, and there is none to be read",
        remedy: "name a file with it in projector_password_file, which the player's user may read")
    case .disobeys(let isWantedOn):
      VitrineError(
        7652, subject: address.place,
        message: isWantedOn
          ? "the projector is off though it should be on" : "the projector is on though it should be off",
        remedy: "look whether somebody has switched it, and at its own messages; the screen's next change tries again")
    case .otherInput(let wanted, let shown):
      VitrineError(
        7653, subject: address.place,
        message: "the projector shows input \(shown ?? "?") in place of \(wanted)",
        remedy: "choose the input at the projector, or correct it in projector")
    case .noSuchInput(let input):
      VitrineError(
        7653, subject: address.place, message: "the projector has no input \(input)",
        remedy: "correct it in projector; its manual lists its inputs for PJLink")
    }
  }

  public static func faults(_ address: ProjectorAddress, _ faults: ProjectorFaults) -> VitrineError {
    VitrineError(
      7654, subject: address.place, message: "the projector reports: \(faults.words.joined(separator: ", "))",
      remedy: "have a look at the projector; it is switched as before")
  }

  private static func notAnswering(_ address: ProjectorAddress, _ reason: String) -> VitrineError {
    VitrineError(
      7650, subject: address.place, message: "the projector doesn't answer: \(reason)",
      remedy: "check its power, its network and that PJLink is switched on in its menu; it is tried again")
  }
}
