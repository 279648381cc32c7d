import ArgumentParser
import Displays
import FileSystem
import FoundationEssentials
import Glibc
import JSONText
import KioskRuntime
import Logging
import PlaybackCore
import PlaylistConfig

struct DisplaysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "displays",
    abstract: "List graphics cards, screens, modes and planes, and what would be used and why.",
    discussion: """
      A * marks what `play` would use with the same options. Nothing that is shown changes. The exit code is 0 when a \
      screen could be lit now, or Vitrine shows something on it, else 69.
      """)

  @OptionGroup(title: "Screen") var screen: ScreenOptions

  @Flag(help: "Everything, as one JSON object; see docs/displays.md.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Test decoders, screen and sound of this board, and write a report.",
      discussion: """
        Plays small clips through what would be used, for half a minute, compares and measures. The screen shows them. \
        The exit code is 65 when something failed.
        """))
  var selfTest = false

  @Option(
    help: ArgumentHelp(
      "Write the report of the self-test here: JSON where the name ends with .json, else text.", valueName: "file"))
  var out: String?

  @Option(help: ArgumentHelp("Where the clips of the self-test are.", valueName: "folder"))
  var clips: String?

  func validate() throws {
    if !selfTest, out != nil || clips != nil { throw ValidationError("--out needs --self-test.") }
  }

  func run() throws {
    var options = KioskOptions(queue: [], processStart: ProcessClock.start())
    screen.apply(to: &options.settings.display)
    Board.apply(to: &options, log: Logger(label: "vitrine") { _ in StandardErrorLog(level: .error) })
    var inventory = DisplayInventory.read(for: options.kmsRequest)
    inventory.board = DisplayInventory.BoardEntry(Board.load())
    inventory.decoders = Board.outlooks(options, video: inventory.video).map { DisplayInventory.DecoderEntry($0) }
    if selfTest { return try test(inventory) }
    if json {
      try StandardStreams.print(Self.json(inventory))
    } else {
      StandardStreams.print(inventory.text)
    }
    if inventory.problem != nil, !inventory.isPlaying { throw ExitCode(KioskExit.noOutput) }
  }

  private static func json(_ value: some Encodable) throws -> String {
    try JSONValue(encoding: value, names: .snakeCase).report
  }

  private func test(_ inventory: DisplayInventory) throws {
    let folder = clips.map { URL(filePath: $0) } ?? SelfTestRun.clipsFolder(ofProgram: Board.programPath)
    guard let folder, FileTree.isReadable(folder.appending(path: "checksums").path) else {
      let error = VitrineError(
        SelfTest.noClips, subject: "self-test", message: "its clips aren't installed",
        remedy: "install the package, or name their folder: --clips deploy/self-test")
      RecordOptions.errorLog.error("\(error.line)")
      throw ExitCode(KioskExit.noSuchMedia)
    }
    // A folder with an unused name, which no other user may read.
    var template = Array(
      FileManager.default.temporaryDirectory.appending(path: "vitrine-self-test-XXXXXX").path.utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ValidationError("no folder for the test can be made: \(String(cString: strerror(errno)))")
    }
    let own = URL(filePath: String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    defer { try? FileManager.default.removeItem(at: own) }
    let report = try SelfTestRun(clips: folder, folder: own).run(displays: inventory, screen: screen.words)
    let text = try json || out?.hasSuffix(".json") == true ? Self.json(report) + "\n" : report.text
    if let out {
      try Data(text.utf8).write(to: URL(filePath: out), options: .atomic)
      StandardStreams.print("\(report.hasPassed ? "passed" : "FAILED"): \(out)")
      for problem in report.problems { StandardStreams.print("  \(problem.text)") }
    } else {
      StandardStreams.print(text)
    }
    if !report.hasPassed { throw ExitCode(KioskExit.nothingPlayed) }
  }
}
