internal import InteractionCore
internal import JSONText

/// Announces the board to Home Assistant by its MQTT discovery, which has no media player: sensors, and, if commands
/// are accepted, a switch for the screen and buttons.
public enum HomeAssistant {
  /// Home Assistant's default prefix for discovery.
  public static let prefix = "homeassistant"

  /// A thing that Home Assistant lists.
  private struct Entity: Sendable {
    var kind: String
    var key: String
    var name: String
    /// The part of the status that it shows, as a template of Home Assistant; nil for a thing that shows nothing.
    var template: String?
    /// Further members of its announcement; numbers stay numbers.
    var more: [(String, JSONValue)] = []
  }

  private static let screen = "value_json.screens[0]"
  private static let diagnostic: (String, JSONValue) = ("entity_category", .string("diagnostic"))
  private static let total: (String, JSONValue) = ("state_class", .string("total_increasing"))

  private static let sensors: [Entity] = [
    Entity(
      kind: "sensor", key: "item", name: "Item",
      template: "(\(screen).playback.item or {}).title or (\(screen).playback.item or {}).uri"),
    Entity(kind: "sensor", key: "health", name: "Health", template: "value_json.health"),
    Entity(
      kind: "sensor", key: "frames_dropped", name: "Frames dropped", template: "\(screen).counters.frames_dropped",
      more: [total, diagnostic]),
    Entity(
      kind: "sensor", key: "stalls", name: "Stalls", template: "\(screen).counters.stalls", more: [total, diagnostic]),
    Entity(
      kind: "sensor", key: "uptime", name: "Uptime", template: "value_json.uptime_seconds | int",
      more: [("device_class", .string("duration")), ("unit_of_measurement", .string("s")), diagnostic]),
    Entity(
      kind: "binary_sensor", key: "problem", name: "Problem",
      template: "'OFF' if value_json.health == 'healthy' else 'ON'", more: [("device_class", .string("problem"))]),
  ]

  private static let commands: [Entity] = [
    Entity(
      kind: "switch", key: "screen", name: "Screen",
      template: "'OFF' if \(screen).presence == 'asleep' else 'ON'",
      more: [
        ("payload_on", .string("{\"verb\":\"screen\",\"on\":true}")),
        ("payload_off", .string("{\"verb\":\"screen\",\"on\":false}")),
        ("state_on", .string("ON")), ("state_off", .string("OFF")),
      ]),
    button("next", "Next item", .next), button("previous", "Previous item", .previous),
    button("play_pause", "Play or pause", .toggle), button("reload", "Reload", .reload),
    Entity(
      kind: "number", key: "volume", name: "Volume", template: "(\(screen).sound or {}).volume_percent",
      more: [
        ("min", .integer(0)), ("max", .integer(100)), ("unit_of_measurement", .string("%")),
        ("command_template", .string("{\"verb\":\"volume\",\"percent\":{{ value | int }}}")),
      ]),
  ]

  private static func button(_ key: String, _ name: String, _ verb: Verb) -> Entity {
    Entity(
      kind: "button", key: key, name: name, more: [("payload_press", .string("{\"verb\":\"\(verb.rawValue)\"}"))])
  }

  /// Retained messages, so that a Home Assistant that starts later finds them.
  public static func announcements(
    _ topics: BrokerTopics, name: String, version: String, takesCommands: Bool
  ) -> [BrokerMessage] {
    let device = JSONValue.object([
      .init("identifiers", .array([.string("vitrine-\(topics.id)")])), .init("name", .string(name)),
      .init("manufacturer", .string("Vitrine")), .init("model", .string("Vitrine")),
      .init("sw_version", .string(version)),
    ])
    func message(_ entity: Entity, isCommand: Bool) -> BrokerMessage {
      var members = [JSONValue.Member("name", .string(entity.name))]
      if let template = entity.template {
        members.append(.init("value_template", .string("{{ \(template) }}")))
        members.append(.init("state_topic", .string(topics.status)))
      }
      if isCommand { members.append(.init("command_topic", .string(topics.command))) }
      for (name, value) in entity.more { members.append(.init(name, value)) }
      members.append(.init("unique_id", .string("vitrine-\(topics.id)-\(entity.key)")))
      members.append(.init("availability_topic", .string(topics.presence)))
      members.append(.init("device", device))
      return BrokerMessage(
        "\(prefix)/\(entity.kind)/vitrine-\(topics.id)/\(entity.key)/config", JSONValue.object(members).compact,
        isRetained: true)
    }
    return sensors.map { message($0, isCommand: false) }
      + (takesCommands ? commands.map { message($0, isCommand: true) } : [])
  }
}
