/// The record of a configuration that hasn't been confirmed: how often it was tried, and whether it was rejected.
public struct ConfigurationTrial: Hashable, Sendable {
  /// The set of texts on trial. Each has a record of its own: a stick doesn't erase the rejection of the board's files.
  public enum Subject: Hashable, Sendable, CaseIterable {
    /// The board's files, with those copied from a stick.
    case files
    /// The board's files with a stick that is plugged in. Such a configuration is never kept; its record is removed
    /// when it is confirmed or the stick is pulled.
    case stick
  }

  /// Starts that an unconfirmed configuration gets: one that ends the program each time must not do so for ever, and
  /// one that the power cut off twice may still be good.
  public static let mostAttempts = 3

  public var fingerprint: String
  /// How many starts tried the configuration.
  public var attempts: Int
  /// Why the configuration was rejected; nil if it may be tried again.
  public var rejection: String?

  public init(fingerprint: String, attempts: Int, rejection: String? = nil) {
    self.fingerprint = fingerprint
    self.attempts = attempts
    self.rejection = rejection
  }

  /// Why the texts of this fingerprint aren't tried again; nil if they may be.
  public func rejection(of fingerprint: String) -> String? {
    guard fingerprint == self.fingerprint else { return nil }
    return rejection
      ?? (attempts >= Self.mostAttempts ? "the player ended \(attempts) times before it was confirmed" : nil)
  }

  /// The record after one more start with these texts.
  public static func begun(_ fingerprint: String, after trial: ConfigurationTrial?) -> ConfigurationTrial {
    let before = trial.flatMap { $0.fingerprint == fingerprint ? $0.attempts : nil } ?? 0
    return ConfigurationTrial(fingerprint: fingerprint, attempts: before + 1)
  }
}

// MARK: As it is kept

extension ConfigurationTrial {
  /// Bytes of a note that are read: a fingerprint and a reason are far below.
  public static let textLimit = 64 * 1024
  /// Far above `mostAttempts`; a greater number comes from a damaged file.
  private static let mostCounted: Int64 = 1000

  /// Nil if the text isn't such a record.
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
  /// A table to be written; its positions have no meaning.
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
