import ArgumentParser
import Glibc
import KioskRuntime
import PlaybackCore
import Supervision

struct Supervise: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keep a player running, and its picture while another takes over.",
    discussion: """
      For boards without systemd; with systemd the service does the same. `supervise` runs `vitrine` with the words after \
      `--`, and starts it again whenever it dies. Meanwhile it holds the graphics card open, so that the last picture stays \
      until the next player's first. A player that hangs writes down where, and is then ended. `supervise` ends when it is \
      asked to, or when the player ends by itself with code 0 or 64; then it ends with the same code.

      SIGTERM and SIGINT end both: the code is the player's then, or 128 and the number of the signal that killed it. \
      SIGHUP, SIGUSR1 and SIGUSR2 go to the player. It may be process 1 of a container.

      EXAMPLES
        vitrine supervise -- run
        vitrine supervise --reboot-command reboot -- run --config shop.toml

      EXIT CODES
        0   the player has come to its end, or was asked to
        64  the command line can't be used
        69  the player can't be watched: no socket or signal was to be had
      """)

  @Option(
    help: ArgumentHelp(
      "A player that says nothing for this long hangs; 0 turns the check off.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var watchdog: Duration = KeeperPolicy().watchdog ?? .zero

  @Option(
    help: ArgumentHelp(
      "A player that shows nothing for this long without a reason hangs; 0 turns the check off.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var startLimit: Duration = KeeperPolicy().startLimit ?? .zero

  @Option(
    help: ArgumentHelp("How many graphics cards and other descriptors are held open at most.", valueName: "number"))
  var keep = 16

  @Option(
    help: ArgumentHelp(
      "The command that reboots the board when nothing else helps (code 76 of the player, a driver that hangs).",
      valueName: "command"))
  var rebootCommand: String?

  /// For tests: another program than this one.
  @Option(help: .hidden) var program: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("What the player is to do: `run`, `play` and their options.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    guard (1...64).contains(keep) else { throw ValidationError("--keep is a number from 1 to 64.") }
    guard let first = command.first else {
      throw ValidationError("What is to run stands behind --, such as: vitrine supervise -- run")
    }
    guard first != "supervise" else { throw ValidationError("supervise can't supervise itself.") }
  }

  func run() throws {
    guard let program = program ?? Board.programPath else {
      StandardStreams.printErrors(["vitrine: error: /proc/self/exe tells no program"])
      throw ExitCode(KioskExit.noOutput)
    }
    var settings = Keeper.Settings(program: program, arguments: command, environment: ProcessEnvironment.all)
    settings.policy.watchdog = watchdog > .zero ? watchdog : nil
    settings.policy.startLimit = startLimit > .zero ? startLimit : nil
    settings.keptLimit = keep
    settings.rebootCommand = rebootCommand
    let code: Int32
    do throws(VitrineError) {
      var keeper = try Keeper(settings) { StandardStreams.printErrors(["vitrine: error: \($0.line)"]) }
      code = keeper.run()
    } catch {
      StandardStreams.printErrors(["vitrine: error: \(error.line)"])
      throw ExitCode(KioskExit.noOutput)
    }
    throw ExitCode(code)
  }
}
