import ArgumentParser
import ConfigurationFiles
import FileModel
import FileSystem
import FoundationEssentials
import Glibc
import JSONText
import KioskCore
import KioskRuntime
import Logging
import PlaybackCore
import Supervision

/// Lists this board's faults and their remedies. `FactsReader` reads the facts, `Checkup` judges them.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what is wrong, and what to do about it.",
    discussion: """
      Looks at the board, its screen, decoders, devices, network, clock, storage, power and service, at what the \
      configuration asks of them, and at what runs of the player have left behind. Each line is ok, warning or \
      problem; below one that isn't ok stands what to do, and after a $ a command. Nothing is changed, and a player that \
      runs isn't disturbed. As root, or as the user of the player: what is kept is for it alone. `vitrine doctor crash` \
      prints the last crash report.

      EXIT CODES
        0   all is well
        1   it plays, but needs attention: warnings
        2   something keeps it from playing, or soon will: problems
        64  the command line can't be used
        66  with --self-test: its clips aren't installed
      """)

  /// The part of the report to print.
  enum Topic: String, CaseIterable, ExpressibleByArgument {
    /// The last crash report itself.
    case crash
  }

  @Argument(help: ArgumentHelp("Print the last crash report.", valueName: "crash"))
  var topic: Topic?

  @OptionGroup var source: ConfigurationOptions

  @Option(
    help: ArgumentHelp("The player's state folder (default: /var/lib/vitrine).", valueName: "folder"))
  var state: String?

  @Option(help: ArgumentHelp("The player's runtime folder (default: /run/vitrine).", valueName: "folder"))
  var runtime: String?

  @Flag(help: "Print one JSON object; see docs/doctor.md.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Test the decoders, too, and remember which are bad.",
      discussion: """
        Small clips go through the decoders that would be used, and their pictures are compared. A decoder in hardware \
        that fails isn't used for a week, one that works is used again at once.
        """))
  var selfTest = false

  @Option(help: ArgumentHelp("Where the clips of the self-test are.", valueName: "folder"))
  var clips: String?

  /// For tests: the folder that stands for `/`, with proc, sys, etc, boot and dev.
  @Option(help: .hidden)
  var root = ""

  func validate() throws {
    if clips != nil, !selfTest { throw ValidationError("--clips needs --self-test.") }
  }

  func run() throws {
    let environment = ProcessEnvironment.all
    let folder = CrashHistoryFolder(
      state: state ?? environment["STATE_DIRECTORY"] ?? "/var/lib/vitrine",
      runtime: runtime ?? environment["RUNTIME_DIRECTORY"] ?? "/run/vitrine")
    if topic == .crash { return try printReport(folder) }
    // Otherwise a missing name server would be asked twice for five seconds, for each name.
    setenv("RES_OPTIONS", "timeout:2 attempts:1", 0)
    let facts = FactsReader(root: SystemRoot(root), source: source, folder: folder).read()
    var checkup = Checkup(facts)
    checkup.checkSurvival(
      recordProblem: folder.runtime.flatMap { Self.problem(of: $0, service: facts.service) },
      quarantine: folder.quarantine(),
      loop: folder.crashLoop(), last: folder.lastReport())
    if selfTest { try testDecoders(folder, facts.decoding, into: &checkup) }
    if json {
      try StandardStreams.print(JSONValue(encoding: Report(checkup: checkup, facts: facts), names: .snakeCase).pretty)
    } else {
      StandardStreams.print(checkup, Terminal.layout)
    }
    let code: Int32 =
      switch checkup.verdict {
      case .ok: 0
      case .warning: 1
      case .problem: 2
      }
    if code != 0 { throw ExitCode(code) }
  }

  /// The findings and their facts, as one JSON object.
  private struct Report: Encodable {
    var checkup: Checkup
    var facts: DoctorFacts

    enum CodingKeys: String, CodingKey { case facts }

    func encode(to encoder: any Encoder) throws {
      try checkup.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(facts, forKey: .facts)
    }
  }

  private func testDecoders(
    _ folder: CrashHistoryFolder, _ decoding: DoctorFacts.Decoding, into checkup: inout Checkup
  ) throws {
    let own = clips.map { URL(filePath: $0) } ?? SelfTestRun.clipsFolder(ofProgram: Board.programPath)
    guard let own, FileTree.isReadable(own.appending(path: "checksums").path) else {
      let error = VitrineError(
        SelfTest.noClips, subject: "self-test", message: "its clips aren't installed",
        remedy: "install the package, or name their folder: --clips deploy/self-test")
      RecordOptions.errorLog.error("\(error.line)")
      throw ExitCode(KioskExit.noSuchMedia)
    }
    let test = DecoderTest(run: SelfTestRun(clips: own, folder: own), decoding: decoding)
    let record = folder.state.map { DecoderRecordFile(path: "\($0)/decoders", system: Board.system) }
    for line in try test.lines(keeping: record) { checkup.add(line) }
  }

  private func printReport(_ folder: CrashHistoryFolder) throws {
    guard let last = folder.lastReport() else {
      StandardStreams.print("There is no crash report in \(folder.state ?? "any folder").")
      return
    }
    StandardStreams.print("\(last.path):\n")
    StandardStreams.print(SmallFile.text(last.path))
  }

  /// The reason why the run record can't be written. It isn't written for this check: a running player has its own
  /// there.
  private static func problem(of folder: String, service: DoctorFacts.Service) -> String? {
    // systemd creates the folder when the service starts.
    if service.folders.contains(folder), !service.isActive, !FileTree.isThere(folder) { return nil }
    do throws(FileError) {
      try FileTree.checkWritable(folder)
      return nil
    } catch {
      return "\(folder) can't be written: \(error)"
    }
  }
}

/// The terminal on standard output.
enum Terminal {
  static var layout: CheckupText {
    let environment = ProcessEnvironment.all
    let isTerminal = isatty(STDOUT_FILENO) != 0
    var size = winsize()
    let isKnown = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    let columns = environment["COLUMNS"].flatMap { Int($0) } ?? (isKnown ? Int(size.ws_col) : 80)
    // https://no-color.org
    let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return CheckupText(width: columns, isColoured: isTerminal && !isPlain && environment["TERM"] != "dumb")
  }
}
