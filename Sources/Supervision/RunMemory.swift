internal import CCrash
internal import FileSystem
internal import Glibc
public import KioskCore
public import PlaybackCore

/// Where this run writes down what it is at, in memory that outlives it. There is one in a process, as there is one handler of
/// fatal signals; before `open`, and where that fails, nothing is written and nothing else changes.
///
/// Any thread may add a line; what concerns decks is the loop's alone.
public enum RunMemory {
  /// In the runtime folder.
  public static let name = "run"

  // MARK: The beginning

  /// What the run before this one left. Before `open`, which takes it away.
  ///
  /// - Returns: nil where there was none, or it was of another boot of the machine.
  public static func earlier(in folder: String) -> RunRecord? {
    let bytes = SmallFile.bytes("\(folder)/\(name)", limit: RunRecord.size)
    return RunRecord(bytes).flatMap { $0.boot == boot ? $0 : nil }
  }

  /// Begins to write, and has fatal signals written down.
  ///
  /// - Parameter catchesSignals: false for tests, whose process isn't ours.
  /// - Returns: why nothing is written; nil where all is well.
  public static func open(in folder: String, program: String, catchesSignals: Bool = true) -> VitrineError? {
    let code = vit_record_open("\(folder)/\(name)", boot, program, memoryKills ?? -1)
    guard code == 0 else { return problem(folder, strerror(-code).map { String(cString: $0) } ?? "error \(-code)") }
    guard !catchesSignals || vit_crash_install() == 0 else {
      return problem(folder, "the system takes no handler of signals")
    }
    return nil
  }

  /// For tests: nothing is written any more.
  static func close() { vit_record_close() }

  /// Has this process die of a fatal signal, whoever sends it, even where nothing is written down, and lets the signals through that whoever
  /// started it had blocked, in the calling thread. First of all that a player does: until then Swift's own backtracing may have the fatal ones,
  /// which swallows those from outside, a watchdog's SIGABRT among them.
  public static func diesOfSignals() { _ = vit_crash_install() }

  private static func problem(_ folder: String, _ reason: String) -> VitrineError {
    VitrineError(
      SurvivalErrors.noRecord, subject: "\(folder)/\(name)",
      message: "can't be written: \(reason); if this run dies, the next one won't know what of",
      remedy: "see that the folder is there, may be written to and has room")
  }

  /// Tells this boot of the machine from others.
  static var boot: String { SmallFile.firstLine("/proc/sys/kernel/random/boot_id") ?? "" }

  /// How many processes the kernel has ended for want of memory since it started, of all limits; nil where it doesn't say.
  public static var memoryKills: Int64? {
    let lines = String(decoding: SmallFile.bytes("/proc/vmstat", limit: 64 * 1024), as: UTF8.self).split(
      separator: "\n")
    return lines.first { $0.hasPrefix("oom_kill ") }.flatMap { Int64($0.dropFirst("oom_kill ".count)) }
  }

  // MARK: While it runs

  /// It ends by itself from here on: that is no death.
  public static func ends(_ end: RunRecord.End) { vit_record_end(vit_end(end.rawValue)) }

  /// It stands still, and is to be ended for that.
  ///
  /// - Parameter deck: what is to blame; nil where that isn't one item.
  public static func standsStill(with deck: DeckID?) { vit_record_stuck(deck?.generation ?? 0) }

  /// It goes on.
  public static func goesOn() { vit_record_well() }

  /// The loop has gone round.
  public static func isAlive() { vit_record_alive(longestRound) }

  private static let longestRound = Death.Policy().longestRound.wholeNanoseconds

  /// Whether a picture was shown.
  public static var hasShownFrame: Bool { vit_record_has_shown() != 0 }

  /// A picture is on a screen.
  public static func hasShown() { vit_record_first_frame() }

  /// The loop is about to call a screen's driver, which may never come back.
  public static func begins(call: String) { vit_record_call(call) }

  /// It has come back.
  public static func callIsOver() { vit_record_call(nil) }

  /// A line of the log, as it is written.
  public static func log(_ line: [UInt8]) {
    line.withUnsafeBytes { bytes in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress else { return }
      vit_record_log(start, UInt64(bytes.count))
    }
  }

  /// A deck is about to be built.
  ///
  /// - Parameters:
  ///   - number: place in the list, from 1.
  ///   - listed: the item's address as the list has it; `uri` may be a copy's.
  public static func deckOpens(
    _ deck: DeckID, screen: String, number: Int?, uri: String, listed: String, sha256: String?, position: Duration
  ) {
    vit_record_deck_opens(
      deck.generation, screen, UInt32(clamping: number ?? 0), RunRecord.address(uri), RunRecord.address(listed),
      sha256 ?? "", position.wholeNanoseconds)
  }

  /// It is about to do something.
  public static func deck(_ deck: DeckID, screen: String, begins step: RunRecord.Step) {
    vit_record_deck_step(deck.generation, screen, vit_step(step.rawValue))
  }

  public static func deck(_ deck: DeckID, screen: String, isAt position: Duration) {
    vit_record_deck_position(deck.generation, screen, position.wholeNanoseconds)
  }

  public static func deckGoes(_ deck: DeckID, screen: String) { vit_record_deck_goes(deck.generation, screen) }
}
