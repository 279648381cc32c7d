public import InteractionCore
public import JSONText
public import PlaybackCore

/// A line of a client's that has been understood.
public struct ControlRequest: Hashable, Sendable {
  /// What is to be done or told.
  public enum Action: Hashable, Sendable {
    case hello
    case status
    case command(Command)
    case screenshot(ControlPictureWish)
    case subscribe(Set<ControlEventKind>)
  }

  /// A whole number, a text, or null; told back with the answer.
  public var id: JSONValue
  public var verb: ControlVerb
  /// The one that is meant; nil means all of them.
  public var screen: String?
  public var action: Action

  /// Whether it does what visitors may see or hear; only who steers may ask for that.
  public var changesSomething: Bool {
    if case .screenshot(let wish) = action { return wish.darkensScreen }
    return verb.changesSomething
  }

  /// A line that isn't a request; with its id, as far as it has one.
  public struct Refusal: Error, Hashable, Sendable {
    public var id: JSONValue
    public var error: VitrineError
  }

  public init(line: some Collection<UInt8>) throws(Refusal) {
    let value: JSONValue
    do throws(JSONProblem) {
      value = try JSONValue(parsing: line, depth: 4)
    } catch {
      throw Refusal(id: .null, error: ControlErrors.notJSON(error.text, at: error.offset))
    }
    guard case .object(let members) = value else {
      throw Refusal(id: .null, error: ControlErrors.malformed("this is no object"))
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

  private init(id: JSONValue, _ value: JSONValue, _ members: [JSONValue.Member]) throws(VitrineError) {
    self.id = id
    guard let word = value["verb"]?.text else { throw ControlErrors.malformed("it has no verb") }
    guard let verb = ControlVerb(word) else { throw ControlErrors.unknownVerb(word) }
    self.verb = verb
    if let name = value["screen"], name != .null {
      guard verb.isOfScreen else {
        throw ControlErrors.badArgument(verb, "it is about the whole player and takes no screen")
      }
      guard let text = name.text, !text.isEmpty, text.unicodeScalars.count <= ControlLimits.screenNameCharacters else {
        throw ControlErrors.badArgument(verb, "screen is the name of one")
      }
      screen = text
    }
    let arguments = CommandArguments(members.filter { !["id", "verb", "screen"].contains($0.name) })
    do throws(CommandMisuse) {
      switch verb {
      case .command(let verb): action = .command(try verb.command(arguments))
      case .query(let query):
        try CommandParameter.check(arguments, against: query.parameters)
        action = Self.action(query, value)
      }
    } catch {
      throw ControlErrors.badArgument(verb, error.text)
    }
    if verb == .query(.hello), let version = value["version"]?.wholeNumber, version != ControlVersion.current {
      throw ControlErrors.version(version)
    }
  }

  /// What a question's arguments, each of which is admitted by its parameter, mean together.
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
      // Without a word about it nobody wants a line each second.
      return .subscribe(Set(named ?? ControlEventKind.allCases.filter { $0 != .position }))
    case .unsubscribe: return .subscribe([])
    }
  }
}
