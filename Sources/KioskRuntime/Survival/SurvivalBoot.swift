internal import FileSystem
internal import Glibc
internal import InteractionCore
public import KioskCore
public import Logging
internal import MainLoop
public import PlaybackCore
public import Supervision
public import TelemetryCore

/// The first thing that a run does: it reads why the previous run ended, draws conclusions, and begins its own record.
/// It comes before GStreamer, which may be the cause of the crash. Blocks for some small files.
public struct SurvivalBoot: Sendable {
  public let mode: CrashLoop.Mode
  /// The previous run's place on each screen; empty where it ended cleanly.
  public let lastPlaces: [LastPlace]
  /// The plays that were under way when the previous run crashed.
  public let openPlays: [PlayEntry]
  /// The errors for the run's report.
  public private(set) var problems: [VitrineError] = []
  /// The run's knowledge of crashes.
  public let book: CrashHistory

  /// - Parameter folder: the folder of the quarantine, the crash loop and the reports.
  public init(_ folder: CrashHistoryFolder, log: Logger) {
    let (now, sinceBoot) = (Int64(time(nil)), Self.secondsSinceBoot)
    let record = folder.runtime.flatMap { CrashRecorder.earlier(in: $0) }.flatMap { Self.isAlive($0) ? nil : $0 }
    let death = record.flatMap { Death(of: $0, memoryKills: CrashRecorder.memoryKills) }
    var quarantine = folder.quarantine()
    var loop = folder.crashLoop()
    let before = loop.mode
    loop.began(after: death, at: sinceBoot)
    var last = folder.lastReport()?.summary
    if let record, let death {
      if record.crash != nil { last = CrashSummary(CrashReport(record, death, modules: [], foundAt: now)) }
      problems.append(Self.error(death))
      if let suspect = death.suspect {
        let subject = Quarantine.Subject(
          suspect.listed, from: suspect.uri, sha256: suspect.sha256, known: quarantine)
        // Written first: a lost count would let the item crash the player once more.
        let entry = quarantine.died(
          of: subject, signal: death.signal, isDoubtful: death.isDoubtful, at: now)
        if entry.isHeld { problems.append(entry.error) }
        if !folder.keep(quarantine) { log.info("the quarantine can't be kept: it is forgotten with this run") }
      }
    }
    if folder.runtime != nil, death != nil || loop.mode != before { folder.keep(loop) }
    lastPlaces = record.map { $0.end == .clean ? [] : LastPlace.all(of: $0, after: death) } ?? []
    openPlays =
      record.map {
        PlayEntry.died(
          in: $0, isClockGood: SystemClock.isSynchronised, now: SystemClock.utcMilliseconds, sinceBoot: Self.sinceBoot)
      } ?? []
    mode = loop.mode
    switch mode {
    case .normal: break
    case .safe: problems.append(Self.safeMode)
    case .card: problems.append(Self.stopped(loop))
    }
    for problem in problems { log.error("\(problem.line)") }
    for point in lastPlaces {
      let way = point.isToBeLeft ? "going on after" : "going on with"
      log.notice(
        "\(way) \(Redaction.value(point.uri)) at \(Double(point.position.wholeNanoseconds / 100_000_000) / 10) s")
    }
    for entry in quarantine.held { log.notice("left out: \(entry.error.line)") }
    var starts = folder.starts()
    starts.count(after: record?.end, death)
    folder.keep(starts)
    book = CrashHistory(folder, quarantine: quarantine, loop: loop, last: last, starts: starts, log: log)
    // Off the loop: the picture doesn't wait for the disk.
    if let record, let death, record.crash != nil { book.report(record, death, at: now) }
    guard let runtime = folder.runtime else { return }
    if let problem = CrashRecorder.open(in: runtime, program: "vitrine \(Version.text)") {
      log.warning("\(problem.line)")
    }
    CrashRecorder.isAlive()
  }

  static var secondsSinceBoot: Int64 { sinceBoot.components.seconds }

  private static var sinceBoot: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Whether the recorded process is still running: two runs that share a folder aren't a crash. A zombie has no
  /// command line.
  private static func isAlive(_ record: CrashRecord) -> Bool {
    guard record.pid > 0, record.pid != getpid() else { return false }
    let theirs = SmallFile.bytes("/proc/\(record.pid)/cmdline").prefix { $0 != 0 }
    return !theirs.isEmpty && theirs == SmallFile.bytes("/proc/self/cmdline").prefix { $0 != 0 }
  }

  // MARK: Errors

  private static func error(_ death: Death) -> VitrineError {
    let item = death.suspect.map { ", most likely of \(Redaction.value($0.listed)), which was \($0.step.text)" } ?? ""
    return VitrineError(
      SurvivalErrors.died, subject: "the player before this one",
      message: "\(death.text) after \(Int(death.ran.inSeconds)) s\(item)",
      remedy: "vitrine doctor tells more")
  }

  private static let safeMode = VitrineError(
    SurvivalErrors.safeMode, subject: "the player",
    message: "it died again and again, and runs in safe mode now: "
      + "decoders in software, the last good configuration",
    remedy: "vitrine doctor tells why; it leaves safe mode by itself after ten good minutes")

  private static func stopped(_ loop: CrashLoop) -> VitrineError {
    VitrineError(
      SurvivalErrors.stopped, subject: "the player",
      message: "it died again and again, in safe mode too: nothing plays",
      remedy: "vitrine doctor tells why; it tries again after \(loop.policy.cardTime / 60) minutes")
  }
}
