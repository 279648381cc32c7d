public import PlaybackCore

/// Everything that somebody can ask of a running kiosk, whichever door it comes through: a touch, a key, a signal, a program.
///
/// Whether a door is locked is that door's matter: `InteractionMachine` has the lock of glass and keys. The kiosk answers each
/// command with a `KioskReply`.
public enum KioskCommand: Hashable, Sendable {
  case play
  case pause
  case playPause
  case next
  case previous
  /// To a place in the item, from where its play begins; to the very frame where nothing else is said.
  case seek(to: Duration, SeekTolerance = .exact)
  /// Forward, or back where negative.
  case skip(by: Duration)
  /// An item of the playlist, from 1.
  case select(number: Int)
  /// Plays this once, then goes back to the list where it was: a path or an address.
  case playClip(String)
  /// In percent of full volume; negative is quieter.
  case changeVolume(byPercent: Int)
  case toggleMute
  /// In percent of full volume.
  case setVolume(percent: Int)
  case setMuted(Bool)
  case showControls
  /// Shows the status card, or takes it away; nil does the other of the two.
  case showStatus(Bool?)
  /// Takes bar and status card away.
  case hideOverlay
  /// A line for whoever stands before the screen; an empty one takes it away.
  case showMessage(String, for: Duration)
  /// Screens sleep, with playback held, or wake.
  case switchScreen(isOn: Bool)
  /// An item that has ended the process is tried again; nil means all of them.
  case forgive(String?)
  /// Reads the configuration again.
  case reload
  /// Ends the run.
  case end
}

/// What became of a command.
public enum KioskReply: Hashable, Sendable {
  /// It has been carried out, or is being carried out: seeks and reloads take their time.
  case done
  case refused(KioskRefusal)
}

/// Why a command does nothing.
public enum KioskRefusal: String, Error, Hashable, Sendable, CaseIterable {
  case nothingPlays = "nothing-plays"
  case positionUnknown = "position-unknown"
  case noSuchItem = "no-such-item"
  case noSuchClip = "no-such-clip"
  case noSound = "no-sound"
  case noSuchScreen = "no-such-screen"
  case noConfiguration = "no-configuration"
  case notLeftOut = "not-left-out"
  case isEnding = "is-ending"

  /// For people.
  public var text: String {
    switch self {
    case .nothingPlays: "Nothing plays"
    case .positionUnknown: "The position isn't known yet"
    case .noSuchItem: "The playlist has no such item"
    case .noSuchClip: "This clip isn't there"
    case .noSound: "There is no sound"
    case .noSuchScreen: "There is no screen of that name"
    case .noConfiguration: "No configuration file is in use"
    case .notLeftOut: "No item of that address is left out"
    case .isEnding: "The player is about to end"
    }
  }
}

extension KioskCommand {
  /// The facts that playback is told; nil where the command isn't for playback alone.
  public func facts(for machine: PlaybackMachine) -> Result<PlaybackEvent, KioskRefusal>? {
    switch self {
    case .play: return .success(.playRequested)
    case .pause: return .success(.pauseRequested)
    case .playPause: return .success(machine.wantsToPlay ? .pauseRequested : .playRequested)
    case .next, .previous:
      guard !machine.queue.entries.isEmpty else { return .failure(.nothingPlays) }
      return .success(self == .next ? .nextRequested : .previousRequested)
    case .seek(let target, let tolerance):
      // While the next item is being opened the seek waits for it; where there is none it would wait for ever.
      guard !machine.queue.entries.isEmpty else { return .failure(.nothingPlays) }
      return .success(.seekRequested(to: (machine.current?.media.start ?? .zero) + target, tolerance))
    case .skip(let way):
      guard let position = machine.shownPosition else { return .failure(.positionUnknown) }
      return .success(.seekRequested(to: position + way, .exact))
    case .select(let number):
      guard number >= 1, let item = machine.queue.select(index: number - 1) else { return .failure(.noSuchItem) }
      return .success(.itemSelected(item))
    case .playClip, .changeVolume, .toggleMute, .setVolume, .setMuted, .showControls, .showStatus, .hideOverlay,
      .showMessage, .switchScreen, .forgive, .reload, .end:
      return nil
    }
  }
}
