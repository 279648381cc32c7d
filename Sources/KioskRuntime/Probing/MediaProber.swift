internal import FoundationEssentials
internal import Glibc
internal import KioskCore
internal import MainLoop
public import MediaPipeline
public import PlaybackCore
internal import Supervision

/// Opens media in another process to find out their contents: a file that crashes a demultiplexer or a decoder, or
/// takes all memory, ends that process only, and the end is the answer. One process serves all items until one of them
/// ends it; it starts with the first item.
///
/// Blocks; not on the loop. Any thread, one call at a time.
public final class MediaProber: Sendable {
  /// The limits of the process, each with its reason.
  public enum Limit {
    /// In bytes. A film of 8K in software holds some 600 MB of frames; a larger need isn't for a kiosk.
    public static let memory: UInt64 = 1 << 30
    /// In seconds of processor time, for all items of a process: as long as 20 items at the deadline of a reload.
    public static let processor: UInt64 = 120
    /// Open files: folders of subtitles, plug-ins, a film.
    public static let files: UInt64 = 256
    /// Added to the time of a process's first item: it loads the plug-ins, from a slow card.
    static let warmingUp: Duration = .seconds(10)
    /// Added to the probe's own time limit before the process is ended.
    static let patience: Duration = .seconds(5)
  }

  private let program: String
  private let avoided: @Sendable () -> Avoided
  private let isIdle: Bool
  /// The processes, by whether they may use the network.
  private let children = Locked<[Bool: Child]>([:])

  /// Safe, because `ChildPipe` is only used inside the lock.
  private struct Child: @unchecked Sendable {
    var pipe: ChildPipe
    var served = 0
  }

  /// The decoders to leave out: those that the player doesn't use don't show what it can play.
  public struct Avoided: Hashable, Sendable {
    public var names: [String]
    /// Whether all hardware decoders are left out.
    public var isSoftwareOnly: Bool

    public init(_ names: [String] = [], isSoftwareOnly: Bool = false) {
      self.names = names
      self.isSoftwareOnly = isSoftwareOnly
    }

    /// The decoders that a run leaves out: by the board's profile, for a recent failure, and in safe mode all hardware
    /// decoders.
    public init(_ options: KioskOptions) {
      self.init(
        options.decoders.avoided.sorted() + (options.decoderRecord?.avoided ?? []),
        isSoftwareOnly: options.survival?.mode == .safe)
    }

    var words: [String] { names.flatMap { ["--avoid", $0] } + (isSoftwareOnly ? ["--software"] : []) }
  }

  /// - Parameters:
  ///   - program: this program's file; it knows `probe-part`.
  ///   - avoided: asked for each time a process starts.
  ///   - isIdle: whether the processes run only when nothing else does.
  public init(
    program: String = "/proc/self/exe", isIdle: Bool = false,
    avoiding avoided: @escaping @Sendable () -> Avoided = { Avoided() }
  ) {
    self.program = program
    self.isIdle = isIdle
    self.avoided = avoided
  }

  /// Opens a medium as `MediaProbe.open` does, but protected from what the medium does to the process that opens it.
  ///
  /// - Throws: an error of `MediaProbe.open`; 3041 where the process crashed, 7514 where it can't be started, 7516
  ///   where it has used up its limits, which says nothing against the item.
  public func open(
    _ item: MediaItem, limit: Duration = MediaProbe.limit, access: ServerAccess = ServerAccess()
  ) throws(VitrineError) -> MediaFacts {
    let request = ProbeRequest(item: item, seconds: limit.inSeconds, access: access)
    // A local list may name parts on a server.
    let answer = try ask(request, patience: limit, hasNetwork: item.isRemote || item.kind == .adaptive)
    if let facts = answer.facts { return facts }
    throw answer.error ?? Self.nonsense(item)
  }

  /// Opens a film in a file, or a picture, and makes a small picture of it, protected as in `open`. Never gets the
  /// network.
  ///
  /// - Parameters:
  ///   - box: the size in pixels that the picture fits in.
  ///   - limit: for opening, and as much again for the picture.
  /// - Throws: as `open`.
  func film(
    _ item: MediaItem, in box: PixelSize, limit: Duration
  ) throws(VitrineError) -> (facts: FilmFacts, image: PosterImage?) {
    var request = ProbeRequest(item: item, seconds: limit.inSeconds, access: ServerAccess())
    request.box = box
    let answer = try ask(request, patience: limit * 2 + Limit.warmingUp, hasNetwork: false)
    guard let film = answer.film else { throw answer.error ?? Self.nonsense(item) }
    // Its decoder hangs in there, and may take time from the next film.
    if film.isLate { rest() }
    guard let picture = film.picture else { return (film.facts, nil) }
    // A process that a film has taken over may send anything: only a picture of a size that was asked for counts.
    guard picture.size.width <= box.width, picture.size.height <= box.height,
      let image = PosterImage(size: picture.size, planes: Array(picture.planes))
    else { throw Self.nonsense(item) }
    return (film.facts, image)
  }

  private func ask(
    _ request: ProbeRequest, patience: Duration, hasNetwork: Bool
  ) throws(VitrineError) -> ProbeAnswer {
    let item = request.item
    let answer = children.withLock { children in
      Result { () throws(VitrineError) -> [UInt8] in
        while true {
          do throws(ChildPipe.End) {
            return try ask(request, patience, hasNetwork, &children[hasNetwork])
          } catch {
            let served = children[hasNetwork]?.served ?? 0
            children[hasNetwork] = nil
            // Earlier items may have used up the process's limits: a fresh process tells more. An item whose time is
            // over isn't tried again.
            if served > 0, error != .timedOut { continue }
            throw Self.died(error, item)
          }
        }
      }
    }
    let bytes = Data(try answer.get())
    guard let answer = try? JSONDecoder().decode(ProbeAnswer.self, from: bytes) else { throw Self.nonsense(item) }
    return answer
  }

