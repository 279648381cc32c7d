internal import Glibc
internal import MainLoop
public import PictureFiles
internal import PlaybackCore

/// Processes that decode pictures for this one, each one picture at a time: as many as pictures are open, and one that waits for the
/// next. Any thread.
public final class PictureHelpers: Sendable {
  /// What such a process may use; every number has its reason here.
  public enum Limit {
    /// The largest picture takes 200 MB, three times: as decoded, turned, on its background; the coefficients of a progressive JPEG, 300.
    /// No more than half of the board's memory: what plays has to have some too.
    public static let memory: UInt64 = {
      let pages = sysconf(Int32(_SC_PHYS_PAGES))
      let size = sysconf(Int32(_SC_PAGESIZE))
      let most: UInt64 = 1 << 30
      return pages > 0 && size > 0 ? min(most, UInt64(pages) * UInt64(size) / 2) : most
    }()
    /// Of the processor, for one picture or frame. The player is far stricter: this ends one whose player has gone.
    public static let processor: UInt64 = 600
    /// Decoders, fonts and their lists.
    public static let files: UInt64 = 64
  }

  /// For how long a file that has been the end of a decoder isn't tried again: each try would hold the screen for as long as the
  /// first. Then something else may have been the matter.
  private static let patience: Duration = .seconds(3600)
  /// As many such files are remembered: more than one list of bad files has.
  private static let mostKnown = 64

  private let program: String
  private let arguments: [String]
  let firstFrame: Duration
  private let idle = Locked<PictureProcess?>(nil)
  private let known = Locked<[Known]>([])

  private struct Known: Sendable {
    var mark: Int
    var count: Int
    var problem: PictureProblem
    var until: Instant
  }

  /// - Parameters:
  ///   - program: path of a file that knows `picture-part`.
  ///   - firstFrame: of the processor's time, how much the first frame may take.
  public init(
    program: String, arguments: [String] = ["picture-part"], firstFrame: Duration = PictureLimits.time
  ) {
    self.program = program
    self.arguments = arguments
    self.firstFrame = firstFrame
  }

  /// Starts a process where none waits.
  public func warmUp() {
    guard idle.withLock({ $0 == nil }), let process = try? start() else { return }
    takeBack(process)
  }

  /// The same as `PictureFrames` does, whatever the file does to who decodes it.
  ///
  /// - Throws: what that throws; `takesTooLong`, `endedDecoder`, `noProcess`.
  public func open(
    _ bytes: [UInt8], _ header: PictureHeader, background: UInt32, _ request: PictureRequest
  ) throws(PictureProblem) -> any PictureSource {
    if let problem = problem(of: bytes) { throw problem }
    do throws(PictureProblem) {
      while true {
        let process = try lend()
        let hasServed = process.served > 0
        do throws(PictureProcess.Stop) {
          return try RemotePicture(bytes, header, background: background, request, process, of: self)
        } catch {
          // What the pictures before it have used up isn't this one's doing: decoders lose memory of pictures that are damaged.
          switch error {
          case .ended where hasServed, .told(.damaged, _) where hasServed: continue
          default: break
          }
          throw error.problem(header.format)
        }
      }
    } catch {
      remember(error, bytes)
      throw error
    }
  }

  private func start() throws(ProcessEnd) -> PictureProcess { PictureProcess(try SpawnedProcess(program, arguments)) }

  private func lend() throws(PictureProblem) -> PictureProcess {
    let waiting = idle.withLock { idle in
      defer { idle = nil }
      return idle
    }
    if let waiting { return waiting }
    do throws(ProcessEnd) { return try start() } catch {
      guard case .notStarted(let code) = error else { throw .noProcess("it ended at once") }
      throw .noProcess("it can't be started: system error \(code)")
    }
  }

  /// It has nothing to do any more. One waits; another one ends with its last reference, out of the lock.
  func takeBack(_ process: PictureProcess) {
    idle.withLock { idle in
      if idle == nil { idle = process }
    }
  }

  // MARK: Files that were the end of a decoder

  private func problem(of bytes: [UInt8]) -> PictureProblem? {
    // Most of the time there is none, and nothing has to be counted.
    guard known.withLock({ !$0.isEmpty }) else { return nil }
    let (mark, now) = (Self.mark(of: bytes), PictureClock.now)
    return known.withLock { known in
      known.removeAll { $0.until <= now }
      return known.first { $0.mark == mark && $0.count == bytes.count }?.problem
    }
  }

  func remember(_ problem: PictureProblem, _ bytes: [UInt8]) {
    switch problem {
    case .takesTooLong, .endedDecoder: break
    case .notAPicture, .tooManyPixels, .tooManyBytes, .noDecoder, .damaged, .noProcess, .cancelled: return
    }
    let mark = Self.mark(of: bytes)
    known.withLock { known in
      known.removeAll { $0.mark == mark && $0.count == bytes.count }
      if known.count >= Self.mostKnown { known.removeFirst() }
      known.append(
        Known(mark: mark, count: bytes.count, problem: problem, until: PictureClock.now + Self.patience))
    }
  }

