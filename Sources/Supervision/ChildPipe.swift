internal import Glibc
package import MainLoop
internal import PlaybackCore

/// Another process of this program, which answers lines with lines. Blocks; one caller at a time.
package final class ChildPipe {
  /// The end of a process that gave no answer.
  package typealias End = ProcessEnd

  private let process: SpawnedProcess
  private var line: Int32 { process.socket }
  private var rest: [UInt8] = []
  private var isOver = false

  /// In bytes. A longer answer means that the process is out of control.
  private static let longest = 1 << 20

  /// Starts the process. Its standard error is discarded.
  ///
  /// - Parameters:
  ///   - program: the path of the program's file.
  ///   - arguments: the arguments after the program's name.
  package init(_ program: String, _ arguments: [String]) throws(End) {
    process = try SpawnedProcess(program, arguments)
  }

  /// - Parameters:
  ///   - question: a line, without its newline.
  ///   - patience: the time after which the process is killed.
  package func ask(_ question: [UInt8], patience: Duration) throws(End) -> [UInt8] {
    guard !isOver else { throw .notStarted(ESRCH) }
    let deadline = Self.now + patience
    try write(question + [UInt8(ascii: "\n")], until: deadline)
    var chunk = [UInt8](repeating: 0, count: 16 * 1024)
    while true {
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let answer = Array(rest[..<end])
        rest.removeSubrange(...end)
        return answer
      }
      guard rest.count < Self.longest else { throw over(.timedOut) }
      guard process.isReady(Int16(POLLIN), until: deadline) else { throw over(.timedOut) }
      let count = read(line, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw over(nil) }
      rest += chunk.prefix(count)
    }
  }

  private static var now: Instant { Instant(nanoseconds: EventLoop.monotonicNanoseconds()) }

  private func write(_ bytes: [UInt8], until deadline: Instant) throws(End) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      guard process.isReady(Int16(POLLOUT), until: deadline) else { throw over(.timedOut) }
      let count = bytes.withUnsafeBytes {
        send(line, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw over(nil) }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Ends the use of the process, kills it if necessary, and returns how it ended; `known` is nil where its own end
  /// tells that.
  private func over(_ known: End?) -> End {
    isOver = true
    let found = process.bury(by: known == nil ? nil : SIGKILL)
    return known ?? found
  }
}
