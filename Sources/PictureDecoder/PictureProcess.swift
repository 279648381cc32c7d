internal import CPictures
internal import Glibc
internal import MainLoop
internal import PictureFiles
internal import PlaybackCore

/// The player's side of a process that decodes one picture after the other; see `PictureQuestion`.
///
/// `@unchecked Sendable` holds because it has one owner at a time, which alone calls it: `PictureHelpers` keeps an idle
/// process under a lock, and hands it over as a whole.
final class PictureProcess: @unchecked Sendable {
  /// The reason for which no answer has come.
  enum Stop: Error {
    /// The process reports a failure, and can be used again.
    case told(PictureAnswer.Failure, detail: String)
    case ended(ProcessEnd)
    case tooLong
    case cancelled
    /// The process has sent an invalid message, and may be under a file's control.
    case nonsense
    case noMemory

    /// Whether the program is at fault and not the file: it uses another version of the messages, or a library is
    /// missing (status 127).
    var isOfProgram: Bool {
      switch self {
      case .ended(.exited(PictureChild.misunderstood)), .ended(.exited(127)): true
      default: false
      }
    }

    func problem(_ format: PictureFormat) -> PictureProblem {
      switch self {
      case .told(.notAPicture, _): .notAPicture
      case .told(.tooManyPixels(let size), _): .tooManyPixels(size)
      case .told(.noDecoder, let detail): .noDecoder(format, detail: detail)
      case .told(.damaged, let detail): .damaged(format, detail: detail)
      case .tooLong: .takesTooLong(format)
      case .cancelled: .cancelled
      case .nonsense: .endedDecoder(format, how: "gave an impossible answer")
      case .noMemory: .damaged(format, detail: "no memory for it")
      case .ended(let end): Self.problem(of: end, format)
      }
    }

    private static func problem(of end: ProcessEnd, _ format: PictureFormat) -> PictureProblem {
      switch end {
      case .notStarted(let code): .noProcess("system error \(code)")
      // The codes of sandbox.h, which say what was used up.
      case .exited(101), .exited(103): .endedDecoder(format, how: "used up \(PictureHelpers.Limit.files) files")
      case .exited(102): .endedDecoder(format, how: "used up \(PictureHelpers.Limit.memory >> 20) MB of memory")
      case .exited(let code): .noProcess("it ended with \(code)")
      case .signalled(SIGKILL): .endedDecoder(format, how: "was killed, probably for want of memory,")
      case .signalled(let signal): .endedDecoder(format, how: "died by signal \(signal)")
      case .timedOut: .endedDecoder(format, how: "took too long")
      }
    }
  }

  /// How many pictures it has decoded.
  var served = 0
  /// The index of its program in the owner's list.
  let program: Int
  private let process: SpawnedProcess

  /// How often a wait checks whether to stop.
  private static let interval: Duration = .milliseconds(50)

  init(_ process: SpawnedProcess, of program: Int) {
    self.process = process
    self.program = program
  }

  private var socket: Int32 { process.socket }
  var processorTime: Duration? { process.processorTime }

  func send(_ question: PictureQuestion, _ watch: () -> Stop?) throws(Stop) {
    let bytes = question.bytes
    var sent = 0
    while sent < bytes.count {
      try wait(POLLOUT, watch)
      let count = bytes.withUnsafeBytes { all in
        all.baseAddress.map {
          Glibc.send(socket, $0 + sent, all.count - sent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        } ?? -1
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw .ended(process.bury(by: nil)) }
      sent += count
    }
  }

  /// Sends the file in shared memory: through the socket it would be copied in portions of the socket's buffer, with a
  /// wait after each.
  func send(file bytes: [UInt8], _ watch: () -> Stop?) throws(Stop) {
    let descriptor = bytes.withUnsafeBytes { all in all.baseAddress.map { vit_pixels_make_file($0, all.count) } ?? -1 }
    guard descriptor >= 0 else { throw .noMemory }
    defer { close(descriptor) }
    try send(descriptor: descriptor, watch)
  }

  func send(_ memory: SharedPixels, _ watch: () -> Stop?) throws(Stop) {
    try send(descriptor: memory.descriptor, watch)
  }

  private func send(descriptor: Int32, _ watch: () -> Stop?) throws(Stop) {
    while true {
      try wait(POLLOUT, watch)
      switch vit_pixels_send(socket, descriptor) {
      case 0: return
      case -EAGAIN: continue
      case -EPIPE, -ECONNRESET: throw .ended(process.bury(by: nil))
      default: throw .noMemory
      }
    }
  }

  func answer(_ watch: () -> Stop?) throws(Stop) -> PictureAnswer {
    guard let answer = PictureAnswer(try receive(PictureQuestion.length, watch)) else { throw .nonsense }
    return answer
  }

  func receive(_ count: Int, _ watch: () -> Stop?) throws(Stop) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var received = 0
    while received < count {
      try wait(POLLIN, watch)
      let more = bytes.withUnsafeMutableBytes { all in
        all.baseAddress.map { recv(socket, $0 + received, count - received, Int32(MSG_DONTWAIT)) } ?? -1
      }
      if more < 0, errno == EINTR || errno == EAGAIN { continue }
      guard more > 0 else { throw .ended(process.bury(by: nil)) }
      received += more
    }
    return bytes
  }

  private func wait(_ events: Int32, _ watch: () -> Stop?) throws(Stop) {
    while !process.isReady(Int16(events), until: PictureClock.now + Self.interval) {
      if let stop = watch() { throw stop }
    }
  }
}

/// Memory that another process fills in. It is sealed: the other process can't shrink it, which would crash the reader.
///
/// `@unchecked Sendable` holds because it only owns the memory; readers allow for contents that change.
final class SharedPixels: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  let descriptor: Int32

  init?(count: Int) {
    let descriptor = vit_pixels_make(count)
    guard descriptor >= 0 else { return nil }
    guard count > 0, let start = vit_pixels_map(descriptor, count) else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit {
    if let start = bytes.baseAddress { vit_pixels_unmap(start, bytes.count) }
    close(descriptor)
  }

  /// Populates the first pages in one go: populating each when it is first written takes both processes twice as long.
  func populate(_ count: Int) {
    if let start = bytes.baseAddress { vit_pixels_populate(start, min(count, bytes.count)) }
  }
}

enum PictureClock {
  /// The current time on the monotonic clock.
  static var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
