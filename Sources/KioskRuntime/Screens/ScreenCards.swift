public import Displays
internal import KioskCore
internal import Logging
internal import MainLoop
internal import OverlayRenderer
internal import PlaybackCore
internal import PlaylistConfig
internal import Supervision

/// Opens displays for screens.
protocol DisplayOpener: AnyObject {
  /// Whether `ScreenSession.handleScreenEvent(.screensChanged)` reports changes. If not, the session has to look for
  /// them.
  var tellsChanges: Bool { get }

  /// Opens the display that the options ask for.
  ///
  /// - Parameter refresh: the rate to begin with, if the mode follows the films.
  func open(_ options: KioskOptions, for session: ScreenSession, refresh: Int?) throws(VitrineError) -> OpenedDisplay

  /// Sets the screens from now on, so that each one leaves the others the connectors that they need.
  func setScreens(_ plans: [ScreenPlan])

  /// Closes the screen of that name.
  func leave(_ name: String)

  /// Closes all; no screen is opened any more.
  func close()

  /// Watches driver calls that may never return.
  var driver: DriverWatch? { get }

  /// Whether the picture stays for the next process if this one ends without closing its displays.
  var outlives: Bool { get }
}

extension DisplayOpener {
  var outlives: Bool { false }
  var driver: DriverWatch? { nil }
}

struct OpenedDisplay {
  var display: any Display
  /// The reason for this display, for the log.
  var reason: String
  /// Wishes that couldn't be fulfilled, for the log.
  var notes: [String] = []
}

/// Opens the displays of this machine: graphics cards, which stay open between one display and the next, compositors,
/// memory.
///
/// One for all screens of a process. Confined to the loop's thread.
final class ScreenCards: DisplayOpener {
  private let loop: EventLoop
  private let screens: KMSScreens
  private let splash: SplashPicture?
  let driver: DriverWatch?

  /// - Parameters:
  ///   - options: have the PNG to show until the first frame (without one, only the background is shown) and the file
  ///     descriptors that the previous process has left.
  ///   - failed: hears why the PNG can't be shown.
  init(on loop: EventLoop, _ options: KioskOptions, log: Logger, failed: (VitrineError) -> Void) {
    self.loop = loop
    driver = DriverWatch(options.manager, log: log)
    let path = options.settings.splashPath
    screens = KMSScreens(
      on: loop, keeper: options.manager,
      files: options.kept.map { KeptFile(name: $0.name, descriptor: $0.descriptor) })
    var picture: SplashPicture?
    if let path {
      do throws(VitrineError) {
        picture = try SplashPicture(pngFile: path, background: options.settings.display.background)
      } catch {
        failed(error)
      }
    }
    splash = picture
  }

  var tellsChanges: Bool { screens.tellsChanges }

  var outlives: Bool { screens.outlives }

  func close() { screens.close() }

  func setScreens(_ plans: [ScreenPlan]) {
    guard plans.count > 1 else { return }
    for plan in plans { screens.slot(plan.name).wanted = plan.options.kmsRequest }
  }

  func leave(_ name: String) { screens.slot(name).close() }

  func open(_ options: KioskOptions, for session: ScreenSession, refresh: Int?) throws(VitrineError) -> OpenedDisplay {
    let opened = try choose(options, for: session, refresh)
    if opened.display.kind != .kms { screens.giveUpLeft(for: session.key) }
    return opened
  }

  private func choose(_ options: KioskOptions, for session: ScreenSession, _ refresh: Int?) throws(VitrineError)
    -> OpenedDisplay
  {
    switch options.settings.display.output {
    case .wayland: return OpenedDisplay(display: try wayland(session), reason: "as asked")
    case .headless:
      return OpenedDisplay(display: HeadlessDisplay(size: options.headlessSize), reason: "as asked")
    case .kms: return try kms(options, session, refresh, reason: "as asked")
    case .auto: return try automatic(options, session, refresh)
    }
  }

  /// Chooses Wayland if a compositor answers, else a card, else no screen unless the run waits for one.
  private func automatic(_ options: KioskOptions, _ session: ScreenSession, _ refresh: Int?) throws(VitrineError)
    -> OpenedDisplay
  {
    if WaylandDisplay.answers(socket: nil) {
      return OpenedDisplay(display: try wayland(session), reason: "a Wayland compositor answers")
    }
    do {
      return try kms(options, session, refresh, reason: "no Wayland compositor answers")
    } catch {
      guard !options.waitsForScreen else { throw error }
      return OpenedDisplay(
        display: HeadlessDisplay(size: options.headlessSize),
        reason: "no Wayland compositor answers; \(error.subject): \(error.message)")
    }
  }

  private func wayland(_ session: ScreenSession) throws(VitrineError) -> any Display {
    try WaylandDisplay.open(on: loop, socket: nil, title: session.name.map { "Vitrine: \($0)" } ?? "Vitrine")
  }

  private func kms(_ options: KioskOptions, _ session: ScreenSession, _ refresh: Int?, reason: String)
    throws(VitrineError) -> OpenedDisplay
  {
    var request = options.kmsRequest
    request.refreshMillihertz = refresh
    let slot = screens.slot(session.key)
    slot.onChange = { [weak session] in session?.handleScreenEvent(.screensChanged) }
    let (splash, background) = (splash, options.settings.display.background)
    let display = try slot.open(request) { splash?.pixels(screen: $0, background: background) }
    return OpenedDisplay(display: display, reason: reason, notes: display.notes)
  }
}

/// The service manager keeps a card's descriptor like any other.
extension ServiceManager: DescriptorStore {}

extension KioskOptions {
  /// The request to a graphics card.
  public var kmsRequest: KMSRequest {
    let display = settings.display
    return KMSRequest(
      card: display.card ?? "auto", connector: display.connector ?? "auto",
      builtInPanels: display.builtInPanels == .first ? .first : .last, mode: display.mode, rotation: display.rotation,
      planeScales: planeScales, modeLimit: modeLimit, cec: display.cec, background: display.background)
  }
}
