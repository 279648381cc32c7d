internal import Glibc
internal import PlaybackCore

// The messages of `vitrine supervise` to people.

extension VitrineError {
  private static let keeper = "vitrine supervise"

  static func keeperCannotListen(_ code: Int32) -> VitrineError {
    VitrineError(
      7500, subject: keeper, message: "it can't listen to the player",
      remedy: "check the system's limits of open files",
      detail: String(cString: strerror(code)))
  }

  static func keeperCannotStart(_ program: String, _ code: Int32) -> VitrineError {
    VitrineError(
      7501, subject: program, message: "it can't be started", remedy: "check the limit of processes; it is tried again",
      detail: String(cString: strerror(code)))
  }

  static func keeperIsFull(_ name: String, limit: Int) -> VitrineError {
    VitrineError(
      7506, subject: name, message: "it isn't kept open: \(limit) others already are",
      remedy: "if the board has that many cards, raise --keep")
  }

  static var keeperWantsReboot: VitrineError {
    VitrineError(
      7507, subject: keeper, message: "the board should be rebooted",
      remedy: "name a command that does so with --reboot-command")
  }

  static func keeperReboots(_ command: String) -> VitrineError {
    VitrineError(7507, subject: keeper, message: "the board is rebooted by: \(command)", remedy: "")
  }

  /// - Parameter lastStatus: the child's last status line.
  static func keeper(_ news: KeeperNews, lastStatus: String) -> VitrineError {
    let last = lastStatus.isEmpty ? "" : "; it said last: \(lastStatus)"
    switch news {
    case .hangs(let silence?):
      return VitrineError(
        7502, subject: keeper, message: "the player has said nothing for \(seconds(silence)): it hangs\(last)",
        remedy: "another player takes over")
    case .hangs(nil):
      return VitrineError(
        7502, subject: keeper, message: "the player says that it hangs\(last)", remedy: "another player takes over")
    case .isNotReady(let limit):
      return VitrineError(
        7503, subject: keeper, message: "the player isn't ready after \(seconds(limit))\(last)",
        remedy: "another player takes over")
    case .died(.signal(let number)):
      return VitrineError(
        7504, subject: keeper,
        message: "the player died of signal \(number) (\(String(cString: strsignal(number))))\(last)",
        remedy: "another player takes over")
    case .died(.code(let code)):
      return VitrineError(
        7504, subject: keeper, message: "the player ended with code \(code)\(last)",
        remedy: "another player takes over")
    case .waits(let delay):
      return VitrineError(
        7504, subject: keeper, message: "players end before they show anything",
        remedy: "see the log; the next one starts in \(seconds(delay))")
    case .isKilled:
      return VitrineError(7505, subject: keeper, message: "the player doesn't end when asked: it is killed", remedy: "")
    case .cannotBeKilled:
      return VitrineError(
        7505, subject: keeper, message: "the player can't even be killed: it hangs in the kernel",
        remedy: "only a reboot ends that; see dmesg for the driver")
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let tenths = Int((duration.inSeconds * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
  }
}
