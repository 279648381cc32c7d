import FoundationEssentials
import Glibc
import MainLoop
import MediaPipeline
import PlaybackCore

/// A part of the self-test in a process of its own: a decoder that crashes or hangs ends that process, not the test.
struct ChildProcess {
  var end: ProcessEnd
  /// The process's standard output, up to `limit`.
  var output: String
  /// The processor time and the run time, in seconds.
  var processorSeconds: Double
  var seconds: Double

  private static let limit = 1024 * 1024

  /// Runs this program with other arguments. Blocks.
  ///
  /// - Parameter patience: the time until SIGTERM is sent; SIGKILL follows five seconds later.
  static func run(_ arguments: [String], patience: Duration) -> ChildProcess {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return ChildProcess(end: .notStarted(errno)) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    let words = (["vitrine"] + arguments).map { strdup($0) } + [nil]
    let variables = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var pid = pid_t()
    let began = Instant.monotonicNow
    let code = posix_spawn(&pid, "/proc/self/exe", &actions, nil, words, variables)
    close(ends[1])
    guard code == 0 else { return ChildProcess(end: .notStarted(code)) }
    let (output, isLate) = read(ends[0], of: pid, until: began + patience)
    var usage = rusage()
    let end = ProcessEnd.wait(for: pid, limit: goodbye, looking: .milliseconds(10), usage: &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return ChildProcess(
      end: isLate ? .timedOut : end ?? .timedOut, output: output,
      processorSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
      seconds: (Instant.monotonicNow - began).inSeconds)
  }

  /// How long a process may take to end after it has closed its output.
  private static let goodbye: Duration = .seconds(5)

  private init(end: ProcessEnd, output: String = "", processorSeconds: Double = 0, seconds: Double = 0) {
    self.end = end
    self.output = output
    self.processorSeconds = processorSeconds
    self.seconds = seconds
  }

  /// Reads until the other end is closed, at the process's end.
  private static func read(_ descriptor: Int32, of pid: pid_t, until deadline: Instant) -> (String, isLate: Bool) {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16384)
    var deadline = deadline
    var signals: [Int32] = []
    while true {
      let wait = max(0, (deadline - Instant.monotonicNow).wholeNanoseconds / 1_000_000)
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waited, 1, Int32(clamping: wait))
      if ready < 0, errno == EINTR { continue }
      if ready == 0 {
        // SIGTERM first: the process may clean up, such as restore the screen.
        signals.append(signals.isEmpty ? SIGTERM : SIGKILL)
        kill(pid, signals.last ?? SIGKILL)
        deadline = Instant.monotonicNow + .seconds(5)
        // A process that SIGKILL doesn't end hangs in a driver; it is left behind.
        if signals.count > 3 { return (String(decoding: bytes, as: UTF8.self), true) }
        continue
      }
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return (String(decoding: bytes, as: UTF8.self), !signals.isEmpty) }
      if bytes.count < limit { bytes += chunk.prefix(count) }
    }
  }
}