  private func ask(
    _ request: ProbeRequest, _ patience: Duration, _ hasNetwork: Bool, _ known: inout Child?
  ) throws(ChildPipe.End) -> [UInt8] {
    var (request, patience) = (request, patience)
    var child: Child
    if let known {
      child = known
    } else {
      request.seconds += Limit.warmingUp.inSeconds
      patience += Limit.warmingUp
      let words =
        ["probe-part"] + (hasNetwork ? ["--network"] : []) + (isIdle ? ["--idle"] : []) + avoided().words
      child = Child(pipe: try ChildPipe(program, words))
    }
    known = child
    guard let line = try? JSONEncoder().encode(request) else { throw .notStarted(0) }
    let answer = try child.pipe.ask(Array(line), patience: patience + Limit.patience)
    child.served += 1
    known = child
    return answer
  }

  /// Ends the processes; the next item starts another one.
  public func rest() { children.withLock { $0 = [:] } }

  private static func died(_ end: ChildPipe.End, _ item: MediaItem) -> VitrineError {
    switch end {
    case .notStarted(let code): unusable(item, "it can't be started: system error \(code)")
    case .exited(let code):
      ProbePart.Spent(exitCode: code).map { SurvivalErrors.probeSpent(item.uri, $0.text) }
        ?? unusable(item, "it ended with \(code)")
    case .timedOut: SurvivalErrors.probe(item.uri, "didn't come back and was ended")
    case .signalled(SIGXCPU): SurvivalErrors.probeSpent(item.uri, "\(Limit.processor) s of the processor")
    // The player doesn't send SIGKILL here, and a file can't cause it: the board is out of memory, or somebody killed
    // the process.
    case .signalled(SIGKILL): SurvivalErrors.probeSpent(item.uri, "what memory there was, or was killed")
    case .signalled(let signal): SurvivalErrors.probe(item.uri, "died by \(SignalName.text(signal))")
    }
  }

  private static func nonsense(_ item: MediaItem) -> VitrineError {
    unusable(item, "it gave no answer that makes sense")
  }

  private static func unusable(_ item: MediaItem, _ reason: String) -> VitrineError {
    VitrineError(
      SurvivalErrors.noProbe, subject: item.uri, message: "the process that probes media doesn't work: \(reason)",
      remedy: "free memory, and see the limits of the service")
  }
}

/// A request to the process, on one line.
struct ProbeRequest: Codable {
  var item: MediaItem
  var seconds: Double
  var access: ServerAccess
  /// Asks for a small picture that fits in there, in pixels.
  var box: PixelSize?
}

/// The process's answer, on one line.
struct ProbeAnswer: Codable {
  var facts: MediaFacts?
  var error: VitrineError?
  /// The answer to a request with a box.
  var film: Film?

  struct Film: Codable {
    var facts: FilmFacts
    var picture: Picture?
    /// Whether a decoder of this film still runs.
    var isLate = false
  }

  /// As in `PosterImage`. `Data` is one text in JSON; an array of bytes would be as many numbers.
  struct Picture: Codable {
    var size: PixelSize
    var planes: Data
  }
}

/// The process's side: `vitrine probe-part`.
public enum ProbePart {
  /// Answers one request. GStreamer has been started, and the process is confined by then.
  ///
  /// - Parameter line: the request.
  /// - Returns: the answer without a line break, and whether it reports a failure.
  public static func answer(_ line: [UInt8]) -> (line: [UInt8], isFailure: Bool) {
    var answer = ProbeAnswer()
    do {
      let request = try JSONDecoder().decode(ProbeRequest.self, from: Data(line))
      do throws(VitrineError) {
        if let box = request.box {
          let found = try PosterProbe.open(request.item, in: box, limit: .seconds(request.seconds))
          let picture = found.image.map { ProbeAnswer.Picture(size: $0.size, planes: Data($0.planes)) }
          answer.film = ProbeAnswer.Film(facts: found.facts, picture: picture, isLate: found.isLate)
        } else {
          answer.facts = try MediaProbe.open(
            request.item, limit: .seconds(request.seconds), servers: ServerSetup(access: request.access))
        }
      } catch {
        answer.error = error
      }
    } catch {
      answer.error = VitrineError(
        SurvivalErrors.noProbe, subject: "probe-part", message: "this is no question", remedy: "report this as a bug",
        detail: "\(error)")
    }
    let line = (try? JSONEncoder().encode(answer)).map { Array($0) } ?? Array("{}".utf8)
    return (line, answer.facts == nil && answer.film == nil)
  }

  /// The limits that the process had reached when it ended. sandbox.h has the codes.
  struct Spent: OptionSet {
    let rawValue: Int32
    static let files = Spent(rawValue: 1)
    static let memory = Spent(rawValue: 2)

    private static let code: Int32 = 100

    init(rawValue: Int32) { self.rawValue = rawValue }

    /// Nil for any other exit code.
    init?(exitCode: Int32) {
      guard (1...3).contains(exitCode - Self.code) else { return nil }
      self.init(rawValue: exitCode - Self.code)
    }

    var text: String {
      contains(.memory) ? "\(MediaProber.Limit.memory >> 20) MB of memory" : "\(MediaProber.Limit.files) open files"
    }
  }
}
