internal import FileSystem
internal import Glibc
internal import KioskCore

/// The file that counts restarts and reboots across processes. Blocks for a small file.
struct RestartHistoryFile {
  let path: String

  /// Thrown when the file can't be written: uncounted restarts could go on for ever.
  struct NotCounted: Error {}

  /// Asks the ladder for the next step, and writes the count before the step is taken.
  ///
  /// - Parameter ask: gets the ladder and the time, in seconds since 1970.
  func step(_ ask: (inout RestartEscalation, Int64) -> RestartEscalation.Step) throws(NotCounted)
    -> RestartEscalation.Step
  {
    var ladder = RestartEscalation(history: RestartEscalation.History(text: SmallFile.text(path)))
    let step = ask(&ladder, Int64(time(nil)))
    guard step == .goOn || ReplacedFile.writeOwn(Array(ladder.history.text.utf8), to: path) else { throw NotCounted() }
    return step
  }
}
