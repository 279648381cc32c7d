internal import Displays
internal import KioskCore
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import VitrinePlayback

/// The display of one screen, and the machine that decides on it.
struct ScreenOutput {
  var machine = ScreenMachine()
  var display: (any Display)?
  /// The last display's kind and summary, for the report after it has closed.
  var last: (kind: OutputKind, summary: String)?
  /// The settings that the display was last opened with.
  var openedBy: Configuration?
  /// Finds the refresh rate for the next item, where the mode follows the films.
  var refresh: RefreshMatcher
  let cards: any DisplayOpener
  /// Switches the screen's projector, where the settings name one; nil for a screen outside a group.
  var projector: ProjectorSession?

  init(cards: any DisplayOpener, hold: Duration) {
    self.cards = cards
    refresh = RefreshMatcher(hold: hold)
  }

  var presence: KioskStatus.Screen.Presence { machine.isOff ? .asleep : display == nil ? .none : .on }

  /// Tells the projector whether the screen is to be lit, whatever is plugged in: one that is off may look like no
  /// screen at all. At the end of the run it stays as it is.
  func tellProjector() {
    if machine.state == .ended { projector?.stop() } else { projector?.want(isOn: !machine.isOff) }
  }

  mutating func recordDisplay(_ display: any Display) { last = (display.kind, display.summary) }

  /// Closes a display after its sinks. If a sink that was given up may still use its connection or card, these stay
  /// open until the process ends.
  static func close(_ display: any Display, after engine: PlayerEngine, _ watch: (() -> Void) -> Void) {
    watch { display.close() }
    if engine.hasAbandonedOutput { _ = Unmanaged.passRetained(display as AnyObject) }
  }
}
