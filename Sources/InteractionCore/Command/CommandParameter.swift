public import JSONText

/// The limits of commands' arguments.
public enum CommandLimits {
  /// A longer message isn't read from a screen.
  public static let messageCharacters = 500
  /// An alert of this length is still read from afar, uncut, on a screen of 800x480 (a test of the overlay).
  public static let alertCharacters = 300
  /// The longest stay of an alert: a sentence that is true for days belongs in the playlist.
  public static let alertSpan: Duration = .seconds(24 * 3600)
  /// More than any date and time has.
  public static let timeCharacters = 40
  /// The longest address that may be named; of longer addresses `status` shows the beginning, which names them too.
  public static let addressCharacters = 500
  /// The longest stay of a message, in seconds: anything that stays for days belongs in the playlist.
  public static let messageSeconds = 24.0 * 3600
  /// The largest time in an item, in seconds: no film is longer.
  public static let seekSeconds = 8_640_000.0
}

/// The fault in a command's arguments, as the end of a sentence about its verb.
public struct CommandMisuse: Error, Hashable, Sendable {
  public var text: String
  public init(_ text: String) { self.text = text }
}

/// The arguments of a command, with the names of the control socket.
public struct CommandArguments: Hashable, Sendable {
  public var members: [JSONValue.Member]

  public init(_ members: [JSONValue.Member] = []) { self.members = members }

  subscript(name: String) -> JSONValue? { JSONValue.object(members)[name] }
  func truth(_ name: String) -> Bool? { self[name]?.truth }
  func number(_ name: String) -> Double? { self[name]?.realNumber }
  func whole(_ name: String) -> Int? { self[name]?.wholeNumber.map { Int($0) } }
  func text(_ name: String) -> String? { self[name]?.text }
}

/// One argument of a command: its name, its allowed values, and its place in a line of words.
public struct CommandParameter: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case boolean
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case text(Int)
    /// One word of letters, digits, - and _, as playlists are called.
    case name
    case words([String])
    case wordList([String])
  }

  /// The place of an argument in a line of words, as `ctl` and key bindings use it.
  public enum Place: Hashable, Sendable {
    /// After the verb.
    case first
    /// After the verb, without a sign.
    case withoutSign
    /// After the verb, with a sign.
    case withSign
    /// After `--` and this name; a boolean is true when its name is given alone.
    case option(String)
  }

  public var name: String
  public var kind: Kind
  public var summary: String
  public var isRequired: Bool
  public var place: Place
  /// Whether a number is a time in seconds, which may also be written as 1:30.
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
    case .name: "a name of letters, digits, - and _"
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
    case .name:
      value.text.map { text in
        (1...CommandLimits.addressCharacters).contains(text.utf8.count)
          && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      } ?? false
    case .words(let words): value.text.map { words.contains($0) } ?? false
    case .wordList(let words):
      value.elements.map { list in
        list.count <= words.count && list.allSatisfy { element in element.text.map { words.contains($0) } ?? false }
      } ?? false
    }
  }

  /// Checks that each argument has a parameter that admits it, and that no required argument is missing.
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

  /// A word of foreign input, shortened and without control characters.
  public static func quoted(_ text: String) -> String {
    let plain = text.unicodeScalars.prefix(40).map { $0.properties.generalCategory == .control ? "?" : Character($0) }
    return "'\(String(plain))'"
  }

  /// The parameter in JSON Schema, draft 7.
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
    case .name: members = [.init("type", .string("string")), .init("pattern", .string("^[A-Za-z0-9_-]+$"))]
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
