public import JSONText
internal import PlaybackCore

/// What the arguments of commands may be at most.
public enum CommandLimits {
  /// More isn't read from a screen.
  public static let messageCharacters = 500
  /// Of an address that is named; of longer ones `status` tells the beginning, and that names them.
  public static let addressCharacters = 500
  /// A message stays so long at most, in seconds: what is to stay for days belongs in the playlist.
  public static let messageSeconds = 24.0 * 3600
  /// Of times in items, in seconds: what is longer is no film.
  public static let seekSeconds = 8_640_000.0
}

/// What is wrong with a command's arguments, as the end of a sentence about its verb.
public struct CommandMisuse: Error, Hashable, Sendable {
  public var text: String
  public init(_ text: String) { self.text = text }
}

/// The arguments of a command by their names, as the control socket writes them.
public struct CommandArguments: Hashable, Sendable {
  public var members: [JSONValue.Member]

  public init(_ members: [JSONValue.Member] = []) { self.members = members }

  subscript(name: String) -> JSONValue? { members.first { $0.name == name }?.value }
  func truth(_ name: String) -> Bool? { self[name]?.truth }
  func number(_ name: String) -> Double? { self[name]?.realNumber }
  func whole(_ name: String) -> Int? { self[name]?.wholeNumber.map { Int($0) } }
  func text(_ name: String) -> String? { self[name]?.text }
}

/// An argument that a command takes, by its name; what it may be, and where it stands in a line of words.
public struct CommandParameter: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case boolean
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case text(Int)
    case words([String])
    case wordList([String])
  }

  /// Where an argument stands in a line of words, as `ctl` and key bindings have it.
  public enum Place: Hashable, Sendable {
    /// Behind the verb.
    case first
    /// Behind the verb, without a sign.
    case unsigned
    /// Behind the verb, with a sign.
    case signed
    /// Behind `--` and this name; a boolean is true by its name alone.
    case option(String)
  }

  public var name: String
  public var kind: Kind
  public var summary: String
  public var isRequired: Bool
  public var place: Place
  /// Whether a number is seconds, which people write as 1:30 too.
  public var isTime: Bool

  public init(
    _ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false, place: Place = .first,
    isTime: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
    self.place = place
    self.isTime = isTime
  }

  /// The values that are allowed, for people.
  public var allowed: String {
    func spelled(_ value: Double) -> String { JSONValue.number(value).compact }
    return switch kind {
    case .boolean: "true or false"
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "a number from \(spelled(range.lowerBound)) to \(spelled(range.upperBound))"
    case .text(let limit): "a text of at most \(limit) characters"
    case .words(let words): "one of \(words.joined(separator: ", "))"
    case .wordList(let words): "a list of \(words.joined(separator: ", "))"
    }
  }

  func admits(_ value: JSONValue) -> Bool {
    switch kind {
    case .boolean: value.truth != nil
    case .integer(let range): value.wholeNumber.map { range.contains($0) } ?? false
    case .number(let range): value.realNumber.map { range.contains($0) } ?? false
    case .text(let limit): value.text.map { $0.unicodeScalars.count <= limit } ?? false
    case .words(let words): value.text.map { words.contains($0) } ?? false
    case .wordList(let words):
      value.elements.map { list in
        list.count <= words.count && list.allSatisfy { element in element.text.map { words.contains($0) } ?? false }
      } ?? false
    }
  }

  /// Checks that each argument is one that is taken, and that those are there that are needed.
  public static func check(_ arguments: CommandArguments, against parameters: [Self]) throws(CommandMisuse) {
    for member in arguments.members {
      guard let parameter = parameters.first(where: { $0.name == member.name }) else {
        throw CommandMisuse("there is no argument \(quoted(member.name))")
      }
      guard parameter.admits(member.value) else { throw CommandMisuse("\(parameter.name) is \(parameter.allowed)") }
    }
    for parameter in parameters where parameter.isRequired && arguments[parameter.name] == nil {
      throw CommandMisuse("\(parameter.name) is missing")
    }
  }

  /// A word of a stranger's, cut and without control characters.
  public static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? "?" : Character($0) }
    return "'\(String(plain))'"
  }

  /// Of JSON Schema, draft 7.
  public var schema: JSONValue {
    var members: [JSONValue.Member]
    switch kind {
    case .boolean: members = [.init("type", .string("boolean"))]
    case .integer(let range):
      members = [
        .init("type", .string("integer")), .init("minimum", .integer(range.lowerBound)),
        .init("maximum", .integer(range.upperBound)),
      ]
    case .number(let range):
      members = [
        .init("type", .string("number")), .init("minimum", .number(range.lowerBound)),
        .init("maximum", .number(range.upperBound)),
      ]
    case .text(let limit): members = [.init("type", .string("string")), .init("maxLength", .integer(Int64(limit)))]
    case .words(let words): members = [.init("enum", .array(words.map { .string($0) }))]
    case .wordList(let words):
      members = [
        .init("type", .string("array")), .init("maxItems", .integer(Int64(words.count))),
        .init("items", .object([.init("enum", .array(words.map { .string($0) }))])),
      ]
    }
    members.append(.init("description", .string(summary)))
    return .object(members)
  }
}
