internal import CGLib
internal import CGLibShims
internal import Glibc
package import PlaybackCore

/// A process at the other end of a socket, which is its standard input and output. It is killed with its owner's last
/// reference.
///
/// Confined to its owner: one thread at a time.
package final class SpawnedProcess {
  package let pid: Int32
  /// This process's end: a stream socket, closed with this object.
  package let socket: Int32
  private var isBuried = false

  /// Starts the program. What it writes to standard error is discarded.
  ///
  /// - Parameters:
  ///   - program: path of the file.
  ///   - arguments: those after the program's name.
  package init(_ program: String, _ arguments: [String]) throws(ProcessEnd) {
    var ends: [Int32] = [-1, -1]
    // A socket, not a pipe: writing into a pipe without a reader raises SIGPIPE, which ends the process unless all of
    // it ignores that signal. A send to a socket can be told not to raise it.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .notStarted(errno) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // Libraries open some files without close-on-exec: the child must not inherit the card, sockets or the playing
    // film.
    _ = vit_spawn_close_from(&actions, STDERR_FILENO + 1)
    // The loop's thread has its own signal mask and priority, which the child must not inherit.
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
    (pid, socket) = (child, ends[0])
  }

  deinit {
    close(socket)
    if !isBuried { bury(by: SIGKILL) }
  }

  /// Waits for the process to end and reaps it. Call it once.
  ///
  /// - Parameter signal: sent first; nil for a process that ends by itself. A process that takes longer than two
  ///   seconds is killed.
  @discardableResult
  package func bury(by signal: Int32?) -> ProcessEnd {
    isBuried = true
    if let signal { kill(pid, signal) }
    return ProcessEnd.wait(for: pid, limit: .seconds(2), looking: .milliseconds(2)) ?? .timedOut
  }

  /// Waits until the socket can be read or written; the process's end counts as both.
  ///
  /// - Parameters:
  ///   - events: `POLLIN` or `POLLOUT`.
  ///   - deadline: time on the monotonic clock.
  /// - Returns: false when the deadline has passed.
  package func isReady(_ events: Int16, until deadline: Instant) -> Bool {
    while true {
      let wait = max(
        0, (deadline - Instant(nanoseconds: EventLoop.monotonicNanoseconds())).wholeNanoseconds / 1_000_000)
      var waited = pollfd(fd: socket, events: events, revents: 0)
      let ready = poll(&waited, 1, Int32(clamping: wait))
      if ready < 0, errno == EINTR { continue }
      return ready > 0
    }
  }

  /// Processor time that all threads of the process have used; nil where the system doesn't say.
  package var processorTime: Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
