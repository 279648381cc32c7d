public import PlaybackCore

/// What the configuration says, checked. Every property has a default, so that a file with a version is complete.
public struct Configuration: Hashable, Sendable {
  /// The one version of the format that there is.
  public static let supportedVersion: Int64 = 1
  /// The playlist that plays unless the schedule says otherwise.
  public static let mainPlaylistName = "main"

  public var version: Int64 = supportedVersion
  public var display = DisplaySettings()
  /// Several screens, each for itself; empty is the one of `display`.
  public var screens: [ScreenSettings] = []
  public var playback = PlaybackSettings()
  public var network = NetworkSettings()
  public var store = StoreTable()
  public var audio = AudioSettings()
  public var input = InputTable()
  public var overlay = OverlayTable()
  public var attract = AttractTable()
  public var control = ControlSettings()
  public var telemetry = TelemetrySettings()
  public var usb = USBSettings()
  public var schedule = ScheduleSettings()
  /// By name.
  public var playlists: [String: Playlist] = [:]
  /// The files that it comes from, for the `file` of positions.
  public var sources: [String] = []
  /// Who wrote each of them.
  public var origins: [ConfigurationSource.Origin] = []

  public init() {}

  /// Who wrote what stands at a position.
  ///
  /// - Parameter file: the `file` of a position.
  public func origin(ofFile file: Int) -> ConfigurationSource.Origin {
    origins.indices.contains(file) ? origins[file] : .board
  }

  /// What plays when the schedule names nothing; nil when nothing is listed.
  public var mainPlaylist: Playlist? { playlists[schedule.defaultPlaylist] }
}

/// `[display]`
public struct DisplaySettings: Hashable, Sendable {
  public enum Output: String, Hashable, Sendable, CaseIterable {
    case auto, kms, wayland, headless

    /// Nil is for the program to choose.
    public var kind: OutputKind? { OutputKind(rawValue: rawValue) }
  }

  /// Place of built-in panels in the order of screens.
  public enum PanelOrder: String, Hashable, Sendable, CaseIterable {
    case last, first
  }

  /// What playback does while the screen is unplugged.
  public enum Unplugged: String, Hashable, Sendable, CaseIterable {
    /// Its position is kept.
    case pause
    /// It goes on, muted.
    case play
  }

  public var output = Output.auto
  public var unplugged = Unplugged.pause
  /// The card's path, driver or device; nil takes the one that serves best.
  public var card: String?
  public var builtInPanels = PanelOrder.last
  /// The connector's name in the kernel, such as HDMI-A-1; nil takes the first that has a screen.
  public var connector: String?
  public var connectorPosition: TOMLPosition?
  public var mode = DisplayMode.auto
  /// For how long a refresh rate has to hold that is chosen for a film; up to a day.
  public var matchHold = RefreshMatcher.usualHold
  /// Whether the screen is put to sleep and woken by CEC too, without a desktop.
  public var cec = CECChoice.auto
  /// By how much the picture is turned, without a desktop.
  public var rotation = ScreenRotation.none
  /// What is done with HDR films.
  public var hdr = HDRChoice.map
  /// Whether the last frame stays on the screen at the end, without a desktop.
  public var keepsLastFrame = false
  /// 0xRRGGBB: the screen where there is no picture, without a desktop.
  public var background: UInt32 = 0
  /// A PNG that is shown until the first frame, without a desktop; a path, relative to the folder of the configuration.
  public var splash: String?
  public var splashPosition: TOMLPosition?

  public init() {}
}

/// `[playback]`
public struct PlaybackSettings: Hashable, Sendable {
  /// Whether the playlist starts again at its end.
  public var loop = true
  /// Where it begins when the board starts again.
  public var resume = ResumeChoice.position
  /// For how long a picture stays that has no duration of its own; 0.1 s to a day.
  public var pictureDuration = Duration.seconds(10)
  public var transition = SeamTransition.cut
  /// How long a dip takes, both halves together; 0.1 s to 5 s.
  public var transitionDuration = Duration.milliseconds(600)

