internal import InteractionCore
public import JSONText
internal import PlaybackCore

/// Documents about the protocol, made from the types that implement it.
public enum ControlDocuments {
  /// A request's schema, in JSON Schema, draft 7.
  public static var schema: JSONValue {
    let id: JSONValue = .object([
      .init("type", .array([.string("integer"), .string("string"), .string("null")])),
      .init("maxLength", .integer(Int64(ControlLimits.idCharacters))),
    ])
    let screen: JSONValue = .object([
      .init("type", .string("string")), .init("maxLength", .integer(Int64(ControlLimits.screenNameCharacters))),
    ])
    let verbs = ControlVerb.allCases.map { verb -> JSONValue in
      var properties: [JSONValue.Member] = [
        .init("id", id), .init("verb", .object([.init("const", .string(verb.word))])),
      ]
      if verb.isOfScreen { properties.append(.init("screen", screen)) }
      properties += verb.parameters.map { .init($0.name, $0.schema) }
      let required = ["verb"] + verb.parameters.filter(\.isRequired).map(\.name)
      return .object([
        .init("description", .string(verb.summary)), .init("type", .string("object")),
        .init("properties", .object(properties)), .init("required", .array(required.map { .string($0) })),
        .init("additionalProperties", .boolean(false)),
      ])
    }
    return .object([
      .init("$schema", .string("http://json-schema.org/draft-07/schema#")),
      .init("title", .string("A request to Vitrine's control socket, version \(ControlVersion.current)")),
      .init("oneOf", .array(verbs)),
    ])
  }

  /// The part of docs/control.md that is made from the types.
  public static var markdown: String {
    var text = "### Verbs\n\n| verb | what it does | of one screen | arguments |\n|---|---|---|---|\n"
    for verb in ControlVerb.allCases {
      let arguments = verb.parameters.map { parameter in
        "`\(parameter.name)`\(parameter.isRequired ? " (needed)" : ""): \(parameter.allowed). \(parameter.summary)"
      }
      text += "| `\(verb.word)` | \(verb.summary) | \(verb.isOfScreen ? "yes" : "no") | "
      text += arguments.joined(separator: " ") + " |\n"
    }
    text += "\n### Events\n\n| event | when, and what it has |\n|---|---|\n"
    for kind in ControlEventKind.allCases { text += "| `\(kind.rawValue)` | \(kind.summary) |\n" }
    text += "\n### Counters\n\n| counter | it counts |\n|---|---|\n"
    for counter in PlaybackCounter.allCases { text += "| `\(counter.rawValue)` | \(counter.meaning) |\n" }
    text += "\n### Limits\n\n| | |\n|---|---|\n"
    for (name, value) in limits { text += "| \(name) | \(value) |\n" }
    return text
  }

  private static var limits: [(String, String)] {
    [
      ("a request", "\(ControlLimits.lineBytes) bytes, or the connection is closed (7605)"),
      ("what a client leaves unread", "\(ControlLimits.outputBytes) bytes of events, or it is closed (7607)"),
      (
        "a client that doesn't read although data waits for it",
        "\(ControlLimits.stallSeconds) s, then it is closed"
      ),
      ("clients at a time", "\(ControlLimits.clients); a further one gets error 7606 and is closed"),
      (
        "a client that neither sends requests nor has subscribed",
        "makes room for another after \(ControlLimits.idleSeconds) s, if all places are taken"
      ),
      ("requests of a client in a turn of the loop", "\(ControlLimits.requestsPerTurn); the others wait"),
      ("screenshots", "one at a time for all clients (7608), of at most \(ControlLimits.pictureBytes >> 20) MB (7615)"),
      (
        "a title, an address or a message in answers and events",
        "\(PlainText.longest) characters; a longer one is cut, and its last is `…`"
      ),
      ("all clients together, without a screenshot", "\(ControlLimits.total) bytes"),
    ]
  }
}
