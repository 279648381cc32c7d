public import JSONText
public import KioskCore
public import PlaybackCore

/// A line of a client's that has been understood.
public struct ControlRequest: Hashable, Sendable {
  /// What is to be done or told.
  public enum Action: Hashable, Sendable {
    case hello
    case status
    case command(KioskCommand)
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

  /// How long a message stays that doesn't say so: it is read twice, by somebody who has to come nearer first.
  public static let messageStay: Duration = .seconds(10)

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
    guard let verb = ControlVerb(rawValue: word) else { throw ControlErrors.unknownVerb(word) }
    self.verb = verb
    if let name = value["screen"], name != .null {
      guard verb.isOfScreen else { throw ControlErrors.badArgument(verb, "it isn't of one screen") }
      guard let text = name.text, !text.isEmpty, text.unicodeScalars.count <= ControlLimits.screenNameCharacters else {
        throw ControlErrors.badArgument(verb, "screen is the name of one")
      }
      screen = text
    }
    for member in members where !["id", "verb", "screen"].contains(member.name) {
      guard let parameter = verb.parameters.first(where: { $0.name == member.name }) else {
        throw ControlErrors.badArgument(verb, "there is no argument \(ControlErrors.quoted(member.name))")
      }
      guard parameter.admits(member.value) else {
        throw ControlErrors.badArgument(verb, "\(parameter.name) is \(parameter.allowed)")
      }
    }
    for parameter in verb.parameters where parameter.isRequired && value[parameter.name] == nil {
      throw ControlErrors.badArgument(verb, "\(parameter.name) is missing")
    }
    action = try Self.action(verb, value)
  }

  /// What the arguments, each of which is one that the verb takes, mean together.
  private static func action(_ verb: ControlVerb, _ value: JSONValue) throws(VitrineError) -> Action {
    switch verb {
    case .hello:
      if let version = value["version"]?.wholeNumber, version != ControlVersion.current {
        throw ControlErrors.version(version)
      }
      return .hello
    case .status: return .status
    case .play: return .command(.play)
    case .pause: return .command(.pause)
    case .toggle: return .command(.playPause)
    case .seek:
      switch (value["to"]?.realNumber, value["by"]?.realNumber, value["keyframe"]?.truth ?? false) {
      case (let to?, nil, let isLoose): return .command(.seek(to: .seconds(to), isLoose ? .nearestKeyframe : .exact))
      case (nil, let by?, false): return .command(.skip(by: .seconds(by)))
      // The key frame that is nearest to a step may be the one where it is.
      case (nil, _?, true): throw ControlErrors.badArgument(verb, "keyframe goes with to")
      default: throw ControlErrors.badArgument(verb, "it takes one of to and by")
      }
    case .next: return .command(.next)
    case .previous: return .command(.previous)
    case .select: return .command(.select(number: Int(value["number"]?.wholeNumber ?? 0)))
    case .volume:
      switch (value["percent"]?.wholeNumber, value["by"]?.wholeNumber) {
      case (let percent?, nil): return .command(.setVolume(percent: Int(percent)))
      case (nil, let by?): return .command(.changeVolume(byPercent: Int(by)))
      default: throw ControlErrors.badArgument(verb, "it takes one of percent and by")
      }
    case .mute: return .command(value["on"]?.truth.map { .setMuted($0) } ?? .toggleMute)
    case .reload: return .command(.reload)
    case .retry: return .command(.forgive(value["uri"]?.text))
    case .screenshot:
      var wish = ControlPictureWish(width: value["width"]?.wholeNumber.map { Int($0) })
      wish.format = value["format"]?.text.flatMap(ControlPictureWish.Format.init) ?? .png
      wish.source = value["source"]?.text.flatMap(ControlPictureWish.Source.init)
      return .screenshot(wish)
    case .osd:
      switch value["show"]?.text.flatMap(ControlVerb.OSDPart.init) {
      case .controls: return .command(.showControls)
      case .status: return .command(.showStatus(true))
      case .nothing, nil: return .command(.hideOverlay)
      }
    case .screen: return .command(.switchScreen(isOn: value["on"]?.truth ?? true))
    case .message:
      let stay = value["seconds"]?.realNumber.map { Duration.seconds($0) } ?? messageStay
      return .command(.showMessage(value["text"]?.text ?? "", for: stay))
    case .quit: return .command(.end)
    case .subscribe:
      let named = value["events"]?.elements?.compactMap { $0.text.flatMap(ControlEventKind.init) }
      // Without a word about it nobody wants a line each second.
      return .subscribe(Set(named ?? ControlEventKind.allCases.filter { $0 != .position }))
    case .unsubscribe: return .subscribe([])
    }
  }
}
