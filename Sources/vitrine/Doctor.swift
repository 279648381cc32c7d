import ArgumentParser
import ConfigurationFiles
import FileModel
import FileSystem
import Glibc
import JSONText
import KioskCore
import KioskRuntime
import Supervision

/// What is wrong with this board, as far as files tell. A line for each thing; others add theirs to the same `Checkup`.
struct Doctor: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what is wrong, and what to do about it.",
    discussion: """
      Looks at what runs of the player have left behind: crash reports, items that are left out because they ended it, \
      safe mode. `vitrine doctor crash` prints the last crash report, with the command that finds its symbols. As the user \
      of the player, or as root: what is kept is for it alone.
      """)

  /// What is looked at.
  enum Topic: String, CaseIterable, ExpressibleByArgument {
    /// The last report itself.
    case crash
  }

  @Argument(help: ArgumentHelp("Print the last crash report.", valueName: "crash"))
  var topic: Topic?

  @Option(
    help: ArgumentHelp("Where the player keeps things (default: /var/lib/vitrine).", valueName: "folder"))
  var state: String?

  @Option(help: ArgumentHelp("Where it tells its state (default: /run/vitrine).", valueName: "folder"))
  var runtime: String?

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let environment = ProcessEnvironment.all
    let folder = SurvivalFolder(
      state: state ?? environment["STATE_DIRECTORY"] ?? "/var/lib/vitrine",
      runtime: runtime ?? environment["RUNTIME_DIRECTORY"] ?? "/run/vitrine")
    if topic == .crash { return try printReport(folder) }
    var checkup = Checkup()
    checkup.lookAtSurvival(
      recordProblem: folder.runtime.flatMap { Self.problem(of: $0) }, quarantine: folder.quarantine(),
      loop: folder.crashLoop(), last: folder.lastReport())
    if json {
      print(try JSONValue(encoding: checkup).pretty)
    } else {
      print(checkup.text, terminator: "")
    }
    if checkup.verdict == .problem { throw ExitCode(KioskExit.nothingPlayed) }
  }

  private func printReport(_ folder: SurvivalFolder) throws {
    guard let last = folder.lastReport() else {
      print("There is no crash report in \(folder.state ?? "any folder").")
      return
    }
    print("\(last.path):\n")
    print(SmallFile.text(last.path), terminator: "")
  }

  /// Without trying: a player that runs has its record there.
  private static func problem(of folder: String) -> String? {
    do throws(FileError) {
      try FileTree.checkWritable(folder)
      return nil
    } catch {
      return "\(folder) can't be written: \(error)"
    }
  }
}
