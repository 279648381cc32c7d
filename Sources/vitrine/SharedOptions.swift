public import ArgumentParser
import Glibc
public import InteractionCore
import KioskCore
import KioskRuntime
import Logging
import PictureDecoder
public import PlaybackCore
public import PlaylistConfig
import Supervision

// Choices with the same words as in the configuration.
extension DisplaySettings.Output: ExpressibleByArgument {}
extension DisplaySettings.PanelOrder: ExpressibleByArgument {}
extension DisplaySettings.Unplugged: ExpressibleByArgument {}
extension HDRChoice: ExpressibleByArgument {}
extension OverlayMode: ExpressibleByArgument {}
extension LockMode: ExpressibleByArgument {}

/// The choice of subtitles.
enum SubtitleChoice: Hashable {
  case off, auto
  case languages([String])
}

/// The options for the output of picture and sound.
struct OutputOptions: ParsableArguments, KioskOptionsOverride {
  @Option(
    help: ArgumentHelp(
      "Where the picture goes.",
      discussion: """
        auto, which is the default: a Wayland compositor if one answers, else a graphics card, else, with play, memory, where it can't be seen.
        """,
      valueName: "auto|kms|wayland|headless"))
  var output: DisplaySettings.Output?

  @OptionGroup var screen: ScreenOptions

  @Option(
    help: ArgumentHelp("Size of the picture without a screen (--output headless).", valueName: "WxH"),
    transform: OutputOptions.size)
  var size: PixelSize?

  @Flag(
    inversion: .prefixedNo,
    help: "Wait for a screen that isn't there or that another program drives. The default of run, but not of play.")
  var waitForDisplay: Bool?

  @Option(
    help: ArgumentHelp(
      "What playback does while the screen is unplugged: keep its position, which is the default, or go on muted.",
      valueName: "pause|play"))
  var unplugged: DisplaySettings.Unplugged?

  @Option(
    help: ArgumentHelp(
      "What is done with HDR films (PQ, HLG).",
      discussion: """
        map, which is the default: shown as SDR. auto: left as they are for a screen that reports HDR, without \
        a desktop. off: never mapped.
        """,
      valueName: "map|auto|off"))
  var hdr: HDRChoice?

  @OptionGroup var sound: SoundOptions

  @Option(
    help: ArgumentHelp(
      "The language of the sound, where an item has several; or several languages, best first, with commas.",
      valueName: "languages"),
    transform: OutputOptions.languages)
  var audioLanguage: [String]?

  @Option(
    help: ArgumentHelp(
      "The language of the subtitles, as de or pt-BR, or several, best first, with commas; off; or auto.",
      discussion: """
        auto, which is the default: only those that translate what is said in a language other than the sound's. \
        Subtitles inside of an item are found, and .srt and .vtt files beside it.
        """,
      valueName: "languages|off|auto"),
    transform: OutputOptions.subtitleChoice)
  var subtitles: SubtitleChoice?

  @Flag(help: "Leave the last frame on the screen at the end, for a restart that isn't seen. Needs Linux 6.8.")
  var keepLastFrame = false

  @Option(
    help: ArgumentHelp(
      "When the bar with the times shows. auto, which is the default: when somebody touches the screen or presses a key.",
      valueName: "auto|always|never"))
  var osd: OverlayMode?

  /// Overrides the configuration's settings.
  func apply(to options: inout KioskOptions) {
    if let output { options.settings.display.output = output }
    screen.apply(to: &options.settings.display)
    if let size { options.headlessSize = size }
    if let waitForDisplay { options.waitsForScreen = waitForDisplay }
    if let hdr { options.settings.display.hdr = hdr }
    if let unplugged { options.settings.display.unplugged = unplugged }
    sound.apply(to: &options.settings.audio)
    if keepLastFrame { options.settings.display.keepsLastFrame = true }
    if let osd { options.settings.overlay.osd = osd }
    apply(to: &options.tracks)
    options.queue = overriding(options.queue)
    options.visitorsQueue = overriding(options.visitorsQueue)
  }

