public import PlaybackCore

/// What a configuration file says, checked. Every property has a default, so that a file with a version is complete.
public struct Configuration: Hashable, Sendable {
  /// The one version of the format that there is.
  public static let supportedVersion: Int64 = 1
  /// The playlist that plays.
  public static let mainPlaylistName = "main"

  public var version: Int64 = supportedVersion
  public var display = DisplaySettings()
  public var playback = PlaybackSettings()
  public var audio = AudioSettings()
  public var overlay = OverlaySettings()
  /// By name.
  public var playlists: [String: Playlist] = [:]

  public init() {}

  /// Nil when the file lists nothing to play.
  public var mainPlaylist: Playlist? { playlists[Self.mainPlaylistName] }
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
  public var mode = DisplayMode.auto
  /// By how much the picture is turned, without a desktop.
  public var rotation = ScreenRotation.none
  /// Whether the last frame stays on the screen at the end, without a desktop.
  public var keepsLastFrame = false
  /// 0xRRGGBB: the screen where there is no picture, without a desktop.
  public var background: UInt32 = 0
  /// A PNG that is shown until the first frame, without a desktop; a path, relative to the folder of the configuration.
  public var splash: String?

  public init() {}
}

/// `[playback]`
public struct PlaybackSettings: Hashable, Sendable {
  /// Whether the playlist starts again at its end.
  public var loop = true
  /// For how long a picture stays that has no duration of its own; 0.1 s to a day.
  public var pictureDuration = Duration.seconds(10)

  public init() {}
}

/// `[audio]`
public struct AudioSettings: Hashable, Sendable {
  public var isEnabled = true

  public init() {}
}

/// `[overlay]`
public struct OverlaySettings: Hashable, Sendable {
  public enum Visibility: String, Hashable, Sendable, CaseIterable {
    /// While somebody touches the screen, and for a while after.
    case auto
    case always
    case never
  }

  public var osd = Visibility.auto

  public init() {}
}

/// `[playlist.NAME]`
public struct Playlist: Hashable, Sendable {
  public var items: [PlaylistEntry] = []

  public init() {}
}

/// `[[playlist.NAME.item]]`: what to play, before it is looked up.
public struct PlaylistEntry: Hashable, Sendable {
  /// A path, relative to the folder of the configuration, or a URI; as written.
  public var uri = ""
  public var title: String?
  /// For how long a picture stays; 0.1 s to a day.
  public var duration: Duration?
  /// 0 is silent, 1 as recorded; linear.
  public var volume: Double?
  /// Where the URI stands in the file.
  public var position = TOMLPosition(line: 0, column: 0)

  public init() {}
}
