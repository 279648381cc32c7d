public import PlaybackCore

/// `[[screen]]`: one of the screens of this board, where it has several.
public struct ScreenSettings: Hashable, Sendable {
  /// In logs, reports and the state; letters, digits, - and _.
  public var name = ""
  /// The connector's name in the kernel; nil is that of `[display]`, and only where there is one screen.
  public var connector: String?
  /// Nil is that of `[display]`.
  public var card: String?
  /// What it plays, day and night; nil is what the schedule says.
  public var playlist: String?
  /// Nil is that of `[display]`.
  public var rotation: ScreenRotation?
  /// Nil: the first screen has the sound, unless another one is given it.
  public var sound: Bool?
  /// Input devices that belong to this screen: parts of their names, or of where they are plugged in.
  public var touch: [String] = []
  /// Of the table.
  public var position = TOMLPosition(line: 0, column: 0)
  public var namePosition: TOMLPosition?
  public var connectorPosition: TOMLPosition?
  public var playlistPosition: TOMLPosition?

  public init() {}
}

extension Configuration {
  /// The screens by name, each with the configuration as it has it; without `[[screen]]` the one of `[display]`, whose name
  /// is empty.
  public var eachScreen: [(name: String, configuration: Configuration)] {
    screens.isEmpty ? [("", self)] : screens.map { ($0.name, forScreen($0)) }
  }

  /// The configuration as one of its screens has it: its own connector, list and sound in the places where a board with
  /// one screen has them. What is said of other screens isn't in it, so that two of these differ only in what concerns this screen.
  public func forScreen(_ screen: ScreenSettings) -> Configuration {
    var own = self
    own.screens = []
    own.display.connector = screen.connector ?? display.connector
    own.display.connectorPosition = screen.connectorPosition ?? display.connectorPosition
    own.display.card = screen.card ?? display.card
    own.display.rotation = screen.rotation ?? display.rotation
    own.audio.isEnabled = audio.isEnabled && hasSound(screen)
    if let playlist = screen.playlist {
      own.schedule.rules = []
      own.schedule.defaultPlaylist = playlist
      own.schedule.defaultPosition = screen.playlistPosition
      // These stand for what the schedule says, which isn't asked.
      own.attract.playlist = nil
      own.attract.visitors = nil
    }
    return own
  }

  /// At most one screen is heard: two films at a time are noise.
  public func hasSound(_ screen: ScreenSettings) -> Bool {
    if let chosen = screens.first(where: { $0.sound == true }) { return chosen.name == screen.name }
    return screen.name == screens.first?.name && screen.sound != false
  }

  /// Whether any screen plays what the schedule says.
  public var needsSchedule: Bool { screens.isEmpty || screens.contains { $0.playlist == nil } }
}
