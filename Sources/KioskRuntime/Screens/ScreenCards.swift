public import Displays
internal import KioskCore
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig

/// The displays of this machine: graphics cards, which are kept between one display and the next, compositors, memory.
///
/// One for all screens of a process. Confined to the loop's thread.
final class ScreenCards {
  struct Opened {
    var display: any Display
    /// Why this one, for the log.
    var reason: String
    /// What isn't as it was asked for.
    var notes: [String] = []
  }

  private let loop: EventLoop
  private let screens: KMSScreens
  private let splash: SplashPicture?

  /// - Parameters:
  ///   - splash: a PNG that is shown until the first frame. Without it the background alone serves.
  ///   - failed: hears why it can't be shown.
  init(on loop: EventLoop, splash path: String?, failed: (VitrineError) -> Void) {
    self.loop = loop
    screens = KMSScreens(on: loop)
    var picture: SplashPicture?
    if let path {
      do throws(VitrineError) { picture = try SplashPicture(pngFile: path) } catch { failed(error) }
    }
    splash = picture
  }

  /// Whether changes are told. If not, they have to be looked for.
  var tellsChanges: Bool { screens.tellsChanges }

  func close() { screens.close() }

  /// These are the screens from now on: each leaves the others what they need of a card.
  func setScreens(_ plans: [ScreenPlan]) {
    guard plans.count > 1 else { return }
    for plan in plans { screens.slot(plan.name).wanted = plan.options.kmsRequest }
  }

  /// The screen of that name is over.
  func leave(_ name: String) { screens.slot(name).close() }

  /// Opens the display that the options ask for.
  ///
  /// - Parameter refresh: the rate to begin with where the mode follows the films.
  func open(_ options: KioskOptions, for session: ScreenSession, refresh: Int? = nil) throws(VitrineError) -> Opened {
    switch options.output {
    case .fixed(.wayland): return Opened(display: try wayland(session), reason: "as asked")
    case .fixed(.headless): return Opened(display: HeadlessDisplay(size: options.headlessSize), reason: "as asked")
    case .fixed(.kms): return try kms(options, session, refresh, reason: "as asked")
    case .auto: return try automatic(options, session, refresh)
    }
  }

  /// Wayland if a compositor answers, else a card, else no screen unless one is waited for.
  private func automatic(_ options: KioskOptions, _ session: ScreenSession, _ refresh: Int?) throws(VitrineError)
    -> Opened
  {
    if WaylandDisplay.answers(socket: nil) {
      return Opened(display: try wayland(session), reason: "a Wayland compositor answers")
    }
    do {
      return try kms(options, session, refresh, reason: "no Wayland compositor answers")
    } catch {
      guard !options.waitsForScreen else { throw error }
      return Opened(
        display: HeadlessDisplay(size: options.headlessSize),
        reason: "no Wayland compositor answers; \(error.subject): \(error.message)")
    }
  }

  private func wayland(_ session: ScreenSession) throws(VitrineError) -> any Display {
    try WaylandDisplay.open(on: loop, socket: nil, title: session.name.map { "Vitrine: \($0)" } ?? "Vitrine")
  }

  private func kms(_ options: KioskOptions, _ session: ScreenSession, _ refresh: Int?, reason: String)
    throws(VitrineError) -> Opened
  {
    var request = options.kmsRequest
    request.refreshMillihertz = refresh
    let slot = screens.slot(session.key)
    slot.onChange = { [weak session] in session?.tellScreen(.screensChanged) }
    let (splash, background) = (splash, options.background)
    let display = try slot.open(request) { splash?.pixels(screen: $0, background: background) }
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
