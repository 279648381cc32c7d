/// What is known of a configuration that hasn't been confirmed.
public struct ConfigurationTrial: Hashable, Sendable {
  /// What is on trial. Each has a note of its own: a stick doesn't make forgotten what was rolled back before it came.
  public enum Subject: Hashable, Sendable, CaseIterable {
    /// The board's files, with what was copied from a stick.
    case files
    /// These with a stick that is plugged in. It is never kept, so that its note goes when it is confirmed or pulled.
    case stick
  }

  /// Starts that a configuration gets which has never been confirmed: one that ends the program each time must not do so
  /// for ever, and one that was cut off by the power twice may still be good.
  public static let mostAttempts = 3

  public var fingerprint: String
  /// How often it was begun.
  public var attempts: Int
  /// Why it isn't to be tried again; nil while it may be.
  public var rejection: String?

  public init(fingerprint: String, attempts: Int, rejection: String? = nil) {
    self.fingerprint = fingerprint
    self.attempts = attempts
    self.rejection = rejection
  }

  /// Why this text isn't begun once more; nil where it may be.
  public func rejection(of fingerprint: String) -> String? {
    guard fingerprint == self.fingerprint else { return nil }
    return rejection
      ?? (attempts >= Self.mostAttempts ? "the player ended \(attempts) times before it was confirmed" : nil)
  }

  /// One start more for this text.
  public static func begun(_ fingerprint: String, after trial: ConfigurationTrial?) -> ConfigurationTrial {
    let before = trial.flatMap { $0.fingerprint == fingerprint ? $0.attempts : nil } ?? 0
    return ConfigurationTrial(fingerprint: fingerprint, attempts: before + 1)
  }
}

// MARK: As it is kept

extension ConfigurationTrial {
  /// Bytes of a note that are read: a fingerprint and a reason are far below.
  public static let textLimit = 64 * 1024
  /// Many times what is counted to; a file with a greater number was damaged.
  private static let mostCounted: Int64 = 1000

  /// Nil when it isn't one.
  public init?(text: [UInt8]) {
    guard let table = try? TOMLParser.parse(text), case .string(let fingerprint)? = table["fingerprint"]?.value,
      case .integer(let attempts)? = table["attempts"]?.value
    else { return nil }
    self.init(fingerprint: fingerprint, attempts: Int(min(max(0, attempts), Self.mostCounted)))
    if case .string(let reason)? = table["rejection"]?.value { rejection = reason }
  }

  public var text: [UInt8] {
    var members: [(String, TOMLNode.Value)] = [
      ("fingerprint", .string(fingerprint)), ("attempts", .integer(Int64(attempts))),
    ]
    if let rejection { members.append(("rejection", .string(rejection))) }
    return Array(TOMLText.document(members).utf8)
  }
}

extension TOMLTable {
  /// To be written; places don't matter.
  init(written members: [(String, TOMLNode.Value)]) {
    self.init(
      members.enumerated().map { index, member in
        let position = TOMLPosition(line: index + 1, column: 1)
        return Entry(key: member.0, node: TOMLNode(member.1, at: position, keyPosition: position))
      })
  }
}

extension TOMLText {
  /// Lines `key = value`.
  static func document(_ members: [(String, TOMLNode.Value)]) -> String {
    TOMLTable(written: members).entries.map { "\($0.key) = \(written($0.node))\n" }.joined()
  }
}
