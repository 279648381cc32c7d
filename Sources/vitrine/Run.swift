import ArgumentParser
import KioskRuntime
import Logging
import PlaybackCore
import PlaylistConfig

struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play what a configuration file says, and keep playing.",
    discussion: """
      The playlist `main` plays. A screen that isn't there is waited for. SIGHUP reads the playlist again: the current item \
      goes on if it is still listed, and a file with errors changes nothing. Options override the file.
      """)

  @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
  var config = "/etc/vitrine/vitrine.toml"

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Record") var record: RecordOptions

  func run() async throws {
    let log = record.log
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    record.apply(to: &options)
    let path = config
    do throws(VitrineError) {
      let loaded = try Self.load(path, log: log)
      options.queue = loaded.items
      options.earlierProblems = loaded.problems
      loaded.configuration.apply(to: &options)
      options.splashPath = loaded.configuration.display.splash.map { Self.absolute($0, besides: path) }
    } catch {
      try Session.fail(error, code: error.exitStatus, options: options, log: log)
    }
    options.waitsForScreen = true
    output.apply(to: &options)
    input.apply(to: &options)
    options.reload = { () throws(VitrineError) in try Self.load(path, log: log).items }
    for problem in options.earlierProblems { log.error("\(problem.line)") }
    try await Session.run(options, log: log)
  }

  /// A path in a file starts at the file's folder.
  private static func absolute(_ path: String, besides file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return file[...slash] + path
  }

  private struct Loaded {
    var configuration: Configuration
    var items: [MediaItem]
    var problems: [VitrineError]
  }

  private static func load(_ path: String, log: Logger) throws(VitrineError) -> Loaded {
    let loaded = Configuration.load(path: path)
    for diagnostic in loaded.diagnostics {
      // The line says by itself whether it is a warning.
      if diagnostic.severity == .error { log.error("\(diagnostic)") } else { log.notice("\(diagnostic)") }
    }
    let configuration = try loaded.get()
    guard let playlist = configuration.mainPlaylist else {
      throw VitrineError(
        ErrorNumber.nothingListed.rawValue, subject: path, message: "it lists nothing to play",
        remedy: "add [[playlist.main.item]] with a uri")
    }
    let found = ItemResolver(configurationPath: path).resolve(playlist)
    if found.items.isEmpty, let problem = found.problems.first { throw problem }
    return Loaded(configuration: configuration, items: found.items, problems: found.problems)
  }
}

extension Configuration {
  /// Puts the file's settings in place of the program's own.
  func apply(to options: inout KioskOptions) {
    options.output = display.output.kind.map { .fixed($0) } ?? .auto
    options.card = display.card ?? options.card
    options.connector = display.connector ?? options.connector
    options.builtInPanelsFirst = display.builtInPanels == .first
    options.mode = display.mode
    options.background = display.background
    options.rotation = display.rotation
    options.goesOnUnplugged = display.unplugged == .play
    options.loops = playback.loop
    options.policy.pictureDuration = playback.pictureDuration
    options.hasSound = audio.isEnabled
    options.setOverlay(named: overlay.osd.rawValue)
  }
}
