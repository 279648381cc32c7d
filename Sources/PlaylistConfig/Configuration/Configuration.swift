public import PlaybackCore

/// The checked configuration. Every property has a default, so that a file with nothing but a version is complete.
public struct Configuration: Hashable, Sendable {
  /// The only version of the format so far.
  public static let supportedVersion: Int64 = 1
  /// The playlist that plays unless the schedule says otherwise.
  public static let mainPlaylistName = "main"

  public var version: Int64 = supportedVersion
  public var display = DisplaySettings()
  /// The settings of each of several screens; if empty, `display` describes the only screen.
  public var screens: [ScreenSettings] = []
  public var playback = PlaybackSettings()
  public var network = NetworkSettings()
  public var store = StoreTable()
  /// `[audio]`
  public var audio = SoundSettings()
  public var input = InputTable()
  public var overlay = OverlayTable()
  public var attract = AttractTable()
  public var control = ControlSettings()
  public var telemetry = TelemetrySettings()
  public var usb = USBSettings()
  public var schedule = ScheduleSettings()
  public var alerts: [AlertTable] = []
  public var warnings = WarningTable()
  public var cues: [CueTable] = []
  /// The playlists by name.
  public var playlists: [String: Playlist] = [:]
  /// Paths of the files; the `file` of a position is an index into it.
  public var sources: [String] = []
  /// The author of each of `sources`.
  public var origins: [ConfigurationSource.Origin] = []

  public init() {}

  /// The author of the text at a position.
  ///
  /// - Parameter file: the `file` of a position.
  public func origin(ofFile file: Int) -> ConfigurationSource.Origin {
    origins.indices.contains(file) ? origins[file] : .board
  }

  /// The splash's path for any working directory: in a file it is relative to that file's folder.
  public var splashPath: String? { display.splash.map { path($0, writtenAt: display.splashPosition) } }

  /// Resolves a relative path against the folder of the file that it stands in. Addresses, absolute paths, and paths
  /// that no file gave stay as they are.
  func path(_ path: String, writtenAt position: TOMLPosition?) -> String {
    guard let position, !path.hasPrefix("/"), !path.contains("://") else { return path }
    guard sources.indices.contains(position.file), let slash = sources[position.file].lastIndex(of: "/") else {
      return path
    }
    return sources[position.file][...slash] + path
  }

  /// The playlist for when no rule of the schedule matches; nil if there is no playlist of that name.
  public var mainPlaylist: Playlist? { playlists[schedule.defaultPlaylist] }
}

/// `[display]`
public struct DisplaySettings: Hashable, Sendable {
  public enum Output: String, Hashable, Sendable, CaseIterable {
    case auto, kms, wayland, headless

    /// Nil if the program chooses.
    public var kind: OutputKind? { OutputKind(rawValue: rawValue) }
  }

  /// Place of built-in panels in the order of screens.
  public enum PanelOrder: String, Hashable, Sendable, CaseIterable {
    case last, first
  }

  /// How playback goes on while the screen is unplugged.
  public enum Unplugged: String, Hashable, Sendable, CaseIterable {
    /// Playback pauses, and keeps its position.
    case pause
    /// Playback goes on without sound.
    case play
  }

  public var output = Output.auto
  public var unplugged = Unplugged.pause
  /// The card's path, driver or device; nil for the most suitable card.
  public var card: String?
  public var builtInPanels = PanelOrder.last
  /// The connector's name in the kernel, such as HDMI-A-1; nil for the first with a screen.
  public var connector: String?
  public var connectorPosition: TOMLPosition?
  public var mode = DisplayMode.auto
  /// The shortest time for which a refresh rate chosen for a film must be needed; up to a day.
  public var matchHold = RefreshMatcher.usualHold
  /// Use of CEC, beside the display's own power control, to put the screen to sleep and wake it; not under a desktop.
  public var cec = CECChoice.auto
  /// The rotation of the picture; not under a desktop.
  public var rotation = ScreenRotation.none
  /// The treatment of HDR films.
  public var hdr = HDRChoice.map
  /// Whether the last frame stays on the screen at the end, without a desktop.
  public var keepsLastFrame = false
  /// The colour (0xRRGGBB) of the screen where there is no picture; not under a desktop.
  public var background: UInt32 = 0
  /// A PNG that is shown until the first frame, without a desktop; a path, relative to the folder of the configuration.
  public var splash: String?
  public var splashPosition: TOMLPosition?
  /// The projector that is switched on and off with the screen, on any output; nil for none.
  public var projector: ProjectorAddress?
  public var projectorPosition: TOMLPosition?
  /// A file whose first line is the projector's password; an absolute path.
  public var projectorPasswordFile: String?

  public init() {}
}

