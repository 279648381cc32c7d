public import PlaybackCore
internal import PlaylistConfig

/// Who is told how the player fares, and what is written down of it. Nothing, unless it is named.
public struct TelemetryOptions: Hashable, Sendable {
  /// The board's own server: its page, its metrics, its API.
  public struct Web: Hashable, Sendable {
    public var address: ListenAddress
    /// Files whose first line is the token of those who may steer, and of those who may look only.
    public var tokenFile: String?
    public var readTokenFile: String?
    /// PEM files; both or none.
    public var certificateFile: String?
    public var keyFile: String?
    /// Names that browsers may reach it by, besides addresses and the board's own name; in lower case.
    public var hosts: [String] = []

    public init(address: ListenAddress) { self.address = address }
  }

  /// A broker of MQTT.
  public struct Broker: Hashable, Sendable {
    public var address: BrokerAddress
    /// What topics begin with; nil is `vitrine/` and the board's name.
    public var topic: String?
    public var user: String?
    /// A file whose first line is the password.
    public var passwordFile: String?
    /// PEM; nil is the system's authorities.
    public var authoritiesFile: String?
    public var takesCommands = false
    public var announcesHomeAssistant = false

    public init(address: BrokerAddress) { self.address = address }
  }

  /// A server that is sent the status.
  public struct Post: Hashable, Sendable {
    public var address: String
    /// A file whose first line goes along as a bearer token.
    public var tokenFile: String?
    public var interval: Duration = .seconds(60)
    /// Between two pictures; nil sends none.
    public var screenshots: Duration?

    public init(address: String) { self.address = address }
  }

  /// What has played, written down.
  public struct PlayLog: Hashable, Sendable {
    /// Nil is `plays` in the state directory.
    public var directory: String?

    public init(directory: String? = nil) { self.directory = directory }
  }

  public var web: Web?
  public var broker: Broker?
  public var post: Post?
  public var playLog: PlayLog?

  public init() {}
}

extension TelemetryOptions {
  init(_ settings: TelemetrySettings) {
    guard settings.isEnabled else { return }
    web = settings.http.map { address in
      var web = Web(address: address)
      web.tokenFile = settings.tokenFile
      web.readTokenFile = settings.readTokenFile
      web.certificateFile = settings.certificateFile
      web.keyFile = settings.keyFile
      web.hosts = settings.hosts
      return web
    }
    broker = settings.mqtt.map { address in
      var broker = Broker(address: address)
      broker.topic = settings.mqttTopic
      broker.user = settings.mqttUser
      broker.passwordFile = settings.mqttPasswordFile
      broker.authoritiesFile = settings.mqttCAFile
      broker.takesCommands = settings.mqttCommands
      broker.announcesHomeAssistant = settings.homeAssistant
      return broker
    }
    post = settings.post.map { address in
      var post = Post(address: address)
      post.tokenFile = settings.postTokenFile
      post.interval = settings.postInterval
      post.screenshots = settings.postScreenshots > .zero ? settings.postScreenshots : nil
      return post
    }
    playLog = settings.playLog ? PlayLog(directory: settings.playLogDirectory) : nil
  }
}
