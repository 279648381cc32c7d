public import JSONText
public import KioskCore
internal import PlaybackCore

/// Derives events from the kiosk's notices and from successive statuses. Each change is reported once.
public struct ControlWatch: Sendable {
  private struct Known: Hashable {
    var item: KioskStatus.Item?
    var state: [JSONValue.Member]
    var screen: [JSONValue.Member]
    /// A status has shown the item before `itemStarted` was called; the event was sent then.
    var isAhead = false
  }

  private var screens: [String: Known] = [:]
  private var configuration: KioskStatus.Configuration?
  private var hasLooked = false

  public init() {}

  /// Compares a status with the one before. The first one yields no events: a subscriber gets the whole status.
  public mutating func compare(with status: KioskStatus) -> [ControlEvent] {
    var events: [ControlEvent] = []
    var found: [String: Known] = [:]
    for screen in status.screens {
      var known = Known(item: screen.playback.item, state: Self.state(of: screen), screen: Self.screen(of: screen))
      let before = screens[screen.name ?? ""]
      let isSame = Self.isSame(before?.item, known.item)
      // An item that was there at the first status has begun long ago.
      known.isAhead = hasLooked && (isSame ? before?.isAhead == true : known.item != nil)
      found[screen.name ?? ""] = known
      guard hasLooked else { continue }
      events += Self.events(from: before, to: known, of: screen.name)
    }
    if hasLooked {
      for (name, before) in screens.sorted(by: { $0.key < $1.key }) where found[name] == nil {
        if let item = before.item { events.append(Self.ended(item, of: name.isEmpty ? nil : name)) }
        let gone = JSONValue.Member("presence", .string("gone"))
        events.append(ControlEvent(.screen, screen: name.isEmpty ? nil : name, [gone]))
      }
      if status.configuration != configuration { events += Self.event(status.configuration) }
    }
    screens = found
    configuration = status.configuration
    hasLooked = true
    return events
  }

  /// An item begins, which may be the same as before.
  public mutating func itemStarted(on screen: String?, status: KioskStatus) -> [ControlEvent] {
    let key = screen ?? ""
    let known = screens[key]
    guard hasLooked, let new = status.screens.first(where: { ($0.name ?? "") == key })?.playback.item else { return [] }
    screens[key]?.item = new
    screens[key]?.isAhead = false
    if let known, known.isAhead, Self.isSame(known.item, new) { return [] }
    var events: [ControlEvent] = []
    if let before = known?.item { events.append(Self.ended(before, of: screen)) }
    events.append(Self.started(new, of: screen))
    return events
  }

  /// Position events of all screens that play.
  public static func positions(_ status: KioskStatus) -> [ControlEvent] {
    status.screens.compactMap { screen in
      guard let item = screen.playback.item, screen.playback.isWanted, item.positionSeconds != nil else { return nil }
      return ControlEvent(.position, screen: screen.name, [.init("item", json(item))])
    }
  }

  /// The status in the form that clients get.
  public static func json(_ status: some Encodable) -> JSONValue {
    (try? JSONValue(encoding: status, names: .snakeCase)) ?? .null
  }

  private static func events(from before: Known?, to new: Known, of name: String?) -> [ControlEvent] {
    var events: [ControlEvent] = []
    if !isSame(before?.item, new.item) {
      if let item = before?.item { events.append(ended(item, of: name)) }
      if let item = new.item { events.append(started(item, of: name)) }
    }
    if before?.state != new.state { events.append(ControlEvent(.state, screen: name, new.state)) }
    if before?.screen != new.screen { events.append(ControlEvent(.screen, screen: name, new.screen)) }
    return events
  }

  /// Whether two items are the same entry; position and length may differ.
  private static func isSame(_ one: KioskStatus.Item?, _ other: KioskStatus.Item?) -> Bool {
    one?.number == other?.number && one?.uri == other?.uri
  }

  private static func started(_ item: KioskStatus.Item, of name: String?) -> ControlEvent {
    ControlEvent(.itemStarted, screen: name, [.init("item", json(item))])
  }

  private static func ended(_ item: KioskStatus.Item, of name: String?) -> ControlEvent {
    ControlEvent(.itemEnded, screen: name, [.init("item", json(item))])
  }

  private static func state(of screen: KioskStatus.Screen) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("is_wanted", .boolean(screen.playback.isWanted)),
      .init("waiting_reason", screen.playback.waitingReason.map { json($0) } ?? .null),
    ]
    if let sound = screen.sound { members.append(.init("sound", json(sound))) }
    return members
  }

  private static func screen(of screen: KioskStatus.Screen) -> [JSONValue.Member] {
    [
      .init("presence", .string(screen.presence.rawValue)),
      .init("output", screen.output.map { .string($0.rawValue) } ?? .null),
      .init("summary", screen.summary.map { .string($0) } ?? .null),
    ]
  }

  private static func event(_ configuration: KioskStatus.Configuration?) -> [ControlEvent] {
    guard let configuration, case .object(let members) = json(configuration) else { return [] }
    return [ControlEvent(.configuration, members)]
  }
}
