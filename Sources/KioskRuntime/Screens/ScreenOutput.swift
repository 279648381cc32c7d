internal import Displays
internal import KioskCore
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

/// The display of one screen, and what is to become of it.
struct ScreenOutput {
  var machine = ScreenMachine()
  var display: (any Display)?
  /// The last display, for the report, after it is gone.
  var last: (kind: OutputKind, summary: String)?
  /// The settings by which the display was opened last.
  var openedBy: KioskOptions?
  /// Which refresh rate the next item wants, where the mode follows the films.
  var refresh: RefreshMatcher
  let cards: any DisplayOpener

  init(cards: any DisplayOpener, hold: Duration) {
    self.cards = cards
    refresh = RefreshMatcher(hold: hold)
  }

  mutating func noteDisplay(_ display: any Display) { last = (display.kind, display.summary) }

  /// A connection or card that a sink which was given up may still use stays for as long as the process.
  static func close(_ display: any Display, after engine: PlayerEngine, _ watch: (() -> Void) -> Void) {
    watch { display.close() }
    if engine.hasAbandonedOutput { _ = Unmanaged.passRetained(display as AnyObject) }
  }
}
