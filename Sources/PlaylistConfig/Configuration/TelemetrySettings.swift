public import PlaybackCore

/// `[telemetry]`
public struct TelemetrySettings: Hashable, Sendable {
  /// The key's value; nil to turn telemetry on if any part of it is configured.
  public var enabled: Bool?

  // The board's own server.
  public var http: ListenAddress?
  public var httpPosition: TOMLPosition?
  /// Absolute paths of files with one line.
  public var tokenFile: String?
  public var readTokenFile: String?
  /// Absolute paths of PEM files.
  public var certificateFile: String?
  public var keyFile: String?
  /// Names by which the board is reached, besides its addresses.
  public var hosts: [String] = []

  // A broker.
  public var mqtt: BrokerAddress?
  public var mqttPosition: TOMLPosition?
  /// Nil for `vitrine/` and the board's name.
  public var mqttTopic: String?
  public var mqttUser: String?
  public var mqttPasswordFile: String?
  public var mqttCAFile: String?
  public var mqttCommands = false
  public var homeAssistant = false

  // A server that receives the status.
  /// https, or http to this machine.
  public var post: String?
  public var postTokenFile: String?
  public var postInterval = Duration.seconds(60)
  /// The time between two pictures; zero for no pictures.
  public var postScreenshots = Duration.zero

  // Proof of play.
  public var playLog = false
  /// An absolute path; nil for `plays` in the state directory.
  public var playLogDirectory: String?

  public init() {}

  /// Whether telemetry runs: any configured part turns it on, and `enabled = false` turns all of it off.
  public var isEnabled: Bool { enabled ?? namesSomething }

  var namesSomething: Bool { http != nil || mqtt != nil || post != nil || playLog }
}
