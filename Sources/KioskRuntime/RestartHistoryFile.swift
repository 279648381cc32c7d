internal import FileSystem
internal import Glibc
internal import KioskCore

/// The file in which restarts and reboots are counted over processes. Blocks for a small file.
struct RestartHistoryFile {
  let path: String

  /// Thrown where it can't be written: a step that isn't counted could be a loop.
  struct NotCounted: Error {}

  /// Asks the ladder what to do now. What it says is counted before anything is done.
  ///
  /// - Parameter ask: gets the ladder and the time, in seconds since 1970.
  func step(_ ask: (inout RestartLadder, Int64) -> RestartLadder.Step) throws(NotCounted) -> RestartLadder.Step {
    var ladder = RestartLadder(history: RestartLadder.History(text: SmallFile.text(path)))
    let step = ask(&ladder, Int64(time(nil)))
    guard step == .goOn || ReplacedFile.writeOwn(Array(ladder.history.text.utf8), to: path) else { throw NotCounted() }
    return step
  }
}
