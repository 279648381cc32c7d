import ArgumentParser
import Glibc
import KioskCore
import KioskRuntime
import Logging
import PictureDecoder
import PlaybackCore
import Supervision

/// Which output an option may name.
enum OutputName: String, CaseIterable, ExpressibleByArgument {
  case auto, kms, wayland, headless

  var choice: KioskOptions.OutputChoice { OutputKind(rawValue: rawValue).map { .fixed($0) } ?? .auto }
}

/// What is done with HDR films.
enum HDRName: String, CaseIterable, ExpressibleByArgument {
  case map, auto, off

  var choice: HDRChoice {
    switch self {
    case .map: .map
    case .auto: .auto
    case .off: .off
    }
  }
}

/// When the bar shows.
enum OSDName: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// Which subtitles show.
enum SubtitleChoice: Hashable {
  case off, auto
  case languages([String])
}

/// Where the picture goes.
struct OutputOptions: ParsableArguments, KioskOptionsOverride {
  @Option(
    help: ArgumentHelp(
      "Where the picture goes.",
      discussion: """
        auto, which is the default: a Wayland compositor if one answers, else a graphics card, else, with play, memory, \
        where nobody sees it.
        """,
      valueName: "auto|kms|wayland|headless"))
  var output: OutputName?

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
  var unplugged: UnpluggedAction?

  @Option(
    help: ArgumentHelp(
      "What is done with HDR films (PQ, HLG).",
      discussion: """
        map, which is the default: shown as SDR. auto: left as they are for a screen that says that it shows HDR, without \
        a desktop. off: never mapped.
        """,
      valueName: "map|auto|off"))
  var hdr: HDRName?

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
  var osd: OSDName?

  /// Overrides what the configuration says.
  func apply(to options: inout KioskOptions) {
    if let output { options.output = output.choice }
    screen.apply(to: &options)
    if let size { options.headlessSize = size }
    if let waitForDisplay { options.waitsForScreen = waitForDisplay }
    if let hdr { options.hdr = hdr.choice }
    if let unplugged { options.goesOnUnplugged = unplugged == .play }
    sound.apply(to: &options)
    if keepLastFrame { options.keepsLastFrame = true }
    if let osd { options.setOverlay(named: osd.rawValue) }
    apply(to: &options.tracks)
    options.queue = overriding(options.queue)
    options.visitorsQueue = overriding(options.visitorsQueue)
  }

  /// Items that say which tracks they want, with what these options say instead.
  func overriding(_ items: [MediaItem]) -> [MediaItem] {
    // The same list then, by which it is seen to be the same without a look at each.
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

/// Which screen, where pictures go straight to a graphics card.
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
  var builtInPanels: PanelOrder?

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

  /// Overrides what the configuration says.
  func apply(to options: inout KioskOptions) {
    if let rotation { options.rotation = rotation }
    if let splash { options.splashPath = splash }
    if let cec { options.cec = cec }
    if let card { options.card = card }
    if let connector { options.connector = connector }
    if let mode { options.mode = mode }
    if let builtInPanels { options.builtInPanelsFirst = builtInPanels == .first }
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

/// What playback does without a screen.
enum UnpluggedAction: String, CaseIterable, ExpressibleByArgument {
  case pause, play
}

/// Place of built-in panels in the order of screens.
enum PanelOrder: String, CaseIterable, ExpressibleByArgument {
  case first, last
}

/// What is written down, and when the run ends.
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

  /// For commands that have nothing else to say.
  static var errorLog: Logger { log(.error) }

  private static func log(_ level: Logger.Level) -> Logger {
    Logger(label: "vitrine") { _ in StandardErrorLog(level: level) }
  }

  /// A day is more than any test or demonstration needs; it keeps typing errors out.
  static func seconds(_ text: String) throws -> Duration {
    guard let value = Double(text), value >= 0, value <= 86_400 * 366 else {
      throw ValidationError("'\(text)' is not a number of seconds.")
    }
    return .milliseconds(Int64((value * 1000).rounded()))
  }
}

/// The common end of both commands.
enum Session {
  /// What a picture does to its decoder it doesn't do to the player. As early as it is known what comes first: a process for it starts
  /// while this one loads GStreamer.
  static func decodePicturesElsewhere(_ options: KioskOptions) {
    PictureDecoding.useProcesses(of: "/proc/self/exe")
    if options.splashPath != nil || options.queue.first?.kind == .picture { PictureDecoding.warmUp() }
  }

  /// Runs the kiosk and leaves with its exit code.
  static func run(_ options: KioskOptions, log: Logger) throws {
    let code: Int32
    var options = options
    options.manager = ServiceManager(environment: ProcessEnvironment.all, process: getpid())
    options.kept = ServiceManager.takeKept(environment: ProcessEnvironment.all, process: getpid())
    do {
      code = try Kiosk(options: options, log: log).runToEnd()
    } catch let error as VitrineError {
      try fail(error, code: KioskExit.bug, options: options, log: log)
    }
    if code != KioskExit.done { throw ExitCode(code) }
  }

  /// Says what is wrong, writes the report where one is asked for, and leaves.
  static func fail(_ error: VitrineError, code: Int32, options: KioskOptions, log: Logger) throws -> Never {
    log.error("\(error.line)")
    // It has said why: that is no death.
    RunMemory.ends(.clean)
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
