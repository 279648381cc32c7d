import ArgumentParser
import ConfigurationFiles
import FileSystem
import KioskCore
import KioskRuntime
import Logging
import MainLoop
import PlaybackCore
import PlaylistConfig
import Supervision

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Play what a configuration file says, and keep playing.",
    discussion: """
      The playlist `main` plays, or what the schedule says. A screen that isn't there is waited for. A change of the files \
      is noticed: the current item goes on if it is still listed, files with errors change nothing, and a configuration \
      that shows no picture is rolled back. SIGHUP reads the files at once. Options override the files.
      """)

  @OptionGroup(title: "Configuration") var source: ConfigurationOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Input") var input: InputOptions
  @OptionGroup(title: "Control") var control: ControlArguments
  @OptionGroup(title: "Record") var record: RecordOptions

  /// For tests: how long frames must be good before a configuration is confirmed.
  @Option(help: .hidden, transform: RecordOptions.seconds)
  var confirmAfter: Duration?

  func run() throws {
    CrashRecorder.diesOfSignals()
    Allocator.useOneArena()
    let log = record.log
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    record.apply(to: &options)
    options.memory = Board.memory
    let environment = ProcessEnvironment.all
    let directories = ConfigurationDirectories(
      environment: environment, isOurs: source.config == ConfigurationSet.system.main)
    // The lock comes before the first reading: another player may be writing these files.
    let lock = try lockState(of: directories, options: options, log: log)
    // This comes first, because any later step may have crashed the previous run.
    let survival = SurvivalBoot(
      CrashHistoryFolder(
        state: directories.state.flatMap { $0.isWritable ? $0.directory : nil }, runtime: directories.runtime), log: log
    )
    var reader = ConfigurationReader(
      set: source.files, overrides: source.overrides, state: directories.state)
    reader.languages = Languages.folders(beside: source.files.main)
    if let remark = directories.state?.remark { log.warning("\(remark)") }
    let boot = ConfigurationBoot(
      reader: reader, store: directories.state, isSafe: survival.mode == .safe)
    for line in ToldLines.of(boot.problems) { log.error("\(line)") }
    let remarks = boot.refusal == nil ? boot.active?.remarks ?? [] : []
    for remark in ToldLines.of(remarks) { log.notice("\(remark)") }
    if boot.active == nil, let error = boot.refusal?.error {
      // A mistyped name is an error at once: waiting for the file would be useless.
      if error.configurationNumber == .configurationMissing, source.config != ConfigurationSet.system.main {
        try Session.fail(error, code: error.exitStatus, options: options, log: log)
      }
      options.earlierProblems = [error]
    }
    // The control socket is needed most when nothing plays: when the files have errors, or a card is shown.
    options.settings.control.isEnabled = true
    options.usualControlPath = directories.runtime.map { $0 + "/control" }
    if let active = boot.active {
      options.apply(active.listsNow)
      options.earlierProblems = active.problems
      options.follow(active.configuration)
      options.visitorTexts = active.language.texts
    } else {
      Languages.apply(reader.languages, to: &options, log: log)
    }
    options.store = boot.active.flatMap { StoreOptions($0.configuration, directory: directories.copies) }
    options.waitsForScreen = true
    options.restartHistoryPath = directories.state.map { $0.directory + "/restarts" }
    options.alertsPath = directories.state.map { $0.directory + "/alerts" }
    options.placesPath = directories.state.map { $0.directory + "/places" }
    options.decoderRecord = directories.state.map {
      DecoderRecordFile(path: $0.directory + "/decoders", system: Board.system)
    }
    Session.decodePicturesElsewhere(options)
    Board.apply(to: &options, log: log)
    output.apply(to: &options)
    input.apply(to: &options)
    options.survival = survival.book
    options.lastPlaces = survival.lastPlaces
    options.earlierPlays = survival.openPlays
    reader.prober = MediaProber { [options] in MediaProber.Avoided(options) }
    control.apply(to: &options)
    var policy = ReloadPolicy()
    if let confirmAfter {
      // The trial's limit keeps its proportion to the confirmation time.
      policy.trialLimit = confirmAfter * (policy.trialLimit / policy.confirmAfter)
      policy.confirmAfter = confirmAfter
    }
    options.configuration = ConfigurationSetup(reader: reader, boot: boot, directories: directories, policy: policy)
    options.overrides = [output, input, control]
    let problems = boot.active == nil ? [] : options.earlierProblems.map(\.line)
    for problem in ToldLines.of(problems) { log.error("\(problem)") }
    options.earlierProblems = survival.problems + options.earlierProblems
    if survival.mode == .card {
      options.configuration = nil
      options.queue = []
      options.visitorsQueue = []
    }
    // The lock is held to the end of the process.
    try withExtendedLifetime(lock) { try Session.run(options, log: log) }
  }

  /// - Returns: nil where there is no folder for a lock; the player plays without one.
  private func lockState(
    of directories: ConfigurationDirectories, options: KioskOptions, log: Logger
  ) throws -> FileLock? {
    let folders = [directories.lasting, directories.state?.directory].compactMap(\.self)
    guard !folders.isEmpty else { return nil }
    let alarm = Alarm()
    let outcome = StateLock.acquire(in: folders) { pause in
      alarm.sleep(until: (Instant(nanoseconds: EventLoop.monotonicNanoseconds()) + pause).nanoseconds)
    } tell: { holder in
      log.notice("another player\(holder.map { " (process \($0))" } ?? "") uses the state folder: waiting for its end")
    }
    switch outcome {
    case .taken(let lock): return lock
    case .unlocked(let reason):
      log.info("the state folder isn't locked: \(reason)")
      return nil
    case .refused(let error):
      try Session.fail(error, code: KioskExit.temporaryFailure, options: options, log: log)
    }
  }
}
