public import InteractionCore
public import JSONText
public import PlaybackCore

/// A valid request, read from a client's line.
public struct ControlRequest: Hashable, Sendable {
  /// The action that the request asks for.
  public enum Action: Hashable, Sendable {
    case hello
    case status
    case command(Command)
    case screenshot(ControlPictureWish)
    case subscribe(Set<ControlEventKind>)
  }

  /// An integer, a text, or null; sent back with the answer.
  public var id: JSONValue
  /// The spelling that the request came in, and its answer goes out in.
  public var form: ControlForm = .json
  public var verb: ControlVerb
  /// The screen that the request is for; nil for all of them.
  public var screen: String?
  public var action: Action

  /// Whether visitors may see or hear the effect; such requests need the right to control playback.
  public var changesSomething: Bool {
    if case .screenshot(let wish) = action { return wish.darkensScreen }
    return verb.changesSomething
  }

  /// The error for a line that isn't a request, with the line's id where it has one.
  public struct Refusal: Error, Hashable, Sendable {
    public var id: JSONValue
    public var form: ControlForm
    public var error: VitrineError

    public init(id: JSONValue, form: ControlForm = .json, error: VitrineError) {
      self.id = id
      self.form = form
      self.error = error
    }
  }

  public init(line: some Collection<UInt8>) throws(Refusal) {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(parsing: line, depth: 4)
    } catch {
      throw Refusal(id: .null, error: ControlErrors.notJSON(error.text, at: error.offset))
    }
    guard case .object(let members) = value else {
      throw Refusal(id: .null, error: ControlErrors.malformed("it isn't a JSON object"))
    }
    let id = value["id"] ?? .null
    guard Self.isID(id) else {
      throw Refusal(
        id: .null,
        error: ControlErrors.malformed(
          "an id is a whole number, or a text of at most \(ControlLimits.idCharacters) characters"))
    }
    do throws(VitrineError) {
      try self.init(id: id, value, members)
    } catch {
      throw Refusal(id: id, error: error)
    }
  }

  private static func isID(_ id: JSONValue) -> Bool {
    switch id {
    case .null, .integer: true
    case .string(let text): text.unicodeScalars.count <= ControlLimits.idCharacters
    default: false
    }
  }

  /// - Parameter screen: a checked name.
  init(id: JSONValue, form: ControlForm, verb: ControlVerb, screen: String?, action: Action) {
    (self.id, self.form, self.verb, self.screen, self.action) = (id, form, verb, screen, action)
  }

  private init(id: JSONValue, _ value: JSONValue, _ members: [JSONValue.Member]) throws(VitrineError) {
    self.id = id
    guard let word = value["verb"]?.text else { throw ControlErrors.malformed("it has no verb") }
    guard let verb = ControlVerb(word) else { throw ControlErrors.unknownVerb(word) }
    self.verb = verb
    if let name = value["screen"], name != .null { screen = try Self.screen(name.text ?? "", of: verb) }
    action = try Self.action(verb, CommandArguments(members.filter { !["id", "verb", "screen"].contains($0.name) }))
  }

  /// Checks the name of the screen that a request is for.
  static func screen(_ name: String, of verb: ControlVerb) throws(VitrineError) -> String {
    guard verb.isOfScreen else {
      throw ControlErrors.badArgument(verb, "it is about the whole player and takes no screen")
    }
    guard !name.isEmpty, name.unicodeScalars.count <= ControlLimits.screenNameCharacters else {
      throw ControlErrors.badArgument(verb, "screen is the name of one")
    }
    return name
  }

  static func action(_ verb: ControlVerb, _ arguments: CommandArguments) throws(VitrineError) -> Action {
    let action: Action
    var value = JSONValue.null
    do throws(CommandMisuse) {
      switch verb {
      case .command(let verb): action = .command(try verb.command(arguments))
      case .query(let query):
        try CommandParameter.check(arguments, against: query.parameters)
        value = .object(arguments.members)
        action = Self.action(query, value)
      }
    } catch {
      throw ControlErrors.badArgument(verb, error.text)
    }
    if action == .hello, let version = value["version"]?.wholeNumber, version != ControlVersion.current {
      throw ControlErrors.version(version)
    }
    return action
  }

  /// Makes the action of a query from arguments that its parameters have admitted.
  private static func action(_ query: ControlQuery, _ value: JSONValue) -> Action {
    switch query {
    case .hello: return .hello
    case .status: return .status
    case .screenshot:
      var wish = ControlPictureWish(width: value["width"]?.wholeNumber.map { Int($0) })
      wish.format = value["format"]?.text.flatMap(ControlPictureWish.Format.init) ?? .png
      wish.source = value["source"]?.text.flatMap(ControlPictureWish.Source.init)
      return .screenshot(wish)
    case .subscribe:
      let named = value["events"]?.elements?.compactMap { $0.text.flatMap(ControlEventKind.init) }
      // Positions, once a second, are sent only to clients that name that event.
      return .subscribe(Set(named ?? ControlEventKind.allCases.filter { $0 != .position }))
    case .unsubscribe: return .subscribe([])
    }
  }
}
