internal import CSharedPixels
internal import Glibc
internal import MainLoop
internal import PictureFiles
internal import PlaybackCore

/// A process that decodes one picture after the other; see `PictureQuestion`.
///
/// `@unchecked Sendable` holds because it has one owner at a time, which alone calls it: `PictureHelpers` keeps it under a lock while it
/// waits, and gives it away whole.
final class PictureProcess: @unchecked Sendable {
  /// Why there is no answer.
  enum Stop: Error {
    /// It says why itself, and can be asked again.
    case told(PictureAnswer.Failure, detail: String)
    case ended(ProcessEnd)
    case tooLong
    case cancelled
    /// It says what can't be: it isn't ours any more.
    case nonsense
    case noMemory

    func problem(_ format: PictureFormat) -> PictureProblem {
      switch self {
      case .told(.notAPicture, _): .notAPicture
      case .told(.tooManyPixels(let size), _): .tooManyPixels(size)
      case .told(.noDecoder, let detail): .noDecoder(format, detail: detail)
      case .told(.damaged, let detail): .damaged(format, detail: detail)
      case .tooLong: .takesTooLong(format)
      case .cancelled: .cancelled
      case .nonsense: .endedDecoder(format, how: "said what can't be")
      case .noMemory: .damaged(format, detail: "no memory for it")
      case .ended(let end): Self.problem(of: end, format)
      }
    }

    private static func problem(of end: ProcessEnd, _ format: PictureFormat) -> PictureProblem {
      switch end {
      case .notStarted(let code): .noProcess("system error \(code)")
      // sandbox.h has the codes: what it had used up.
      case .exited(101), .exited(103): .endedDecoder(format, how: "used up \(PictureHelpers.Limit.files) files")
      case .exited(102): .endedDecoder(format, how: "used up \(PictureHelpers.Limit.memory >> 20) MB of memory")
      case .exited(let code): .noProcess("it ended with \(code)")
      case .signalled(SIGKILL): .endedDecoder(format, how: "was killed, as where there is no memory left,")
      case .signalled(let signal): .endedDecoder(format, how: "died by signal \(signal)")
      case .timedOut: .endedDecoder(format, how: "hung up")
      }
    }
  }

  /// How many pictures it has been given.
  var served = 0
  private let process: SpawnedProcess

  /// How often it is looked whether anybody still waits.
  private static let interval: Duration = .milliseconds(50)

  init(_ process: SpawnedProcess) { self.process = process }

  var socket: Int32 { process.socket }
  var processorTime: Duration? { process.processorTime }

  func send(_ question: PictureQuestion, _ watch: () -> Stop?) throws(Stop) { try send(question.bytes, watch) }

  func send(_ bytes: [UInt8], _ watch: () -> Stop?) throws(Stop) {
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

/// Memory that another process fills in. Nobody can make it shorter, and so nobody can have its reader die of it.
///
/// `@unchecked Sendable` holds because it only owns the memory; who reads it minds that its contents may change.
final class SharedPixels: @unchecked Sendable {
  let bytes: UnsafeMutableRawBufferPointer
  private let descriptor: Int32

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

  /// - Returns: false where it can't be given.
  func send(to socket: Int32) -> Bool { vit_pixels_send(socket, descriptor) == 0 }
}

enum PictureClock {
  /// Monotonic.
  static var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }
}
