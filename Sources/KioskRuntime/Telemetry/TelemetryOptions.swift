public import PlaybackCore
internal import PlaylistConfig

/// The receivers of status reports: the board's own web server, a broker, another server. Each is off unless it is
/// configured.
public struct TelemetryOptions: Hashable, Sendable {
  /// The board's own server: its page, its metrics, its API.
  public struct Web: Hashable, Sendable {
    public var address: ListenAddress
    /// Files whose first line is the token: `tokenFile` for clients that may give commands, `readTokenFile` for those
    /// that may only look.
    public var tokenFile: String?
    public var readTokenFile: String?
    /// PEM files; both or none.
    public var certificateFile: String?
    public var keyFile: String?
    /// Host names that browsers may use, besides addresses and the board's own name; in lower case.
    public var hosts: [String] = []

    public init(address: ListenAddress) { self.address = address }
  }

  /// An MQTT broker.
  public struct Broker: Hashable, Sendable {
    public var address: BrokerAddress
    /// The beginning of all topics; nil is `vitrine/` and the board's name.
    public var topic: String?
    public var user: String?
    /// A file whose first line is the password.
    public var passwordFile: String?
    /// A PEM file with certificate authorities; nil takes the system's.
    public var authoritiesFile: String?
    public var takesCommands = false
    public var announcesHomeAssistant = false

    public init(address: BrokerAddress) { self.address = address }
  }

  /// A web server that the status is sent to.
  public struct Post: Hashable, Sendable {
    public var address: String
    /// A file whose first line is sent as a bearer token.
    public var tokenFile: String?
    public var interval: Duration = .seconds(60)
    /// The interval between screenshots; nil sends none.
    public var screenshots: Duration?

    public init(address: String) { self.address = address }
  }

  public var web: Web?
  public var broker: Broker?
  public var post: Post?

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
  }
}
