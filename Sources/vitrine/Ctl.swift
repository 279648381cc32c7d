import ArgumentParser
import ControlProtocol
import InteractionCore
import JSONText
import KioskRuntime
import PlaybackCore

/// Steers a player that runs on this machine, through its control socket.
struct Ctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Steer the player that runs here, or ask how it fares.",
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
        76  what answers speaks otherwise
        77  this user may not steer the player
      """,
    subcommands: [CtlStatus.self] + Verb.subcommands + [CtlScreenshot.self, CtlWatch.self, CtlSchema.self])
}

/// Of all subcommands.
struct CtlOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The player's control socket.", valueName: "path"), completion: .file())
  var socket = "/run/vitrine/control"

  @Flag(help: "Print what the player answers, as JSON.")
  var json = false

  @Option(
    help: ArgumentHelp("How long to wait for an answer, in seconds.", valueName: "seconds"),
    transform: RecordOptions.seconds)
  var wait: Duration = .seconds(10)

  /// Ends the command with a line on standard error where the player says no.
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
    StandardStreams.tellErrors(["vitrine: error: \(PlainText.shown(error.line))"])
    return ExitCode(CtlExit.code(of: error.number, reason: reason))
  }
}

/// Exit codes by sysexits.
enum CtlExit {
  static let refused: Int32 = 65
  static let protocolError: Int32 = 76

  /// - Parameter reason: of a command that was refused.
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

/// Which screen is meant.
struct CtlScreenOption: ParsableArguments {
  @Option(help: ArgumentHelp("The screen that is meant, by its name; all without it.", valueName: "name"))
  var screen: String?
}

/// Of `run` and `play`: by which socket they are steered.
struct ControlArguments: ParsableArguments, KioskOptionsOverride {
  @Option(
    help: ArgumentHelp(
      "The socket through which programs steer the player; none is none.",
      discussion: "The default of run: control in the runtime folder (/run/vitrine), of play: none.", valueName: "path"),
    completion: .file())
  var control: String?

  func apply(to options: inout KioskOptions) {
    guard let control else { return }
    options.control.isEnabled = control != "none"
    options.control.path = control
  }
}
