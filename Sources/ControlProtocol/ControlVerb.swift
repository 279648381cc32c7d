internal import JSONText
internal import KioskCore
internal import PlaybackCore

/// What can be asked through the socket. Whoever adds one says here what it takes; the reader, the schema and docs/control.md follow.
public enum ControlVerb: String, Hashable, Sendable, CaseIterable {
  case hello, status, play, pause, toggle, seek, next, previous, select, volume, mute, reload, retry, screenshot, osd,
    screen, message, quit, subscribe, unsubscribe

  /// For docs/control.md.
  public var summary: String {
    switch self {
    case .hello: "Which version is spoken, and by which player. Needn't be asked."
    case .status: "How everything fares: the status value, as the status card and the report have it."
    case .play: "Playback goes on."
    case .pause: "Playback is held."
    case .toggle: "The one of the two that isn't."
    case .seek: "To a place in the item, or from the one where it is. One of the two."
    case .next: "The next item of the playlist."
    case .previous: "The item before."
    case .select: "An item by its number in the playlist, from 1."
    case .volume: "Louder or quieter, to a value or by steps. One of the two. Steps upwards end a mute."
    case .mute: "Muted or not; without `on`, the other of the two."
    case .reload:
      "The configuration is read again. The answer comes at once; `configuration` events tell what becomes of it."
    case .retry: "What was left out, because the player died of it, is tried again: one item, or all of them."
    case .screenshot: "A picture of a screen, in base64. It needs `screen` where there are several."
    case .osd: "The bar with the times, the status card, or neither."
    case .screen: "The screen sleeps, with playback held, or wakes."
    case .message: "A line for whoever stands before the screen; an empty text takes it away."
    case .quit: "The player ends. A service manager may start it again."
    case .subscribe:
      "Events from now on, in place of those before; without `events`, all but `position`. Answers with the status."
    case .unsubscribe: "No more events."
    }
  }

  /// Whether something is another afterwards: those are logged with who asked.
  public var changesSomething: Bool {
    switch self {
    case .hello, .status, .screenshot, .subscribe, .unsubscribe: false
    default: true
    }
  }

  /// Whether it can be of one screen.
  public var isOfScreen: Bool {
    switch self {
    case .hello, .status, .reload, .retry, .quit, .subscribe, .unsubscribe: false
    default: true
    }
  }

  public var parameters: [ControlParameter] {
    let seconds = -ControlLimits.seekSeconds...ControlLimits.seekSeconds
    return switch self {
    case .hello: [.init("version", .integer(1...1_000_000), "The version that the client speaks.")]
    case .status, .play, .pause, .toggle, .next, .previous, .reload, .quit, .unsubscribe: []
    case .seek:
      [
        .init("to", .number(0...ControlLimits.seekSeconds), "Seconds from where the item begins."),
        .init("by", .number(seconds), "Seconds from the place where it is; negative is back."),
        .init(
          "keyframe", .boolean,
          "With `to`: the key frame that is nearest will do, which is there sooner. Without it, the very frame."),
      ]
    case .select: [.init("number", .integer(1...1_000_000), "From 1.", isRequired: true)]
    case .volume:
      [
        .init("percent", .integer(0...100), "Of full volume."),
        .init("by", .integer(-100...100), "Percent more; negative is quieter."),
      ]
    case .retry:
      [
        .init(
          "uri", .text(ControlLimits.addressCharacters),
          "Its address, as the playlist or `status` has it. Without it, all.")
      ]
    case .mute: [.init("on", .boolean, "Whether nothing is heard.")]
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
    case .osd: [.init("show", .words(OSDPart.allCases.map(\.rawValue)), "What shows.", isRequired: true)]
    case .screen: [.init("on", .boolean, "Whether it is awake.", isRequired: true)]
    case .message:
      [
        .init("text", .text(ControlLimits.messageCharacters), "One line.", isRequired: true),
        .init("seconds", .number(1...ControlLimits.messageSeconds), "How long it stays. Without it, 10."),
      ]
    case .subscribe: [.init("events", .wordList(ControlEventKind.allCases.map(\.rawValue)), "Which.")]
    }
  }

  /// What `osd` shows.
  enum OSDPart: String, CaseIterable {
    case controls, status, nothing
  }
}

/// What a verb takes besides `id`, `verb` and `screen`.
public struct ControlParameter: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case boolean
    case integer(ClosedRange<Int64>)
    case number(ClosedRange<Double>)
    case text(Int)
    case words([String])
    case wordList([String])
  }

  public var name: String
  public var kind: Kind
  public var summary: String
  public var isRequired: Bool

  init(_ name: String, _ kind: Kind, _ summary: String, isRequired: Bool = false) {
    self.name = name
    self.kind = kind
    self.summary = summary
    self.isRequired = isRequired
  }

  /// What is allowed, for people.
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

  /// Whether a value is one of those.
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

  /// Of JSON Schema, draft 7.
  var schema: JSONValue {
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
