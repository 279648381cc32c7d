internal import Displays
internal import MainLoop
internal import PlaybackCore

/// Opens the display that the options ask for.
enum Screen {
  struct Opened {
    var display: any Display
    /// Why this one, for the log.
    var reason: String
  }

  static func open(_ options: KioskOptions, on loop: EventLoop) throws(VitrineError) -> Opened {
    switch options.output {
    case .fixed(let kind): return Opened(display: try open(kind, options, on: loop), reason: "as asked")
    case .auto: return try openAutomatically(options, on: loop)
    }
  }

  private static func openAutomatically(_ options: KioskOptions, on loop: EventLoop) throws(VitrineError) -> Opened {
    if WaylandDisplay.answers(socket: nil) {
      return Opened(display: try open(.wayland, options, on: loop), reason: "a Wayland compositor answers")
    }
    let why: VitrineError
    if KMSDisplay.canOpenACard() {
      do {
        return Opened(
          display: try open(.kms, options, on: loop), reason: "no Wayland compositor answers, and a card can be opened")
      } catch {
        // A card that is there and can't be used is worth an error of its own, but without waiting it isn't the end.
        why = error
      }
    } else {
      why = VitrineError(
        5101, subject: "screen", message: "there is neither a Wayland compositor nor a graphics card that can be opened",
        remedy: "connect a screen, or choose --output headless")
    }
    guard !options.waitsForScreen else { throw why }
    return Opened(display: HeadlessDisplay(size: options.headlessSize), reason: why.message)
  }

  private static func open(_ kind: OutputKind, _ options: KioskOptions, on loop: EventLoop) throws(VitrineError)
    -> any Display
  {
    switch kind {
    case .wayland: return try WaylandDisplay.open(on: loop, socket: nil, title: "Vitrine")
    case .headless: return HeadlessDisplay(size: options.headlessSize)
    case .kms:
      return try KMSDisplay.open(on: loop, request: KMSRequest(connector: options.connector, mode: options.mode))
    }
  }
}
