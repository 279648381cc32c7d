public import PlaybackCore

/// `[telemetry]`
public struct TelemetrySettings: Hashable, Sendable {
  /// As written; nil follows what is named.
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
  /// Nil is `vitrine/` and the board's name.
  public var mqttTopic: String?
  public var mqttUser: String?
  public var mqttPasswordFile: String?
  public var mqttCAFile: String?
  public var mqttCommands = false
  public var homeAssistant = false

  // A server that is told.
  /// https, or http to this machine.
  public var post: String?
  public var postTokenFile: String?
  public var postInterval = Duration.seconds(60)
  /// Between two pictures; zero is none.
  public var postScreenshots = Duration.zero

  // Proof of play.
  public var playLog = false
  /// An absolute path; nil is the state directory's `plays`.
  public var playLogDirectory: String?

  public init() {}

  /// Whether anything of it is done: naming something turns it on, `enabled = false` turns all of it off.
  public var isEnabled: Bool { enabled ?? namesSomething }

  var namesSomething: Bool { http != nil || mqtt != nil || post != nil || playLog }
}
