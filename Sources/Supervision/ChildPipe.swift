internal import Glibc
internal import MainLoop
internal import PlaybackCore

/// Another process of this program that answers lines with lines. Blocks; one caller at a time.
public final class ChildPipe {
  /// How a process ended that had no answer.
  public typealias End = ProcessEnd

  private let pid: pid_t
  private let line: Int32
  private var rest: [UInt8] = []
  private var isOver = false

  /// No answer is longer; one that is comes from a process that is no longer ours.
  private static let longest = 1 << 20

  /// Starts it. Its messages go nowhere.
  ///
  /// - Parameters:
  ///   - program: path of the file.
  ///   - arguments: after the program's name.
  public init(_ program: String, _ arguments: [String]) throws(End) {
    var ends: [Int32] = [-1, -1]
    // A socket: what is written into a pipe that nobody reads ends the writer, unless it has seen to that for all of its pipes.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // The loop's thread has signals of its own, and a priority that a probe must not have.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words = (["vitrine"] + arguments).map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var child = pid_t()
    let code = posix_spawn(&child, program, &actions, &attributes, words, environ)
    close(ends[1])
    guard code == 0 else {
      close(ends[0])
      throw .notStarted(code)
    }
    (pid, line) = (child, ends[0])
  }

  /// Ends it too.
  deinit {
    close(line)
    if !isOver { bury(by: SIGKILL) }
  }

  /// - Parameters:
  ///   - question: a line, without its end.
  ///   - patience: after it the process is ended.
  public func ask(_ question: [UInt8], patience: Duration) throws(End) -> [UInt8] {
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
      guard isReady(Int16(POLLIN), until: deadline) else { throw over(.timedOut) }
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
      guard isReady(Int16(POLLOUT), until: deadline) else { throw over(.timedOut) }
      let count = bytes.withUnsafeBytes {
        send(line, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { throw over(nil) }
      bytes = bytes.dropFirst(count)
    }
  }

  private func isReady(_ events: Int16, until deadline: Instant) -> Bool {
    while true {
      let wait = max(0, (deadline - Self.now).wholeNanoseconds / 1_000_000)
      var waited = pollfd(fd: line, events: events, revents: 0)
      let ready = poll(&waited, 1, Int32(clamping: wait))
      if ready < 0, errno == EINTR { continue }
      // Its end is an answer too.
      return ready > 0
    }
  }

  /// How it ended; nil asks it. It is ended where it hasn't.
  private func over(_ known: End?) -> End {
    isOver = true
    let found = bury(by: known == nil ? nil : SIGKILL)
    return known ?? found
  }

  /// - Parameter signal: nil where it ends by itself.
  @discardableResult
  private func bury(by signal: Int32?) -> End {
    if let signal { kill(pid, signal) }
    return ProcessEnd.wait(for: pid, limit: .seconds(2), looking: .milliseconds(2)) ?? .timedOut
  }
}
