internal import FoundationEssentials
internal import Glibc
internal import KioskCore
internal import MainLoop
public import MediaPipeline
public import PlaybackCore
internal import Supervision

/// Opens media to find out what they are, in a process of their own: a file that crashes a demultiplexer or a decoder, or that
/// takes all memory, ends that process and is an answer. One process serves all items until it dies of one; it starts with the first.
///
/// Blocks; not on the loop. Any thread, one call at a time.
public final class MediaProber: Sendable {
  /// Every number has its reason here.
  public enum Limit {
    /// A film of 8K in software holds some 600 MB of frames; what needs more isn't for a kiosk.
    public static let memory: UInt64 = 1 << 30
    /// Of the processor, for all items of a process: as long as 20 items at the deadline of a reload.
    public static let processor: UInt64 = 120
    /// Folders of subtitles, plug-ins, a film.
    public static let files: UInt64 = 256
    /// How much longer the first item of a process may take: its plug-ins are loaded with it, from a slow card.
    static let warmingUp: Duration = .seconds(10)
    /// How much longer than the probe itself may take we wait.
    static let patience: Duration = .seconds(5)
  }

  private let program: String
  private let avoided: @Sendable () -> Avoided
  /// Those that may use the network, and those that may not.
  private let children = Locked<[Bool: Child]>([:])

  /// `ChildPipe` is used inside of the lock alone.
  private struct Child: @unchecked Sendable {
    var pipe: ChildPipe
    var served = 0
  }

  /// Decoders that aren't to be used: what the player doesn't use says nothing of what it can play.
  public struct Avoided: Hashable, Sendable {
    public var names: [String]
    /// None in hardware.
    public var isSoftwareOnly: Bool

    public init(_ names: [String] = [], isSoftwareOnly: Bool = false) {
      self.names = names
      self.isSoftwareOnly = isSoftwareOnly
    }

    /// Those of a run: of the board's profile, those that gave no picture lately, and in safe mode all in hardware.
    public init(_ options: KioskOptions) {
      self.init(
        options.decoders.avoided.sorted() + (options.decoderRecord?.avoided ?? []),
        isSoftwareOnly: options.survival?.mode == .safe)
    }

    var words: [String] { names.flatMap { ["--avoid", $0] } + (isSoftwareOnly ? ["--software"] : []) }
  }

  /// - Parameters:
  ///   - program: the file of this program; it knows `probe-part`.
  ///   - avoided: asked when a process starts.
  public init(program: String = "/proc/self/exe", avoiding avoided: @escaping @Sendable () -> Avoided = { Avoided() }) {
    self.program = program
    self.avoided = avoided
  }

  /// The same as `MediaProbe.open`, whatever the medium does to who opens it.
  ///
  /// - Throws: what that throws; 3041 where the process has died of it, 7514 where there is none to be had, 7516 where it has used up what a
  ///   process for probes may have, which says nothing against the item.
  public func open(
    _ item: MediaItem, limit: Duration = MediaProbe.limit, access: ServerAccess = ServerAccess()
  ) throws(VitrineError) -> MediaFacts {
    // A list on this machine may name parts on a server.
    let hasNetwork = item.isRemote || item.kind == .adaptive
    let answer = children.withLock { children in
      Result { () throws(VitrineError) -> [UInt8] in
        while true {
          do throws(ChildPipe.End) {
            return try ask(item, limit, access, hasNetwork, &children[hasNetwork])
          } catch {
            let served = children[hasNetwork]?.served ?? 0
            children[hasNetwork] = nil
            // What the items before it have used up isn't this one's doing: a fresh process says more. One that didn't come back
            // has had its time.
            if served > 0, error != .timedOut { continue }
            throw Self.died(error, item)
          }
        }
      }
    }
    let bytes = Data(try answer.get())
    guard let answer = try? JSONDecoder().decode(ProbeAnswer.self, from: bytes) else {
      throw Self.unusable(item, "it gave no answer that makes sense")
    }
    if let facts = answer.facts { return facts }
    throw answer.error ?? Self.unusable(item, "it gave no answer that makes sense")
  }

