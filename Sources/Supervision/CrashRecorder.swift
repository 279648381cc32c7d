internal import CCrash
internal import FileSystem
internal import Glibc
public import KioskCore
public import PlaybackCore

/// The record of this run in memory that outlives it: steps, items, log lines. A process has one, as it has one handler
/// of fatal signals; before `open`, and where that fails, nothing is recorded and nothing else changes.
///
/// Any thread may add a log line; all else belongs to the loop's thread.
public enum CrashRecorder {
  /// The record's file name in the runtime folder.
  public static let name = "run"

  // MARK: The beginning

  /// The previous run's record. To be called before `open`, which replaces it.
  ///
  /// - Returns: nil where there was no run, or it was in another boot of the machine.
  public static func earlier(in folder: String) -> CrashRecord? {
    let bytes = SmallFile.bytes("\(folder)/\(name)", limit: CrashRecord.size)
    return CrashRecord(bytes).flatMap { $0.boot == boot ? $0 : nil }
  }

  /// Begins the record, and has fatal signals recorded.
  ///
  /// - Parameter catchesSignals: false for tests, in whose process others handle signals.
  /// - Returns: the reason why nothing is recorded; nil where it works.
  public static func open(in folder: String, program: String, catchesSignals: Bool = true) -> VitrineError? {
    let code = vit_record_open("\(folder)/\(name)", boot, program, memoryKills ?? -1)
    guard code == 0 else { return problem(folder, strerror(-code).map { String(cString: $0) } ?? "error \(-code)") }
    guard !catchesSignals || vit_crash_install() == 0 else {
      return problem(folder, "the system takes no handler of signals")
    }
    return nil
  }

  /// Makes fatal signals from any sender end this process, even without a record, and unblocks signals in the calling
  /// thread that the parent process has blocked. The player does this first of all: until then Swift's own backtracing
  /// may handle the fatal ones, and it swallows those from outside, such as a watchdog's SIGABRT.
  public static func diesOfSignals() { _ = vit_crash_install() }

  private static func problem(_ folder: String, _ reason: String) -> VitrineError {
    VitrineError(
      SurvivalErrors.noRecord, subject: "\(folder)/\(name)",
      message: "can't be written: \(reason); if this run dies, the next one won't know why",
      remedy: "see that the folder is there, may be written to and has room")
  }

  /// The identifier of this boot of the machine.
  public static var boot: String { SmallFile.firstLine("/proc/sys/kernel/random/boot_id") ?? "" }

  /// The number of processes that the kernel has killed for lack of memory since it started, in all control groups; nil
  /// where it doesn't say.
  public static var memoryKills: Int64? {
    let lines = String(decoding: SmallFile.bytes("/proc/vmstat", limit: 64 * 1024), as: UTF8.self).split(
      separator: "\n")
    return lines.first { $0.hasPrefix("oom_kill ") }.flatMap { Int64($0.dropFirst("oom_kill ".count)) }
  }

  // MARK: While it runs

  /// Records that the run ends as planned: its end isn't a crash.
  public static func ends(_ end: CrashRecord.End) { vit_record_end(vit_end(end.rawValue)) }

  /// Records that the run stands still, and asks to be ended.
  ///
  /// - Parameter deck: the deck to blame; nil where no single item is to blame.
  public static func standsStill(with deck: DeckID?) { vit_record_stuck(deck?.generation ?? 0) }

  /// Records that the run doesn't stand still any more.
  public static func goesOn() { vit_record_well() }

  /// Records that the loop runs.
  public static func isAlive() { vit_record_alive(longestRound) }

  private static let longestRound = Death.Policy().longestRound.wholeNanoseconds

  /// Whether this run has shown a picture.
  public static var hasShownFrame: Bool { vit_record_has_shown() != 0 }

  /// Records that a picture is on a screen.
  public static func hasShown() { vit_record_first_frame() }

  /// Records that the loop is about to call a screen's driver, which may never return.
  public static func begins(call: String) { vit_record_call(call) }

  /// Records that the call has returned.
  public static func callIsOver() { vit_record_call(nil) }

  /// Records a log line.
  public static func log(_ line: [UInt8]) {
    line.withUnsafeBytes { bytes in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      vit_record_log(start, UInt64(bytes.count))
    }
  }

  /// Records that a deck is about to be built.
  ///
  /// - Parameters:
  ///   - number: the item's place in the list, from 1.
  ///   - listed: the item's address in the playlist; `uri` may be a copy's.
  public static func deckOpens(
    _ deck: DeckID, screen: String, number: Int?, uri: String, listed: String, sha256: String?, position: Duration
  ) {
    vit_record_deck_opens(
      deck.generation, screen, UInt32(clamping: number ?? 0), CrashRecord.address(uri), CrashRecord.address(listed),
      sha256 ?? "", position.wholeNanoseconds)
  }

  /// Records a deck's next step before it begins.
  public static func deck(_ deck: DeckID, screen: String, begins step: CrashRecord.Step) {
    vit_record_deck_step(deck.generation, screen, vit_step(step.rawValue))
  }

  public static func deck(_ deck: DeckID, screen: String, isAt position: Duration) {
    vit_record_deck_position(deck.generation, screen, position.wholeNanoseconds)
  }

  public static func deckGoes(_ deck: DeckID, screen: String) { vit_record_deck_goes(deck.generation, screen) }
}
