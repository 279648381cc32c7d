public import InteractionCore
internal import PlaybackCore

/// A question to the player: what it answers with is more than that something is done.
public enum ControlQuery: String, Hashable, Sendable, CaseIterable {
  case hello, status, screenshot, subscribe, unsubscribe

  var summary: String {
    switch self {
    case .hello: "Tells which version is spoken, and by which player. Needn't be asked."
    case .status: "Tells the state of everything: the status value, as the status card and the report have it."
    case .screenshot: "Takes a picture of a screen, in base64. It needs `screen` where there are several."
    case .subscribe:
      "Sends events from now on, in place of those before; without `events`, all but `position`. Answers with the status."
    case .unsubscribe: "Sends no more events."
    }
  }

  var parameters: [CommandParameter] {
    switch self {
    case .hello: [.init("version", .integer(1...1_000_000), "The version that the client speaks.")]
    case .status, .unsubscribe: []
    case .screenshot:
      [
        .init(
          "width", .integer(16...Int64(ControlLimits.pictureSide)),
          "Pixels. Without it, as wide as the screen; never wider."),
        .init("format", .words(ControlPictureWish.Format.allCases.map(\.rawValue)), "Without it, png."),
        .init(
          "source", .words(ControlPictureWish.Source.allCases.map(\.rawValue)),
          "Who makes it: the player, or the card by writeback, of what is really shown, for which some screens go dark for a moment (5052 where it can't). Without it, the player; the card only where its connector is led to this screen already, which is seldom."
        ),
      ]
    case .subscribe: [.init("events", .wordList(ControlEventKind.allCases.map(\.rawValue)), "Which.")]
    }
  }
}

/// The word that a request begins with: a command, or a question.
public enum ControlVerb: Hashable, Sendable, CaseIterable {
  case command(Verb)
  case query(ControlQuery)

  public static var allCases: [ControlVerb] {
    ControlQuery.allCases.map { .query($0) } + Verb.allCases.map { .command($0) }
  }

  public init?(_ word: String) {
    if let query = ControlQuery(rawValue: word) {
      self = .query(query)
    } else if let verb = Verb(rawValue: word) {
      self = .command(verb)
    } else {
      return nil
    }
  }

  public var word: String {
    switch self {
    case .command(let verb): verb.rawValue
    case .query(let query): query.rawValue
    }
  }

  /// For docs/control.md.
  public var summary: String {
    switch self {
    case .command(let verb): verb.summary
    case .query(let query): query.summary
    }
  }

  public var parameters: [CommandParameter] {
    switch self {
    case .command(let verb): verb.parameters
    case .query(let query): query.parameters
    }
  }

  /// Whether it can be meant for one screen of several.
  public var isOfScreen: Bool {
    switch self {
    case .command(let verb): verb.isOfScreen
    case .query(let query): query == .screenshot
    }
  }

  /// Whether it changes something: such requests are logged with the client, and need the right to steer.
  public var changesSomething: Bool {
    if case .command = self { true } else { false }
  }
}