  /// Replaces the track preferences of items that have their own by these options.
  func overriding(_ items: [MediaItem]) -> [MediaItem] {
    // Without a change the list itself is returned: comparing it is then fast.
    guard audioLanguage != nil || subtitles != nil else { return items }
    return items.map { item in
      var item = item
      if var tracks = item.tracks {
        apply(to: &tracks)
        item.tracks = tracks
      }
      return item
    }
  }

  private func apply(to tracks: inout TrackPreferences) {
    if let audioLanguage { tracks.audioLanguages = audioLanguage }
    switch subtitles {
    case .off: tracks.subtitles = .off
    case .auto: tracks.subtitles = .forced
    case .languages(let languages):
      tracks.subtitles = .always
      tracks.subtitleLanguages = languages
    case nil: break
    }
  }

  static func subtitleChoice(_ text: String) throws -> SubtitleChoice {
    switch text {
    case "off": .off
    case "auto": .auto
    default: .languages(try languages(text))
    }
  }

  static func languages(_ text: String) throws -> [String] {
    let words = text.split(separator: ",").map(String.init)
    guard !words.isEmpty, words.allSatisfy({ LanguageTag($0) != nil }) else {
      throw ValidationError("'\(text)' is not a language; write its code, such as en, de or pt-BR.")
    }
    return words
  }

  static func size(_ text: String) throws -> PixelSize {
    guard case .size(let size, nil)? = DisplayMode(parsing: text), size.width >= 16, size.height >= 16 else {
      throw ValidationError("'\(text)' is not a size; write it as 1280x720.")
    }
    return size
  }
}

/// The options for a screen on a graphics card.
struct ScreenOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The graphics card, by path (/dev/dri/card1), driver (vc4) or device (0000:01:00.0), or auto.", valueName: "name")
  )
  var card: String?

  @Option(
    help: ArgumentHelp("The connector of the screen, by its kernel name, such as HDMI-A-1, or auto.", valueName: "name")
  )
  var connector: String?

  @Option(
    help: ArgumentHelp(
      "Resolution and refresh rate, such as 1920x1080 or 1920x1080@60, auto for what the screen prefers, or match for "
        + "the rate that fits each film.",
      valueName: "WxH@R"),
    transform: ScreenOptions.mode)
  var mode: DisplayMode?

  @Option(
    help: ArgumentHelp(
      "Where a built-in panel and another screen are connected, the one that auto takes: the panel (first), or the "
        + "other (last, which is the default).",
      valueName: "first|last"))
  var builtInPanels: DisplaySettings.PanelOrder?

  @Option(
    help: ArgumentHelp(
      "By how much the picture is turned on its panel, clockwise: 0, 90, 180 or 270.", valueName: "degrees"),
    transform: ScreenOptions.rotation)
  var rotation: ScreenRotation?

  @Option(
    help: ArgumentHelp(
      "Put the screen to sleep and wake it over the HDMI cable (CEC) too: auto, off, or a device such as /dev/cec0.",
      valueName: "auto|off|device"),
    transform: ScreenOptions.cec)
  var cec: CECChoice?

  @Option(help: ArgumentHelp("A picture that the screen shows until the first frame.", valueName: "file.png"))
  var splash: String?

  /// Overrides the configuration's settings.
  func apply(to display: inout DisplaySettings) {
    if let rotation { display.rotation = rotation }
    if let splash { (display.splash, display.splashPosition) = (splash, nil) }
    if let cec { display.cec = cec }
    if let card { display.card = card }
    if let connector { display.connector = connector }
    if let mode { display.mode = mode }
    if let builtInPanels { display.builtInPanels = builtInPanels }
  }

  static func rotation(_ text: String) throws -> ScreenRotation {
    guard let rotation = Int(text).flatMap(ScreenRotation.init) else {
      throw ValidationError("'\(text)' is not 0, 90, 180 or 270.")
    }
    return rotation
  }

  static func cec(_ text: String) throws -> CECChoice {
    guard let choice = CECChoice(text) else {
      throw ValidationError("'\(text)' is not for CEC; write \(CECChoice.allowed).")
    }
    return choice
  }

  static func mode(_ text: String) throws -> DisplayMode {
    guard let mode = DisplayMode(parsing: text) else {
      throw ValidationError("'\(text)' is not a display mode; write \(DisplayMode.allowed).")
    }
    return mode
  }
}

