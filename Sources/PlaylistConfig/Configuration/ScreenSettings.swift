public import PlaybackCore

/// `[[screen]]`: one of several screens of this board.
public struct ScreenSettings: Hashable, Sendable {
  /// The screen's name in logs, reports and the state; letters, digits, - and _.
  public var name = ""
  /// The connector's name in the kernel; nil for that of `[display]`, which only a single screen can have.
  public var connector: String?
  /// Nil for that of `[display]`.
  public var card: String?
  /// The screen's playlist, day and night; nil to follow the schedule.
  public var playlist: String?
  /// Nil for that of `[display]`.
  public var rotation: ScreenRotation?
  /// Nil for that of `[display]`, which only a single screen can have.
  public var projector: ProjectorAddress?
  /// Nil for that of `[display]`.
  public var projectorPasswordFile: String?
  /// Whether the screen has the sound; nil for the first screen, unless another screen was chosen.
  public var sound: Bool?
  /// Input devices of this screen: parts of their names or of their physical paths.
  public var touch: [String] = []
  /// The position of the table's header.
  public var position = TOMLPosition(line: 0, column: 0)
  public var namePosition: TOMLPosition?
  public var connectorPosition: TOMLPosition?
  public var playlistPosition: TOMLPosition?
  public var projectorPosition: TOMLPosition?

  public init() {}
}

extension Configuration {
  /// Each screen's name and configuration; without `[[screen]]`, one screen with an empty name and this configuration.
  public var eachScreen: [(name: String, configuration: Configuration)] {
    screens.isEmpty ? [("", self)] : screens.map { ($0.name, forScreen($0)) }
  }

  /// The configuration of one screen in the form that a board with a single screen has. The settings of other screens
  /// are left out, so that two results differ only if this screen has changed.
  public func forScreen(_ screen: ScreenSettings) -> Configuration {
    var own = self
    own.screens = []
    own.display.connector = screen.connector ?? display.connector
    own.display.connectorPosition = screen.connectorPosition ?? display.connectorPosition
    own.display.card = screen.card ?? display.card
    own.display.rotation = screen.rotation ?? display.rotation
    own.display.projector = screen.projector ?? display.projector
    own.display.projectorPosition = screen.projectorPosition ?? display.projectorPosition
    own.display.projectorPasswordFile = screen.projectorPasswordFile ?? display.projectorPasswordFile
    own.audio.isEnabled = audio.isEnabled && hasSound(screen)
    if let playlist = screen.playlist {
      own.schedule.rules = []
      own.schedule.defaultPlaylist = playlist
      own.schedule.defaultPosition = screen.playlistPosition
      // Both are alternatives to the schedule, which this screen doesn't follow.
      own.attract.playlist = nil
      own.attract.visitors = nil
    }
    return own
  }

  /// Whether the screen has the sound. At most one has: two films at a time are noise.
  public func hasSound(_ screen: ScreenSettings) -> Bool {
    if let chosen = screens.first(where: { $0.sound == true }) { return chosen.name == screen.name }
    return screen.name == screens.first?.name && screen.sound != false
  }

  /// Whether any screen follows the schedule.
  public var needsSchedule: Bool { screens.isEmpty || screens.contains { $0.playlist == nil } }
}
