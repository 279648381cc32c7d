import ArgumentParser
import KioskRuntime
import PictureDecoder

@main
struct Vitrine: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "vitrine",
    abstract: "A kiosk video player: videos, sound and pictures, one after the other, with no black between them.",
    discussion: """
      The picture goes straight to a plane of the graphics card where there is no desktop, into a full-screen window \
      where a Wayland compositor answers, and into memory where there is neither.

      EXAMPLES
        vitrine play hall.mp4                      play one file
        vitrine play --loop ~/Videos               a folder, again and again
        vitrine play https://example.org/film.mp4  from the network
        vitrine run --config shop.toml             what a configuration says
        vitrine supervise -- run                   the same, kept running
        vitrine check shop.toml                    what is wrong with it
        vitrine reload                             have the player read it again
        vitrine ctl status                         the status of a running player
        vitrine schedule --week                    what plays when, and why
        vitrine log --since 2026-11-01             what has played, and how often
        vitrine displays                           cards and screens; which is used
        vitrine sounds                             names of sound devices
        vitrine inputs                             touchscreens, keys; what they do
        vitrine doctor                             what is wrong, and what to do

      EXIT CODES
        0   done: everything that could be played has been, or it was asked to stop
        64  the command line can't be used
        65  none of the items could be played, or a self-test that failed
        66  no such file, directory or playlist, or nothing to play in it
        69  no screen could be opened, or it failed
        70  a fault of Vitrine: please report it
        73  the report or the snapshot couldn't be written
        75  `run` only: another process should take over, or runs already
        76  `run` only: the board should be rebooted
        77  no permission for a file or for the graphics card
        78  the configuration file has errors

      SIGTERM and SIGINT stop it cleanly; SIGHUP makes `run` read its configuration again. SIGUSR1 switches the screen \
      off, with playback held, and SIGUSR2 on again.
      """,
    version: "vitrine \(Version.text)",
    subcommands: [
      Play.self, Run.self, Supervise.self, Ctl.self, Reload.self, Check.self, ScheduleCommand.self, ConfigCommand.self,
      LogCommand.self, DisplaysCommand.self,
      Sounds.self,
      Inputs.self, Doctor.self, SelfTestPart.self, ProbeChild.self,
    ])
  /// Replaces the entry point of `AsyncParsableCommand`: this one stays on the main thread up to the first await.
  /// `supervise` has one thread, which gets all signals; any other thread would take some of them away.
  @MainActor static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == PictureChild.word { PictureChild.serve(arguments) }
    if let slip = CommandSlips.find(in: arguments, of: Self.self) {
      exit(withError: ValidationError(slip))
    }
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      exit(withError: error)
    }
  }
}