/// The options for reports and logs, and for the end of the run.
struct RecordOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Stop this long after the first frame.", valueName: "seconds"), transform: RecordOptions.seconds)
  var limit: Duration?

  @Option(
    help: ArgumentHelp("Write a picture of the video and the overlay, as PNG.", valueName: "file.png"))
  var snapshot: String?

  @Option(
    help: ArgumentHelp("When to take the snapshot, counted from the first frame.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var at: Duration?

  @Option(
    help: ArgumentHelp("Write what was really shown, as JSON, at the end; see docs/report.md.", valueName: "file.json"))
  var report: String?

  @Flag(name: .shortAndLong, help: "Say more on standard error.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Say nothing but errors.")
  var quiet = false

  func validate() throws {
    if at != nil, snapshot == nil { throw ValidationError("--at needs --snapshot FILE.png.") }
    if verbose, quiet { throw ValidationError("Choose one of --verbose and --quiet.") }
  }

  func apply(to options: inout KioskOptions) {
    options.stopAfter = limit
    options.reportPath = report
    if let snapshot { options.snapshot = KioskOptions.Snapshot(path: snapshot, at: at ?? .zero) }
  }

  var log: Logger { Self.log(verbose ? .debug : quiet ? .error : .notice) }

  /// The log for commands that only report errors.
  static var errorLog: Logger { log(.error) }

  private static func log(_ level: Logger.Level) -> Logger {
    Logger(label: "vitrine") { _ in StandardErrorLog(level: level) }
  }

  /// Reads a number of seconds, up to a leap year: a larger one is a typing error.
  static func seconds(_ text: String) throws -> Duration {
    guard let value = Double(text), value >= 0, value <= 86_400 * 366 else {
      throw ValidationError("'\(text)' is not a number of seconds.")
    }
    return .milliseconds(Int64((value * 1000).rounded()))
  }
}

/// The common part of `run` and `play`.
enum Session {
  /// Decodes pictures in processes of their own, so that a bad picture can't crash the player. Called as soon as the
  /// first item is known: its process starts while this one loads GStreamer.
  static func decodePicturesElsewhere(_ options: KioskOptions) {
    PictureDecoding.useProcesses(of: "/proc/self/exe")
    let picture = options.settings.splashPath ?? options.queue.first.flatMap { $0.kind == .picture ? $0.uri : nil }
    if let picture { PictureDecoding.warmUp(PictureFormat(named: picture)) }
  }

  /// Runs the kiosk, and exits with its code.
  static func run(_ options: KioskOptions, log: Logger) throws {
    let code: Int32
    var options = options
    options.manager = ServiceManager(environment: ProcessEnvironment.all, process: getpid())
    options.kept = ServiceManager.adoptKept(environment: ProcessEnvironment.all, process: getpid())
    do {
      code = try Kiosk(options: options, log: log).runToEnd()
    } catch let error as VitrineError {
      try fail(error, code: KioskExit.bug, options: options, log: log)
    }
    if code != KioskExit.done { throw ExitCode(code) }
  }

  /// Logs the error, writes the report if one is asked for, and exits.
  static func fail(_ error: VitrineError, code: Int32, options: KioskOptions, log: Logger) throws -> Never {
    log.error("\(error.line)")
    // A reported error isn't a crash.
    CrashRecorder.ends(.clean)
    if let path = options.reportPath {
      do throws(VitrineError) {
        try ReportFile.writeFailure(options, error, exitCode: code, to: path)
      } catch {
        log.error("\(error.line)")
      }
    }
    throw ExitCode(code)
  }
}