/// `[playback]`
public struct PlaybackSettings: Hashable, Sendable {
  /// Whether the playlist starts again at its end.
  public var loop = true
  /// The place at which playback resumes after the board has restarted.
  public var resume = ResumeChoice.position
  /// How long a picture without a duration of its own stays; 0.1 s to a day.
  public var pictureDuration = Duration.seconds(10)
  public var transition = SeamTransition.cut
  /// How long a dip takes, both halves together; 0.1 s to 5 s.
  public var transitionDuration = Duration.milliseconds(600)

  public init() {}

  /// How one item gives way to the next; nil is a cut.
  public var dip: SeamDip? { transition == .dip ? SeamDip(length: transitionDuration) : nil }
}

/// `[network]`
public struct NetworkSettings: Hashable, Sendable {
  /// How long a server may be silent.
  public var timeout = SourcePolicy().timeout
  /// How many seconds of an item are buffered; nil to choose by the board's memory.
  public var buffer: Duration?
  /// After how long without a frame the next item plays.
  public var skipAfter = ReconnectPolicy().budget
  public var rtspLatency = RTSPPolicy().latency
  public var rtspTransport = RTSPPolicy().transport
  /// Certificates (PEM) that are trusted in place of the system's; an absolute path.
  public var certificatesFile: String?
  /// `http://host:port`
  public var proxy: String?
  /// Whether servers of the internet may redirect the player to this machine and its local network.
  public var allowsLocalRedirects = false
  public var servers: [ServerAccount] = []

  public init() {}

  /// Puts these settings in place of the program's own.
  public func apply(to policy: inout PlaybackPolicy) {
    policy.source.timeout = timeout
    if let buffer { policy.buffering.fullScale = buffer }
    policy.buffering.longest = min(policy.buffering.longest, policy.buffering.fullScale)
    policy.buffering.start = min(policy.buffering.start, policy.buffering.fullScale)
    policy.buffering.resume = min(policy.buffering.resume, policy.buffering.fullScale)
    policy.reconnect.budget = skipAfter
    policy.rtsp.latency = rtspLatency
    policy.rtsp.transport = rtspTransport
  }

  /// How the player reaches servers, and its accounts there.
  public var access: ServerAccess {
    var access = ServerAccess()
    access.certificatesFile = certificatesFile
    access.proxy = proxy
    access.redirects.allowsLocal = allowsLocalRedirects
    // An invalid host has been reported already.
    access.accounts = servers.compactMap { server in
      server.origin.map {
        ServerAccess.Account(
          $0, user: server.user, passwordFile: server.passwordFile, tokenFile: server.tokenFile)
      }
    }
    return access
  }
}

/// `[[network.server]]`: the player's account at a server.
public struct ServerAccount: Hashable, Sendable {
  /// `host` or `host:port`; without a port, the scheme's default.
  public var host = ""
  /// With http, anybody on the network path can read the secret.
  public var scheme = WebOrigin.Scheme.https
  public var user: String?
  /// Absolute paths of files with one line.
  public var passwordFile: String?
  public var tokenFile: String?

  public init() {}

  /// Nil if `host` isn't a valid server name.
  public var origin: WebOrigin? { WebOrigin(scheme, server: host) }
}

/// `[store]`
public struct StoreTable: Hashable, Sendable {
  public var isEnabled = true
  /// An absolute path; nil is the state directory's `store`.
  public var directory: String?
  /// Bytes.
  public var capacity: Int64 = 8_000_000_000
  public var freeSpace: Int64 = 500_000_000
  public var largestFile: Int64?
  /// Bytes a second.
  public var bandwidth: Int64?
  public var checkInterval = Duration.seconds(3600)

  public init() {}
}

/// `[control]`
public struct ControlSettings: Hashable, Sendable {
  public var isEnabled = true
  /// Nil for `control` in the runtime folder.
  public var socket: String?
  /// The address for machines of the network, by TCP and UDP; nil for none.
  public var listen: ListenAddress?
  public var listenPosition: TOMLPosition?
  /// The machines that are let in at `listen`.
  public var from: [AddressPrefix] = []

  public init() {}

  /// The socket's path; nil if control is off.
  ///
  /// - Parameter usual: the default path; nil if this account has none.
  public func path(usual: String?) -> String? { isEnabled ? socket ?? usual : nil }
}

/// `[usb]`
public struct USBSettings: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case off
    /// Plays from the stick for as long as it is plugged in.
    case play
    /// Copies the content to the board, where it stays.
    case copy
  }

  public var mode = Mode.off
  /// The folder in which sticks are mounted, each in an entry of its own.
  public var folder = "/run/vitrine-usb"
  /// A file on the board with the password that a stick has to bring along; nil to accept all sticks.
  public var passwordFile: String?

  public init() {}
}

/// `[playlist.NAME]`
public struct Playlist: Hashable, Sendable {
  /// Whether each round plays the items in another order.
  public var shuffles = false
  public var items: [PlaylistEntry] = []

  public init() {}
}
