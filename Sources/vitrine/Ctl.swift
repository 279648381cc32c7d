import ArgumentParser
import ControlProtocol
import InteractionCore
import JSONText
import KioskRuntime
import PlaybackCore
import PlaylistConfig

/// Controls the player on this machine through its control socket.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Steer the player that runs here, or print its status.",
    discussion: """
      Speaks with the player through its control socket (docs/control.md). With several screens a command is for all of them unless \
      --screen names one.

      EXIT CODES
        0   done
        64  the command line can't be used
        65  refused: there is no such item or screen, no sound, no configuration
        69  no player listens there
        73  the picture's file can't be written
        75  not now: nothing plays, too many programs ask, or no answer came in time
        76  the program that answers speaks another version of the protocol
        77  this user may not steer the player
      """,
    subcommands: [CtlStatus.self] + Verb.subcommands + [CtlScreenshot.self, CtlWatch.self, CtlSchema.self])
}

/// The options of all subcommands.
struct CtlOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The player's control socket.", valueName: "path"), completion: .file())
  var socket = "/run/vitrine/control"

  @Flag(help: "Print what the player answers, as JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("How long to wait for an answer, in seconds.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var wait: Duration = .seconds(10)

  /// Runs `body` with a connection. Where the player refuses, ends the command with a line on standard error.
  func run(_ body: (ControlClient) throws -> Void) throws {
    do {
      try body(try ControlClient(path: socket, wait: wait))
    } catch let failure as ControlFailure {
      throw Self.end(failure.error, reason: failure.reason)
    } catch let error as VitrineError {
      throw Self.end(error, reason: nil)
    }
  }

  private static func end(_ error: VitrineError, reason: String?) -> ExitCode {
    StandardStreams.printErrors(["vitrine: error: \(PlainText.shown(error.line))"])
    return ExitCode(CtlExit.code(of: error.number, reason: reason))
  }
}

/// The exit codes, following sysexits.
enum CtlExit {
  static let refused: Int32 = 65
  static let protocolError: Int32 = 76

  /// - Parameter reason: the reason word of a refused command.
  static func code(of number: Int, reason: String?) -> Int32 {
    switch number {
    case 7610: KioskExit.noOutput
    case 7611: KioskExit.noPermission
    case 7602, 7603, 7604, 7605, 7613: protocolError
    case 7606, 7607, 7608, 7612, 7614: KioskExit.temporaryFailure
    case 7609 where ["nothing-plays", "position-unknown", "is-ending"].contains(reason): KioskExit.temporaryFailure
    case 7303: KioskExit.cannotCreate
    default: refused
    }
  }
}

/// The option that names a screen.
struct CtlScreenOption: ParsableArguments {
  @Option(help: ArgumentHelp("The screen, by its name. Without it, all screens.", valueName: "name"))
  var screen: String?
}

/// The option of `run` and `play` that names the control socket.
struct ControlArguments: ParsableArguments, KioskOptionsOverride {
  @Option(
    help: ArgumentHelp(
      "The socket through which programs steer the player, or none.",
      discussion: "The default of run: control in the runtime folder (/run/vitrine), of play: none.", valueName: "path"),
    completion: .file())
  var control: String?

  func apply(to options: inout KioskOptions) {
    guard let control else { return }
    options.settings.control.isEnabled = control != "none"
    options.settings.control.socket = control
  }
}
