internal import PlaybackCore

/// The findings of `vitrine doctor`: a line for each topic, with a remedy where something is wrong.
public struct Checkup: Hashable, Sendable, Encodable {
  public enum Verdict: String, Hashable, Sendable, Encodable, CaseIterable {
    case ok
    /// The player plays, but somebody should look at it.
    case warning
    case problem
  }

  /// The groups of findings, in the order of the output.
  public enum Group: String, Hashable, Sendable, Encodable, CaseIterable {
    case board, screen, decoding, input, sound, content, network, storage, power, service, history
  }

  public struct Line: Hashable, Sendable, Encodable {
    public var verdict: Verdict
    public var group: Group
    /// The topic of the finding; stable, for scripts.
    public var topic: String
    public var finding: String
    /// The remedy in words; empty only where there is nothing to do.
    public var remedy: String
    /// A shell command that does what `remedy` says; empty where no command can.
    public var command: String

    public init(
      _ verdict: Verdict, _ group: Group, _ topic: String, _ finding: String, remedy: String = "", command: String = ""
    ) {
      self.verdict = verdict
      self.group = group
      self.topic = topic
      self.finding = finding
      self.remedy = remedy
      self.command = command
    }
  }

  public private(set) var lines: [Line] = []

  public init() {}

  public mutating func add(_ line: Line) { lines.append(line) }

  /// The worst of its lines.
  public var verdict: Verdict {
    lines.contains { $0.verdict == .problem } ? .problem : lines.contains { $0.verdict == .warning } ? .warning : .ok
  }

  public func count(_ verdict: Verdict) -> Int { lines.count { $0.verdict == verdict } }

  enum CodingKeys: String, CodingKey { case schema, verdict, lines }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(1, forKey: .schema)
    try container.encode(verdict, forKey: .verdict)
    try container.encode(lines, forKey: .lines)
  }
}

extension Checkup {
  /// Adds the findings on earlier crashes: the run record, the quarantine and the mode.
  ///
  /// - Parameters:
  ///   - recordProblem: the reason why the run record can't be written; nil where it can.
  ///   - quarantine: the items that aren't played.
  ///   - loop: the recent crashes and the mode.
  ///   - last: the last crash, and the path of its report.
  public mutating func checkSurvival(
    recordProblem: String?, quarantine: Quarantine, loop: CrashLoop, last: (summary: CrashSummary, path: String)?
  ) {
    if let recordProblem {
      add(
        Line(
          .warning, .history, "record", recordProblem,
          remedy: "see that the folder is there and may be written to (RuntimeDirectory= of the unit)"))
    } else {
      add(Line(.ok, .history, "record", "each run can record what it does"))
    }
    if let last {
      let item = last.summary.item.map { ", with \($0)" } ?? ""
      add(
        Line(
          .warning, .history, "crash", "\(last.summary.time): \(last.summary.cause)\(item)",
          remedy: "read \(last.path), which says how to find its symbols", command: "vitrine doctor crash"))
    } else {
      add(Line(.ok, .history, "crash", "no report"))
    }
    if quarantine.held.isEmpty { add(Line(.ok, .history, "quarantine", "no item")) }
    for entry in quarantine.held {
      add(
        Line(
          .warning, .history, "quarantine",
          "\(entry.error.subject): \(entry.error.message) (error \(entry.error.number))",
          remedy: entry.error.remedy))
    }
    switch loop.mode {
    case .normal:
      add(
        Line(
          .ok, .history, "mode", loop.deaths.isEmpty ? "normal" : "normal; \(loop.deaths.count) deaths in ten minutes"))
    case .safe:
      add(
        Line(
          .warning, .history, "mode", "safe mode: decoders in software, the last good configuration",
          remedy: "it ends by itself after ten minutes without a death; see the crash reports"))
    case .card:
      add(
        Line(
          .problem, .history, "mode", "nothing plays: it died in safe mode too",
          remedy: "see the crash reports; it tries again every five minutes"))
    }
  }
}
