import ArgumentParser
import ConfigurationFiles
import KioskRuntime
import Logging
import MainLoop
import PlaybackCore
import PlaylistConfig
import Supervision

struct Play: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play files, directories, playlists and addresses.",
    discussion: """
      ITEM is a file, a directory (its media files, sorted), a playlist (M3U, PLS, XSPF), or a file, http, https, rtsp or \
      udp URI. Items \
      that can't be played are reported and skipped.
      """)

  @Argument(help: ArgumentHelp("What to play, in this order.", valueName: "item"))
  var items: [String]

  @OptionGroup(title: "Playback") var playback: PlaybackOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Control") var control: ControlArguments
  @OptionGroup(title: "Record") var record: RecordOptions

  func run() throws {
    CrashRecorder.diesOfSignals()
    Allocator.useOneArena()
    let log = record.log
    let found = ItemResolver(problemsPerList: 1).resolve(items)
    var options = KioskOptions(queue: found.items, processStart: ProcessClock.start())
    options.settings.playback.loop = playback.loop
    options.startAt = playback.start ?? .zero
    options.rate = playback.rate ?? 1
    let forVisitors = ItemResolver(problemsPerList: 1).resolve(playback.visitors)
    options.visitorsQueue = forVisitors.items
    for line in ToldLines.of(forVisitors.problems.map(\.line)) { log.error("\(line)") }
    options.earlierProblems = found.problems
    Session.decodePicturesElsewhere(options)
    for remark in found.remarks + forVisitors.remarks { log.notice("\(remark)") }
    Board.apply(to: &options, log: log)
    Languages.apply(Languages.folders(), to: &options, log: log)
    output.apply(to: &options)
    input.apply(to: &options)
    control.apply(to: &options)
    record.apply(to: &options)
    guard !found.items.isEmpty else {
      for line in ToldLines.of(found.problems.dropLast().map(\.line)) { log.error("\(line)") }
      let last =
        found.problems.last
        ?? VitrineError(
          ErrorNumber.playlistEmpty.rawValue, subject: items.joined(separator: " "), message: "nothing to play",
          remedy: "name a file")
      try Session.fail(last, code: last.exitStatus, options: options, log: log)
    }
    for line in ToldLines.of(found.problems.map(\.line)) { log.error("\(line)") }
    try Session.run(options, log: log)
  }
}

/// The options for playback.
struct PlaybackOptions: ParsableArguments {
  @Flag(help: "Begin again after the last item.")
  var loop = false

  @Option(
    help: ArgumentHelp("Where in the first item to begin.", valueName: "seconds"), transform: RecordOptions.seconds)
  var start: Duration?

  @Option(
    help: ArgumentHelp(
      "The speed, from 0.25 to 4; 1 is normal. Pictures stay as long as at normal speed.", valueName: "factor"),
    transform: speed)
  var rate: Double?

  @Option(
    help: ArgumentHelp(
      "The items that the first touch starts, until --idle has passed without a touch; may be given several times.",
      valueName: "item"))
  var visitors: [String] = []
}

/// The option's text as a factor.
private func speed(_ text: String) throws -> Double {
  let allowed = PlaybackPolicy().rates
  guard let factor = Double(text), allowed.contains(factor) else {
    throw ValidationError("'\(text)' is not a number from \(allowed.lowerBound) to \(Int(allowed.upperBound)).")
  }
  return factor
}

extension VitrineError {
  /// The exit code when this ends the program before anything is played.
  var exitStatus: Int32 {
    configurationNumber?.exitStatus ?? KioskExit.bug
  }
}
