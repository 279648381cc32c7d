internal import FileSystem
internal import Glibc
internal import MainLoop
public import PictureFiles
public import PlaybackCore

/// Manages the processes that decode pictures for this one, each one picture at a time: one process for each open
/// picture, and one that waits for the next. Any thread.
public final class PictureHelpers: Sendable {
  /// The resource limits of such a process, each with its reason.
  public enum Limit {
    /// The largest picture takes 200 MB three times, as decoded, turned, and on its background, or 300 MB for the
    /// coefficients of a progressive JPEG. At most half of the board's memory: playback needs some too.
    public static let memory: UInt64 = {
      let pages = sysconf(Int32(_SC_PHYS_PAGES))
      let size = sysconf(Int32(_SC_PAGESIZE))
      let most: UInt64 = 1 << 30
      return pages > 0 && size > 0 ? min(most, UInt64(pages) * UInt64(size) / 2) : most
    }()
    /// Seconds of processor time for one picture or frame. The player's own limit is far stricter: this one ends a
    /// process whose player has gone.
    public static let processor: UInt64 = 600
    /// Open files: decoders, fonts and their lists.
    public static let files: UInt64 = 64
  }

  /// How long a file that has crashed a decoder isn't tried again: each attempt would hold up the screen for as long as
  /// the first. After that the file is tried again, as something else may have caused the crash.
  private static let patience: Duration = .seconds(3600)
  /// The most such files that are remembered: more than a list of bad files has.
  private static let mostKnown = 64

  private let programs: [String]
  private let arguments: [String]
  /// The index of the program that is started. The programs before it can't be started, or use another version of the
  /// messages.
  private let current = Locked(0)
  let firstFrame: Duration
  private let idle = Locked<Spare?>(nil)
  private let known = Locked<[Known]>([])

  private struct Known: Sendable {
    var mark: Int
    var count: Int
    var problem: PictureProblem
    var until: Instant
  }

  /// - Parameters:
  ///   - programs: paths of programs that understand `PictureChild.arguments`, the preferred one first.
  ///   - firstFrame: the limit of processor time for the first frame.
  public init(
    programs: [String], arguments: [String] = PictureChild.arguments, firstFrame: Duration = PictureLimits.time
  ) {
    self.programs = programs
    self.arguments = arguments
    self.firstFrame = firstFrame
  }

  /// - Parameter program: path of `vitrine`, which is used where the small program is missing.
  convenience init(beside program: String, firstFrame: Duration = PictureLimits.time) {
    self.init(programs: Self.small(beside: program) + [program], firstFrame: firstFrame)
  }

  /// Paths of the small program, which starts in a tenth of the time: beside `vitrine`, or where packages install it.
  static func small(beside program: String) -> [String] {
    guard let path = realpath(program, nil) else { return [] }
    defer { free(path) }
    let folder = String(cString: path).split(separator: "/").dropLast()
    let places = [folder, folder.dropLast() + ["lib", "vitrine"]]
    return places.map { "/" + ($0 + ["vitrine-pictures"]).joined(separator: "/") }.filter(FileTree.isProgram)
  }

  /// Starts a process where none is waiting. Starting blocks the calling thread until the program is loaded, so a
  /// separate thread does it: this one has its own first frame to prepare.
  ///
  /// - Parameter format: of the first picture, where it is known.
  public func warmUp(_ format: PictureFormat? = nil) {
    idle.withLock { idle in
      guard idle == nil else { return }
      // If no thread can be made, the process is started when it is needed.
      idle = (try? PictureStart { () throws(ProcessEnd) in try self.start(format) }).map { .starting($0) }
    }
  }

  /// Opens a picture as `PictureFrames` does, in a separate process.
  ///
  /// - Throws: the errors of `PictureFrames`; also `takesTooLong`, `endedDecoder`, `noProcess`.
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
          if error.isOfProgram, giveUp(process.program) { continue }
          // A process that has decoded other pictures may have run out of memory by their fault, because decoders leak
          // memory with damaged pictures: the picture gets a new process.
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

  private func start(_ format: PictureFormat? = nil) throws(ProcessEnd) -> PictureProcess {
    let arguments = arguments + (format.map { [$0.rawValue] } ?? [])
    while true {
      let program = current.withLock { $0 }
      do throws(ProcessEnd) {
        return PictureProcess(try SpawnedProcess(programs[program], arguments), of: program)
      } catch {
        guard giveUp(program) else { throw error }
      }
    }
  }

  /// Switches to the next program.
  ///
  /// - Returns: false where there is no other program.
  private func giveUp(_ program: Int) -> Bool {
    guard program + 1 < programs.count else { return false }
    current.withLock { $0 = max($0, program + 1) }
    return true
  }

  private func lend() throws(PictureProblem) -> PictureProcess {
    let spare = idle.withLock { idle in
      defer { idle = nil }
      return idle
    }
    do throws(ProcessEnd) {
      switch spare {
      case .waiting(let process): return process
      case .starting(let start): return try start.process()
      case nil: return try start()
      }
    } catch {
      guard case .notStarted(let code) = error else { throw .noProcess("it ended at once") }
      throw .noProcess("it can't be started: system error \(code)")
    }
  }

