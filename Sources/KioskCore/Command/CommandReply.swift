public import InteractionCore
public import PlaybackCore

/// The player's reply to a command.
public enum KioskReply: Hashable, Sendable {
  /// The command has been carried out, or has begun: seeks and reloads take their time.
  case done
  case refused(KioskRefusal)
}

/// The reason why a command has no effect.
public enum KioskRefusal: String, Error, Hashable, Sendable, CaseIterable {
  case nothingPlays = "nothing-plays"
  case positionUnknown = "position-unknown"
  case noSuchItem = "no-such-item"
  case noSuchClip = "no-such-clip"
  case noSuchPlaylist = "no-such-playlist"
  case noTiles = "no-tiles"
  case noSound = "no-sound"
  case noSuchScreen = "no-such-screen"
  case noConfiguration = "no-configuration"
  case notLeftOut = "not-left-out"
  case clockNotSet = "clock-not-set"
  case timeIsOver = "time-is-over"
  case timeTooFar = "time-too-far"
  case tooManyAlerts = "too-many-alerts"
  case noSuchAlert = "no-such-alert"
  case alertOfConfiguration = "alert-of-configuration"
  case isEnding = "is-ending"

  /// The message for visitors; nil where the screen shows them that nothing happens.
  public var visitorText: VisitorText? {
    switch self {
    case .noSound: VisitorText(.noSound)
    case .noSuchClip: VisitorText(.noClip)
    case .noSuchItem: VisitorText(.noItem)
    case .nothingPlays, .positionUnknown, .noTiles, .noSuchPlaylist, .noSuchScreen, .noConfiguration, .notLeftOut,
      .clockNotSet, .timeIsOver, .timeTooFar, .tooManyAlerts, .noSuchAlert, .alertOfConfiguration, .isEnding:
      nil
    }
  }

  /// For technicians.
  public var text: String {
    switch self {
    case .nothingPlays: "Nothing plays"
    case .positionUnknown: "The position isn't known yet"
    case .noSuchItem: "The playlist has no such item"
    case .noSuchClip: "This clip isn't there"
    case .noSuchPlaylist: "The configuration has no such playlist"
    case .noTiles: "Visitors don't choose from tiles here"
    case .noSound: "There is no sound"
    case .noSuchScreen: "There is no screen of that name"
    case .noConfiguration: "No configuration file is in use"
    case .notLeftOut: "No item of that address is left out"
    case .clockNotSet: "The board's clock isn't set, so it can't tell that time"
    case .timeIsOver: "That time is over"
    case .timeTooFar: "That time is more than \(Int(CommandLimits.alertSpan.inSeconds / 3600)) hours away"
    case .tooManyAlerts: "\(AlertMachine.mostAlerts) alerts are shown already"
    case .noSuchAlert: "No alert has this id"
    case .alertOfConfiguration: "This alert stands in the configuration"
    case .isEnding: "The player is about to end"
    }
  }
}

extension Command {
  /// The event for the playback machine; nil where the command isn't for playback alone.
  public func facts(for machine: PlaybackMachine) -> Result<PlaybackEvent, KioskRefusal>? {
    switch self {
    case .play: return .success(.playRequested)
    case .pause: return .success(.pauseRequested)
    case .playPause: return .success(machine.wantsToPlay ? .pauseRequested : .playRequested)
    case .next, .previous:
      guard !machine.queue.entries.isEmpty else { return .failure(.nothingPlays) }
      return .success(self == .next ? .nextRequested : .previousRequested)
    case .seek(let target, let tolerance):
      // While the next item is being opened, the seek waits for it; with an empty list it would wait for ever.
      guard !machine.queue.entries.isEmpty else { return .failure(.nothingPlays) }
      return .success(.seekRequested(to: (machine.current?.media.start ?? .zero) + target, tolerance))
    case .skip(let way):
      guard let position = machine.shownPosition else { return .failure(.positionUnknown) }
      return .success(.seekRequested(to: position + way, .exact))
    case .select(let number):
      guard number >= 1, let item = machine.queue.select(index: number - 1) else { return .failure(.noSuchItem) }
      return .success(.itemSelected(item))
    default: return nil
    }
  }
}
