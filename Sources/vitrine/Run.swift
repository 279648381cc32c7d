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

  @OptionGroup(title: "Configuration") var source: ConfigurationOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Record") var record: RecordOptions

  func run() async throws {
    let log = record.log
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    record.apply(to: &options)
    let source = source
    do throws(VitrineError) {
      let loaded = try Self.load(source, log: log)
      options.queue = loaded.items
      options.earlierProblems = loaded.problems
      loaded.configuration.apply(to: &options)
      options.splashPath = Self.splashPath(loaded.configuration)
    } catch {
      try Session.fail(error, code: error.exitStatus, options: options, log: log)
    }
    options.waitsForScreen = true
    Board.apply(to: &options, log: log)
    output.apply(to: &options)
    let output = output
    options.reload = { () throws(VitrineError) in output.overriding(try Self.load(source, log: log).items) }
    for problem in options.earlierProblems { log.error("\(problem.line)") }
    try await Session.run(options, log: log)
  }

  /// A path in a file starts at the file's folder.
  private static func splashPath(_ configuration: Configuration) -> String? {
    guard let path = configuration.display.splash, !path.hasPrefix("/") else { return configuration.display.splash }
    let index = configuration.display.splashPosition?.file ?? 0
    guard configuration.sources.indices.contains(index),
      let slash = configuration.sources[index].lastIndex(of: "/")
    else { return path }
    return configuration.sources[index][...slash] + path
  }

  private struct Loaded {
    var configuration: Configuration
    var items: [MediaItem]
    var problems: [VitrineError]
  }

  private static func load(_ source: ConfigurationOptions, log: Logger) throws(VitrineError) -> Loaded {
    let loaded = source.load()
    for diagnostic in loaded.diagnostics {
      // The line says by itself whether it is a warning.
      if diagnostic.severity == .error { log.error("\(diagnostic)") } else { log.notice("\(diagnostic)") }
    }
    let configuration = try loaded.get()
    guard let playlist = configuration.mainPlaylist else {
      throw VitrineError(
        ErrorNumber.nothingListed.rawValue, subject: source.config, message: "it lists nothing to play",
        remedy: "add [[playlist.main.item]] with a uri")
    }
    let found = ItemResolver(configurationPath: source.config).resolve(playlist, sources: configuration.sources)
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
    options.keepsLastFrame = display.keepsLastFrame
    options.goesOnUnplugged = display.unplugged == .play
    options.loops = playback.loop
    options.policy.pictureDuration = playback.pictureDuration
    options.sound.isEnabled = audio.isEnabled
    options.setOverlay(named: overlay.osd.rawValue)
  }
}