  /// Takes a process back that has finished its picture. One is kept waiting; any other one ends with its last
  /// reference, outside of the lock.
  func recycle(_ process: PictureProcess) {
    idle.withLock { idle in
      if idle == nil { idle = .waiting(process) }
    }
  }

  // MARK: Files that have crashed a decoder

  private func problem(of bytes: [UInt8]) -> PictureProblem? {
    // Mostly the list is empty, and the file needn't be hashed.
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

  /// The file's hash, seeded for this process, so that files with equal hashes can't be constructed.
  private static func mark(of bytes: [UInt8]) -> Int {
    var hasher = Hasher()
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

/// The process that is started before it is needed.
private enum Spare: Sendable {
  case starting(PictureStart)
  case waiting(PictureProcess)
}

/// A process that is started on a separate thread.
private final class PictureStart: Sendable {
  private let (ended, outcome) = (Alarm(), Locked<Result<PictureProcess, ProcessEnd>?>(nil))

  init(_ start: @escaping @Sendable () throws(ProcessEnd) -> PictureProcess) throws(MainLoopError) {
    let (ended, outcome) = (ended, outcome)
    try Thread.start {
      let started = Result(catching: start)
      outcome.withLock { $0 = started }
      ended.wake()
    }
  }

  /// Waits for the process. Call once.
  func process() throws(ProcessEnd) -> PictureProcess {
    while true {
      if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
      ended.sleep(until: nil)
    }
  }
}

/// A picture that is open in another process.
final class RemotePicture: PictureSource {
  private let helpers: PictureHelpers
  private let format: PictureFormat
  private let request: PictureRequest
  /// Nil once it has failed, or is no longer needed. After a failure the process is ended: its state is unknown.
  private var process: PictureProcess?
  /// The processor time that the process had used before this picture.
  private let usedBefore: Duration?
  /// The first frame, until it is asked for: decoding it early shows whether the process can decode the file at all. A
  /// still picture has no other frame, and its process is free for the next picture.
  private var first: Bitmap?
  private let isStill: Bool
  /// Memory for the first frame, made while it is decoded.
  private var room: SharedPixels?
  private var hasMadeRoom = false

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
      try process.send(file: bytes, watch)
      try answer(process, watch) { $0 == .opened }
      first = try frame(0, of: process, watch)
    } catch {
      self.process = nil
      throw error
    }
    room = nil
    if isStill { free() }
  }

  deinit { free() }

  /// Releases the process for another picture.
  private func free() {
    guard let process else { return }
    self.process = nil
    // A process that doesn't accept the message isn't used again.
    guard (try? process.send(.close, watch(process, after: .zero))) != nil else { return }
    helpers.recycle(process)
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
    guard let memory = reuseRoom(count) ?? SharedPixels(count: count) else { throw .noMemory }
    try process.send(.memory, watch)
    try process.send(memory, watch)
    try answer(process, watch) { $0 == .done }
    guard let bitmap = Bitmap(memory, size: found.size, isFourBytes: found.isFourBytes) else { throw .noMemory }
    return bitmap
  }

  /// Allocates memory for the first frame, while the decoder is busy and this thread is idle. It has room for four
  /// bytes a pixel, and for the turned picture; the pages that most pictures need are populated: three bytes a pixel,
  /// or four for SVG.
  private func makeRoom(_ size: PixelSize) {
    guard !hasMadeRoom, PictureLimits.allow(size), size.width * size.height * 4 <= Self.mostRoom else { return }
    hasMadeRoom = true
    let turned = PixelSize(width: size.height, height: size.width)
    room = SharedPixels(
      count: [size, turned].map { PictureAnswer.stride($0, isFourBytes: true) * $0.height }.max() ?? 0)
    room?.populate(PictureAnswer.stride(size, isFourBytes: format == .svg) * size.height)
  }

  private func reuseRoom(_ count: Int) -> SharedPixels? {
    defer { room = nil }
    return room.flatMap { $0.bytes.count >= count ? $0 : nil }
  }

  /// The most bytes that are allocated before the decoder has shown that there is a picture: those of a 4K screen. A
  /// larger picture waits for its memory.
  private static let mostRoom = 3840 * 2160 * 4

  /// Answers the decoder's questions until the awaited answer comes.
  private func answer(
    _ process: PictureProcess, _ watch: () -> PictureProcess.Stop?, _ isWanted: (PictureAnswer) -> Bool
  ) throws(PictureProcess.Stop) {
    while true {
      let answer = try process.answer(watch)
      if case .wantsSize(let size) = answer {
        let wanted = size.isEmpty ? nil : request.size(size)
        try process.send(.size(wanted), watch)
        if let wanted { makeRoom(wanted) }
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
  /// - Returns: a function that is asked now and then, and returns the reason to stop waiting.
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
