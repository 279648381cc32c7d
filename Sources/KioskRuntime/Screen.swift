public import Displays
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import VitrinePlayback

/// Opens the display that the options ask for.
enum Screen {
  /// Closes a display whose sink is down or has been given up: a connection or card that such a sink may still use stays
  /// for as long as the process.
  static func close(_ display: any Display, after engine: PlayerEngine?) {
    display.close()
    if engine?.hasAbandonedOutput == true { _ = Unmanaged.passRetained(display as AnyObject) }
  }

  /// What is kept between one display on a card and the next.
  struct Cards {
    var screens: KMSScreens
    /// Shown until the first frame.
    var splash: SplashPicture?
  }

  struct Opened {
    var display: any Display
    /// Why this one, for the log.
    var reason: String
    /// What isn't as it was asked for.
    var notes: [String] = []
  }

  /// - Parameter refresh: the rate to begin with where the mode follows the films.
  static func open(_ options: KioskOptions, refresh: Int? = nil, on loop: EventLoop, cards: Cards) throws(VitrineError)
    -> Opened
  {
    switch options.output {
    case .fixed(.wayland): return Opened(display: try wayland(on: loop), reason: "as asked")
    case .fixed(.headless): return Opened(display: HeadlessDisplay(size: options.headlessSize), reason: "as asked")
    case .fixed(.kms): return try kms(options, refresh, cards, reason: "as asked")
    case .auto: return try automatic(options, refresh, on: loop, cards)
    }
  }

  /// Wayland if a compositor answers, else a card, else no screen unless one is waited for.
  private static func automatic(_ options: KioskOptions, _ refresh: Int?, on loop: EventLoop, _ cards: Cards)
    throws(VitrineError) -> Opened
  {
    if WaylandDisplay.answers(socket: nil) {
      return Opened(display: try wayland(on: loop), reason: "a Wayland compositor answers")
    }
    do {
      return try kms(options, refresh, cards, reason: "no Wayland compositor answers")
    } catch {
      guard !options.waitsForScreen else { throw error }
      return Opened(
        display: HeadlessDisplay(size: options.headlessSize),
        reason: "no Wayland compositor answers; \(error.subject): \(error.message)")
    }
  }

  private static func wayland(on loop: EventLoop) throws(VitrineError) -> any Display {
    try WaylandDisplay.open(on: loop, socket: nil, title: "Vitrine")
  }

  private static func kms(_ options: KioskOptions, _ refresh: Int?, _ cards: Cards, reason: String)
    throws(VitrineError) -> Opened
  {
    var request = options.kmsRequest
    request.refreshMillihertz = refresh
    let display = try cards.screens.open(request) { screen in
      cards.splash?.pixels(screen: screen, background: options.background)
    }
    return Opened(display: display, reason: reason, notes: display.notes)
  }
}

extension KioskOptions {
  /// What is asked of a graphics card.
  public var kmsRequest: KMSRequest {
    KMSRequest(
      card: card, connector: connector, builtInPanels: builtInPanelsFirst ? .first : .last, mode: mode,
      rotation: rotation, planeScales: planeScales, modeLimit: modeLimit, cec: cec, background: background)
  }
}
