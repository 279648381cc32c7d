internal import FileModel
internal import FileSystem
internal import MainLoop
public import KioskCore
internal import PlaybackCore

/// The files on crashes: reports and the quarantine in the state folder, the count of crashes in the runtime folder.
/// All are small, with a limit. Blocks; not on the loop.
public struct CrashHistoryFolder: Hashable, Sendable {
  /// The folder for files that survive a loss of power; nil keeps none of them.
  public var state: String?
  /// The folder for files that last until the machine is switched off.
  public var runtime: String?

  public init(state: String?, runtime: String?) {
    self.state = state
    self.runtime = runtime
  }

  /// In bytes: 64 items with addresses of 4 kB, each byte of which may be written as three. A larger file is damaged.
  private static let limit = 1 << 20

  // MARK: Quarantine

  private var quarantinePath: String? { state.map { "\($0)/quarantine" } }

  public func quarantine() -> Quarantine {
    Quarantine(text: quarantinePath.map { text($0) } ?? "")
  }

  /// - Returns: whether the quarantine was written.
  @discardableResult
  public func keep(_ quarantine: Quarantine) -> Bool {
    guard let path = quarantinePath else { return false }
    // A board without an entry gets no file.
    if quarantine.entries.isEmpty, !FileTree.isThere(path) { return true }
    return ReplacedFile.writeOwn(Array(quarantine.text.utf8), to: path)
  }

  // MARK: Crash loop

  public func crashLoop() -> CrashLoop { CrashLoop(text: runtime.map { text("\($0)/deaths") } ?? "") }

  @discardableResult
  public func keep(_ loop: CrashLoop) -> Bool {
    guard let runtime else { return false }
    return ReplacedFile.writeOwn(Array(loop.text.utf8), to: "\(runtime)/deaths")
  }

  // MARK: Starts

  public func starts() -> StartCounts { StartCounts(text: runtime.map { text("\($0)/starts") } ?? "") }

  /// Writes the counts of starts to the runtime folder: they may start again from zero with the machine, as readers of
  /// counters expect.
  @discardableResult
  public func keep(_ starts: StartCounts) -> Bool {
    guard let runtime else { return false }
    return ReplacedFile.writeOwn(Array(starts.text.utf8), to: "\(runtime)/starts")
  }

  private func text(_ path: String) -> String {
    String(decoding: SmallFile.bytes(path, limit: Self.limit), as: UTF8.self)
  }

  // MARK: Reports

  private var reports: String? { state.map { "\($0)/crash" } }

  /// The newest report.
  public func lastReport() -> (summary: CrashSummary, path: String)? {
    guard let reports else { return nil }
    for name in SmallFile.names(in: reports).sorted(by: >) where name.hasSuffix(".txt") {
      let path = "\(reports)/\(name)"
      let head = String(decoding: SmallFile.bytes(path, limit: 4096), as: UTF8.self)
      if let summary = CrashSummary(text: head) { return (summary, path) }
    }
    return nil
  }

  /// Writes a crash report, unless there were several lately.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Returns: the report's path; nil where none was written.
  public func write(_ record: CrashRecord, _ death: Death, at now: Int64) -> String? {
    guard let reports else { return nil }
    let report = CrashReport(record, death, modules: Self.modules(of: record), foundAt: now)
    try? FileTree.makeFolder(reports, mode: 0o750)
    let there = SmallFile.names(in: reports).filter { $0.hasSuffix(".txt") }.compactMap { name in
      (try? FileTree.statusOfLink("\(reports)/\(name)")).map {
        (name: name, size: $0.size, time: $0.modified / 1_000_000_000)
      }
    }
    guard CrashReportLimits.mayWrite(there.map(\.time), at: now) else { return nil }
    let text = Array(report.text.utf8)
    for name in CrashReportLimits.toRemove(there.map { ($0.name, $0.size) }, adding: Int64(text.count)) {
      try? FileTree.removeFile("\(reports)/\(name)")
    }
    let path = "\(reports)/\(report.fileName)"
    return ReplacedFile.writeOwn(text, to: path) ? path : nil
  }

  /// The modules of the backtrace. The program may have been replaced since: the build id shows it.
  private static func modules(of record: CrashRecord) -> [CrashReport.Module] {
    var seen: [String] = []
    for module in (record.crash?.frames ?? []).compactMap(\.module) where !seen.contains(module) { seen.append(module) }
    return seen.map { path in
      CrashReport.Module(path: path, buildID: BuildID.find(in: SmallFile.bytes(path, limit: BuildID.looksAt)))
    }
  }
}

extension Quarantine.Subject {
  /// A worn SD card answers within a second; a medium that is gone may never answer.
  public static let patience: Duration = .seconds(1)

  /// Makes a subject with a local file's size and time. Blocks while it reads them, but no longer than `patience`: the
  /// previous process may have hung on that medium. Without an answer it takes the known facts for that address, if
  /// there are any.
  ///
  /// - Parameters:
  ///   - listed: the address in the playlist.
  ///   - played: the address that is played: the listed one, or a copy's.
  ///   - known: the quarantine, so that a missing answer doesn't count as other bytes.
  public init(
    _ listed: String, from played: String, sha256: String?, known: Quarantine = Quarantine(),
    patience: Duration = patience
  ) {
    self.init(listed, from: played, sha256: sha256, known: known, patience: patience) { path in
      (try? SystemFileAccess().status(of: FilePath(bytes: path))).map { ($0.size, $0.modified) }
    }
  }

  /// - Parameter look: gives the size and time of a file, nil for a missing one; runs on a thread that may be
  ///   abandoned.
  init(
    _ listed: String, from played: String, sha256: String?, known: Quarantine, patience: Duration,
    look: @escaping @Sendable ([UInt8]) -> (Int64, Int64)?
  ) {
    self.init(uri: listed, sha256: sha256)
    guard let path = FileAddress.path(of: CrashRecord.address(played)).map({ Array($0) }) else { return }
    let answer = Locked<(size: Int64, modified: Int64)??>(nil)
    let alarm = Alarm()
    let worker = BlockingWorker()
    worker.submit {
      let found = look(path)
      answer.withLock { $0 = .some(found) }
      alarm.wake()
    }
    alarm.sleep(until: (Instant(nanoseconds: EventLoop.monotonicNanoseconds()) + patience).nanoseconds)
    let uri = uri
    guard let answered = answer.withLock({ $0 }) else {
      guard let before = known.entries.last(where: { $0.subject.uri == uri })?.subject else { return }
      (size, modified) = (before.size, before.modified)
      return
    }
    guard let answered else { return }
    (size, modified) = (answered.size, answered.modified)
  }
}
