public import JSONText

/// What a client may hear of without asking.
public enum ControlEventKind: String, Hashable, Sendable, CaseIterable {
  case itemStarted = "item-started"
  case itemEnded = "item-ended"
  case itemFailed = "item-failed"
  case state
  case position
  case problem
  case screen
  case configuration

  /// For docs/control.md.
  public var summary: String {
    switch self {
    case .itemStarted: "An item is the one that plays now: `item`."
    case .itemEnded: "An item isn't the one that plays any more: `item`, as it was told last."
    case .itemFailed: "An item can't be played: `uri`, `error`."
    case .state:
      "Playback is wanted or not, waits or goes on, is louder or muted: `is_wanted`, `waiting_reason`, `sound`."
    case .position: "Once a second while something plays: `item` with its position."
    case .problem: "An error that belongs to no item: `error`."
    case .screen: "A screen has come, gone, been switched, or is another: `presence`, `output`, `summary`."
    case .configuration:
      "Where the configuration stands: `state`, `reason`, `files`, and how often it has been read: `readings`."
    }
  }
}

public struct ControlEvent: Hashable, Sendable {
  public var kind: ControlEventKind
  /// Of the screen; nil where that has none, or all are concerned.
  public var screen: String?
  public var members: [JSONValue.Member]

  public init(_ kind: ControlEventKind, screen: String? = nil, _ members: [JSONValue.Member]) {
    self.kind = kind
    self.screen = screen
    self.members = members
  }

  /// `{"event":"item-started","screen":"left","item":{...}}`
  public var json: JSONValue {
    var all = [JSONValue.Member("event", .string(kind.rawValue))]
    if let screen { all.append(.init("screen", .string(screen))) }
    return .object(all + members)
  }
}
