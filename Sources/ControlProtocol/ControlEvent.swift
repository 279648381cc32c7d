public import JSONText
public import PlaybackCore

/// The events that a client can subscribe to.
public enum ControlEventKind: String, Hashable, Sendable, CaseIterable {
  case itemStarted = "item-started"
  case itemEnded = "item-ended"
  case itemFailed = "item-failed"
  case state
  case position
  case problem
  case screen
  case configuration
  case visitStarted = "visit-started"
  case visitEnded = "visit-ended"
  case alertShown = "alert-shown"
  case alertEnded = "alert-ended"

  /// The event's meaning, for docs/control.md.
  public var summary: String {
    switch self {
    case .itemStarted: "An item has become the current one: `item`."
    case .itemEnded: "An item is no longer the current one: `item`, as it was reported last."
    case .itemFailed: "An item can't be played: `uri`, `error`."
    case .state:
      "Playback was started or paused, waits or goes on, or its volume changed: `is_wanted`, `waiting_reason`, `sound`."
    case .position: "Once a second while something plays: `item` with its position."
    case .problem: "An error that belongs to no item: `error`."
    case .screen:
      "A screen was plugged in or unplugged, was switched on or off, or was replaced by another: "
        + "`presence`, `output`, `summary`."
    case .configuration:
      "The configuration was read, confirmed or rolled back: `state`, `reason`, `files`, and how often it has been "
        + "read: `readings`."
    case .visitStarted: "Somebody has touched the screen or pressed a key: the visitors' list has begun."
    case .visitEnded:
      "The loop plays again, because the screen wasn't touched for a while or the visitors' list has ended."
    case .alertShown: "An alert is shown, for the first time or again after a start: `alert`, as in the status."
    case .alertEnded:
      "An alert is no longer shown: `alert`, and as `reason` one of expired, taken-back, replaced, removed (from the "
        + "configuration or the feed)."
    }
  }
}

public struct ControlEvent: Hashable, Sendable {
  public var kind: ControlEventKind
  /// The screen's name; nil where the screen has none, or the event is about all of them.
  public var screen: String?
  public var members: [JSONValue.Member]

  public init(_ kind: ControlEventKind, screen: String? = nil, _ members: [JSONValue.Member]) {
    self.kind = kind
    self.screen = screen
    self.members = members
  }

  public static func problem(_ error: VitrineError, on screen: String?) -> ControlEvent {
    ControlEvent(.problem, screen: screen, [.init("error", ControlReply.json(error))])
  }

  public static func itemFailed(_ item: MediaItem, _ error: VitrineError, on screen: String?) -> ControlEvent {
    let uri = JSONValue.Member("uri", .string(PlainText.clipped(Redaction.value(item.uri))))
    return ControlEvent(.itemFailed, screen: screen, [uri, .init("error", ControlReply.json(error))])
  }

  /// The event as clients get it, such as `{"event":"item-started","screen":"left","item":{...}}`.
  public var json: JSONValue {
    var all = [JSONValue.Member("event", .string(kind.rawValue))]
    if let screen { all.append(.init("screen", .string(screen))) }
    return .object(all + members)
  }
}
