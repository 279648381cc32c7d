public import InteractionCore
internal import PlaybackCore

/// A query, which has a result, unlike a command.
public enum ControlQuery: String, Hashable, Sendable, CaseIterable {
  case hello, status, screenshot, subscribe, unsubscribe

  var summary: String {
    switch self {
    case .hello: "Tells the version of the protocol and of the player. A client needn't ask."
    case .status: "Tells the whole status, as the status card and the report have it."
    case .screenshot: "Takes a picture of a screen, in base64. It needs `screen` if there are several screens."
    case .subscribe:
      "Sends events from now on, in place of an earlier subscription; without `events`, all kinds but `position`. "
        + "Answers with the status."
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
          "In pixels. Without it, as wide as the screen; never wider."),
        .init("format", .words(ControlPictureWish.Format.allCases.map(\.rawValue)), "Without it, png."),
        .init(
          "source", .words(ControlPictureWish.Source.allCases.map(\.rawValue)),
          "Who makes the picture: composed is the player; writeback is the card, which writes down what it really "
            + "shows. For that some screens go dark for a moment, and some cards can't (5052). Without it, the "
            + "player; the card only if its writeback connector serves this screen already, which is rare."
        ),
      ]
    case .subscribe: [.init("events", .wordList(ControlEventKind.allCases.map(\.rawValue)), "The kinds of events.")]
    }
  }
}

/// The verb of a request: a command's or a query's.
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

  /// The verb's meaning, for docs/control.md.
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

  /// Whether the verb can be sent to one of several screens.
  public var isOfScreen: Bool {
    switch self {
    case .command(let verb): verb.isOfScreen
    case .query(let query): query == .screenshot
    }
  }

  /// Whether the verb changes something: such requests are logged with the client, and need the right to control
  /// playback.
  public var changesSomething: Bool {
    if case .command = self { true } else { false }
  }
}
