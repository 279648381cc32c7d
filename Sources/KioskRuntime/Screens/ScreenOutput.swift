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

  init(cards: any DisplayOpener, hold: Duration) {
    self.cards = cards
    refresh = RefreshMatcher(hold: hold)
  }

  mutating func recordDisplay(_ display: any Display) { last = (display.kind, display.summary) }

  /// Closes a display after its sinks. If a sink that was given up may still use its connection or card, these stay
  /// open until the process ends.
  static func close(_ display: any Display, after engine: PlayerEngine, _ watch: (() -> Void) -> Void) {
    watch { display.close() }
    if engine.hasAbandonedOutput { _ = Unmanaged.passRetained(display as AnyObject) }
  }
}