  private func ask(
    _ item: MediaItem, _ limit: Duration, _ access: ServerAccess, _ hasNetwork: Bool, _ known: inout Child?
  ) throws(ChildPipe.End) -> [UInt8] {
    var limit = limit
    var child: Child
    if let known {
      child = known
    } else {
      limit += Limit.warmingUp
      let words = ["probe-part"] + (hasNetwork ? ["--network"] : []) + avoided().words
      child = Child(pipe: try ChildPipe(program, words))
    }
    known = child
    let request = ProbeRequest(item: item, seconds: limit.inSeconds, access: access)
    guard let line = try? JSONEncoder().encode(request) else { throw .notStarted(0) }
    let answer = try child.pipe.ask(Array(line), patience: limit + Limit.patience)
    child.served += 1
    known = child
    return answer
  }

  /// The processes end; the next item starts another.
  public func rest() { children.withLock { $0 = [:] } }

  private static func died(_ end: ChildPipe.End, _ item: MediaItem) -> VitrineError {
    switch end {
    case .notStarted(let code): unusable(item, "it can't be started: system error \(code)")
    case .exited(let code):
      ProbePart.Spent(exitCode: code).map { SurvivalErrors.probeSpent(item.uri, $0.text) }
        ?? unusable(item, "it ended with \(code)")
    case .timedOut: SurvivalErrors.probe(item.uri, "didn't come back and was ended")
    case .signalled(SIGXCPU): SurvivalErrors.probeSpent(item.uri, "\(Limit.processor) s of the processor")
    // Nothing of ours sends that, and no file does: the board has no memory left, or somebody wanted it to end.
    case .signalled(SIGKILL): SurvivalErrors.probeSpent(item.uri, "what memory there was, or was killed")
    case .signalled(let signal): SurvivalErrors.probe(item.uri, "died by \(SignalName.text(signal))")
    }
  }

  private static func unusable(_ item: MediaItem, _ reason: String) -> VitrineError {
    VitrineError(
      SurvivalErrors.noProbe, subject: item.uri, message: "what looks into media doesn't work: \(reason)",
      remedy: "free memory, and see the limits of the service")
  }
}

/// What the process is asked, a line each.
struct ProbeRequest: Codable {
  var item: MediaItem
  var seconds: Double
  var access: ServerAccess
}

/// What it answers.
struct ProbeAnswer: Codable {
  var facts: MediaFacts?
  var error: VitrineError?
}

/// The other side: `vitrine probe-part`.
public enum ProbePart {
  /// Answers lines until there are none. GStreamer is started by then, and what is taken from the process is gone.
  ///
  /// - Parameter line: the next one; nil at the end.
  /// - Returns: without a line break, and whether it tells of a failure.
  public static func answer(_ line: [UInt8]) -> (line: [UInt8], isFailure: Bool) {
    var answer = ProbeAnswer()
    do {
      let request = try JSONDecoder().decode(ProbeRequest.self, from: Data(line))
      do throws(VitrineError) {
        answer.facts = try MediaProbe.open(
          request.item, limit: .seconds(request.seconds), servers: ServerSetup(access: request.access))
      } catch {
        answer.error = error
      }
    } catch {
      answer.error = VitrineError(
        SurvivalErrors.noProbe, subject: "probe-part", message: "this is no question", remedy: "report this as a bug",
        detail: "\(error)")
    }
    return ((try? JSONEncoder().encode(answer)).map { Array($0) } ?? Array("{}".utf8), answer.facts == nil)
  }

  /// What the process had no more of when it ended. sandbox.h has the codes.
  struct Spent: OptionSet {
    let rawValue: Int32
    static let files = Spent(rawValue: 1)
    static let memory = Spent(rawValue: 2)

    private static let code: Int32 = 100

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// Nil for another end.
    init?(exitCode: Int32) {
      guard (1...3).contains(exitCode - Self.code) else { return nil }
      self.init(rawValue: exitCode - Self.code)
    }

    var text: String {
      contains(.memory) ? "\(MediaProber.Limit.memory >> 20) MB of memory" : "\(MediaProber.Limit.files) open files"
    }
  }
}