  public init() {}
}

/// `[network]`
public struct NetworkSettings: Hashable, Sendable {
  /// How long a server may be silent.
  public var timeout = SourcePolicy().timeout
  /// How much of an item is buffered; nil is by the board's memory.
  public var buffer: Duration?
  /// How much of it has to be there at the start, and after it ran dry.
  public var startAfter = BufferingPolicy().start
  public var resumeAfter = BufferingPolicy().resume
  /// After how long without a frame the next item plays.
  public var skipAfter = ReconnectPolicy().budget
  public var rtspLatency = RTSPPolicy().latency
  public var rtspTransport = RTSPPolicy().transport
  /// Certificates (PEM) that are trusted in place of the system's; an absolute path.
  public var certificatesFile: String?
  /// `http://host:port`
  public var proxy: String?
  /// Whether servers of the internet may send us to this machine and the network around it.
  public var allowsLocalRedirects = false
  public var servers: [ServerAccount] = []

  public init() {}

  /// Puts these settings in place of the program's own.
  public func apply(to policy: inout PlaybackPolicy) {
    policy.source.timeout = timeout
    if let buffer { policy.buffering.fullScale = buffer }
    policy.buffering.longest = min(policy.buffering.longest, policy.buffering.fullScale)
    policy.buffering.start = min(startAfter, policy.buffering.fullScale)
    policy.buffering.resume = min(resumeAfter, policy.buffering.fullScale)
    policy.reconnect.budget = skipAfter
    policy.rtsp.latency = rtspLatency
    policy.rtsp.transport = rtspTransport
  }

  /// How servers are reached, and who we are for them.
  public var access: ServerAccess {
    var access = ServerAccess()
    access.certificatesFile = certificatesFile
    access.proxy = proxy
    access.redirects.allowsLocal = allowsLocalRedirects
    // A name that is none has been reported.
    access.accounts = servers.compactMap { server in
      server.origin.map {
        ServerAccess.Account(
          $0, user: server.user, passwordFile: server.passwordFile, tokenFile: server.tokenFile)
      }
    }
    return access
  }
}

/// `[[network.server]]`: who we are for a server.
public struct ServerAccount: Hashable, Sendable {
  /// `host` or `host:port`; without a port the scheme's usual one.
  public var host = ""
  /// With http, whoever is on the way reads the secret.
  public var scheme = WebOrigin.Scheme.https
  public var user: String?
  /// Absolute paths of files with one line.
  public var passwordFile: String?
  public var tokenFile: String?

  public init() {}

  /// Nil where `host` is no server's name.
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

/// `[audio]`
public struct AudioSettings: Hashable, Sendable {
  public var isEnabled = true
  public var device = SoundDevice.auto
  /// 0...1, of everything; a position of a knob.
  public var volume = 1.0
  public var isMuted = false
  /// How much later sound is heard than the picture is shown; negative is earlier.
  public var offset = Duration.zero
  /// How long a change of volume takes.
  public var fade = Duration.zero

  public init() {}

  /// As the player takes them.
  public var settings: SoundSettings {
    SoundSettings(
      isEnabled: isEnabled, device: device, volume: volume, isMuted: isMuted, offset: offset, fade: fade)
  }
}

/// `[control]`
public struct ControlSettings: Hashable, Sendable {
  public var isEnabled = true
  /// Nil is `control` in the runtime folder.
  public var socket: String?

  public init() {}
}

/// `[usb]`
public struct USBSettings: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case off
    /// From the stick, as long as it is there.
    case play
    /// Onto the board, where it stays.
    case copy
  }

  public var mode = Mode.off
  /// Where sticks are mounted, each in an entry of its own.
  public var folder = "/run/vitrine-usb"
  /// A file on the board with what a stick has to have in its own; nil takes all sticks.
  public var passwordFile: String?

  public init() {}
}

/// `[playlist.NAME]`
public struct Playlist: Hashable, Sendable {
  /// Whether each round of it plays in another order.
  public var shuffles = false
  public var items: [PlaylistEntry] = []

  public init() {}
}
