import ArgumentParser
import KioskRuntime
import PlaybackCore

struct Reload: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the player that runs here read its configuration, and wait until it plays or doesn't.",
    discussion: """
      Prints one line: confirmed, or why not. It asks through the control socket where there is one, and by a signal where not.

      EXIT CODES
        0   confirmed: it plays, or played already, or will when the screen wakes
        64  the command line can't be used
        65  rolled back: it doesn't play, and the last good configuration does
        69  no player runs
        75  not confirmed in time; the player goes on trying
        77  this user may neither steer nor signal the player
        78  refused: the files have errors, and nothing has changed
      """)

  @Option(help: ArgumentHelp("The folder of the player's configuration.json.", valueName: "folder"))
  var runtime = "/run/vitrine"

  @Option(
    help: ArgumentHelp("The player's control socket; without it, control in that folder.", valueName: "path"),
    completion: .file())
  var socket: String?

  @Option(
    help: ArgumentHelp("How long to wait, in seconds.", valueName: "seconds"), transform: RecordOptions.seconds)
  var wait: Duration = .seconds(120)

  func run() throws {
    let outcome: ReloadRequest.Outcome
    do throws(VitrineError) {
      outcome = try ReloadRequest(runtime: runtime, socket: socket, wait: wait).send()
    } catch {
      StandardStreams.printErrors(["vitrine: error: \(error.line)"])
      throw ExitCode(error.number == 1107 ? KioskExit.noPermission : KioskExit.noOutput)
    }
    switch outcome {
    case .confirmed: StandardStreams.print("confirmed")
    case .asleep: StandardStreams.print("accepted, shown when the screen wakes")
    case .refused(let reason):
      // The reason has all errors in one line; here each gets a line.
      for line in "refused: \(reason)".split(separator: " | ") { StandardStreams.print(String(line)) }
      throw ExitCode(KioskExit.configuration)
    case .rolledBack(let reason):
      StandardStreams.print("rolled back: \(reason)")
      throw ExitCode(KioskExit.nothingPlayed)
    case .unconfirmed(let reason):
      StandardStreams.print("doesn't play, and there is nothing to go back to: \(reason)")
      throw ExitCode(KioskExit.nothingPlayed)
    case .notInTime(let state):
      StandardStreams.print("not confirmed in time (\(state))")
      throw ExitCode(KioskExit.temporaryFailure)
    }
  }
}