  /// Of this process alone: nobody can make two files of one mark.
  private static func mark(of bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// A picture that another process has open.
final class RemotePicture: PictureSource {
  private let helpers: PictureHelpers
  private let format: PictureFormat
  private let request: PictureRequest
  /// Nil once it has failed, or isn't needed any more. After a failure it has ended: nobody knows what it has left behind.
  private var process: PictureProcess?
  /// What the process had used before this picture.
  private let usedBefore: Duration?
  /// The first frame, until it is asked for: only then is it known whether a process can do it, or another one has to. Of a picture that
  /// stands still it is the only one, and its process is free for the next picture.
  private var first: Bitmap?
  private let isStill: Bool

  init(
    _ bytes: [UInt8], _ header: PictureHeader, background: UInt32, _ request: PictureRequest, _ process: PictureProcess,
    of helpers: PictureHelpers
  ) throws(PictureProcess.Stop) {
    self.helpers = helpers
    format = header.format
    self.request = request
    self.process = process
    usedBefore = process.processorTime
    isStill = header.animation == nil
    process.served += 1
    let watch = watch(process, after: .zero)
    do throws(PictureProcess.Stop) {
      try process.send(.open(background: background, count: bytes.count), watch)
      try process.send(bytes, watch)
      try answer(process, watch) { $0 == .opened }
      first = try frame(0, of: process, watch)
    } catch {
      self.process = nil
      throw error
    }
    if isStill { free() }
  }

  deinit { free() }

  /// The next picture may have the process.
  private func free() {
    guard let process else { return }
    self.process = nil
    // One that doesn't even take that isn't asked again.
    guard (try? process.send(.close, watch(process, after: .zero))) != nil else { return }
    helpers.takeBack(process)
  }

  func frame(_ index: Int, after shown: Duration) throws(PictureProblem) -> Bitmap {
    if let first, isStill || index == 0 {
      if !isStill { self.first = nil }
      return first
    }
    guard let process else { throw .damaged(format, detail: "it has failed before") }
    do throws(PictureProcess.Stop) {
      return try frame(index, of: process, watch(process, after: shown))
    } catch {
      self.process = nil
      throw error.problem(format)
    }
  }

  private func frame(_ index: Int, of process: PictureProcess, _ watch: () -> PictureProcess.Stop?)
    throws(PictureProcess.Stop) -> Bitmap
  {
    try process.send(.frame(index), watch)
    var found: (size: PixelSize, isFourBytes: Bool)?
    try answer(process, watch) { answer in
      guard case .pixels(let size, let isFourBytes) = answer else { return false }
      found = (size, isFourBytes)
      return true
    }
    guard let found else { throw .nonsense }
    let count = PictureAnswer.stride(found.size, isFourBytes: found.isFourBytes) * found.size.height
    guard let memory = SharedPixels(count: count) else { throw .noMemory }
    try process.send(.memory, watch)
    guard memory.send(to: process.socket) else { throw .noMemory }
    try answer(process, watch) { $0 == .done }
    guard let bitmap = Bitmap(memory, size: found.size, isFourBytes: found.isFourBytes) else { throw .noMemory }
    return bitmap
  }

  /// Answers questions until an answer comes that is waited for.
  private func answer(
    _ process: PictureProcess, _ watch: () -> PictureProcess.Stop?, _ isWanted: (PictureAnswer) -> Bool
  ) throws(PictureProcess.Stop) {
    while true {
      let answer = try process.answer(watch)
      if case .wantsSize(let size) = answer {
        try process.send(.size(size.isEmpty ? nil : request.size(size)), watch)
      } else if case .failed(let failure, let count) = answer {
        throw .told(
          failure, detail: PlainText.shown(String(decoding: try process.receive(count, watch), as: UTF8.self)))
      } else {
        guard isWanted(answer) else { throw .nonsense }
        return
      }
    }
  }

  /// - Parameter shown: how long the frames so far are shown.
  /// - Returns: why nobody waits any longer; asked now and then.
  private func watch(_ process: PictureProcess, after shown: Duration) -> () -> PictureProcess.Stop? {
    let allowed = PictureLimits.time(
      of: format, shown: shown, processors: sysconf(Int32(_SC_NPROCESSORS_ONLN)), first: helpers.firstFrame)
    let end = PictureClock.now + PictureLimits.longestWait
    let (isCancelled, usedBefore) = (request.isCancelled, usedBefore)
    return {
      if isCancelled() { return .cancelled }
      if let used = process.processorTime, let usedBefore, used - usedBefore > allowed { return .tooLong }
      return PictureClock.now > end ? .tooLong : nil
    }
  }
}
