import Foundation
import MainLoop
public import PlaybackCore
import Synchronization

/// A PulseAudio server for one test, with two silent loudspeakers: `speaker`, the default, and `kitchen`. It can crash
/// and come back.
public final class SoundServer: Sendable {
  /// Whether PulseAudio is installed, for tests to check before they run.
  public static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/pulseaudio")
  public static let missing = "PulseAudio is not installed (make setup)"

  private let directory: TemporaryDirectory
  private let process = Mutex<Child?>(nil)
  /// The server's address, for PULSE_SERVER.
  public let address: String

  /// Makes the address; `start` starts the server.
  public init() throws {
    directory = try TemporaryDirectory()
    address = "unix:\(directory.path("native"))"
  }

  deinit { die() }

  /// The environment in which a program finds the server.
  public var environment: [String: String] {
    [
      "PULSE_SERVER": address, "PULSE_RUNTIME_PATH": directory.url.path, "HOME": directory.url.path,
      "XDG_RUNTIME_DIR": directory.url.path,
    ]
  }

  /// Starts the server and waits until it answers.
  public func start() async throws {
    // Without rewinds, a recording has only sound that was heard, none that was taken back.
    let started = try Child(
      "/usr/bin/pulseaudio",
      [
        "-n", "--daemonize=no", "--exit-idle-time=-1", "--realtime=no", "--high-priority=no", "--use-pid-file=no",
        "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(directory.path("native"))",
        "-L", "module-null-sink sink_name=speaker rate=48000 channels=2 norewinds=1",
        "-L", "module-null-sink sink_name=kitchen rate=48000 channels=2 norewinds=1",
      ], environment)
    process.withLock { $0 = started }
    try await eventually("pulseaudio answers") {
      try await Tool.run("pactl", ["list", "short", "sinks"], environment: environment).status == 0
    }
  }

  /// Kills the server, as a crash would.
  public func die() { process.withLock { $0 = nil } }

  /// Records what a loudspeaker would play, from now on.
  public func record(_ sink: String = "speaker") throws -> SoundRecorder { try SoundRecorder(environment, sink) }
}

struct SoundServerError: Error, CustomStringConvertible { var description: String }

/// Records a loudspeaker: 48 kHz, mono, with the time of each sample.
public final class SoundRecorder: Sendable {
  private struct State: Sendable {
    var samples: [Int16] = []
    /// The instant of the first sample, from the block that came with the least delay.
    var origin = Int64.max
    var isOver = false
  }
  private let state = Locked(State())
  private let process: Child

  init(_ environment: [String: String], _ sink: String) throws {
    let pipe = Pipe()
    process = try Child(
      "/usr/bin/parec",
      ["--latency-msec=10", "-d", "\(sink).monitor", "--raw", "--format=s16le", "--rate=48000", "--channels=1"],
      environment, output: pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    let state = state
    Foundation.Thread.detachNewThread {
      var odd = Data()
      while true {
        let data = pipe.fileHandleForReading.availableData
        let now = EventLoop.monotonicNanoseconds()
        guard !data.isEmpty else { break }
        odd.append(data)
        let whole = odd.count & ~1
        let block = odd.prefix(whole).withUnsafeBytes { bytes in
          (0..<(whole / 2)).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
        }
        odd = Data(odd.dropFirst(whole))
        state.withLock { state in
          state.samples += block
          state.origin = min(state.origin, now - Int64(state.samples.count) * 1_000_000_000 / 48_000)
        }
      }
      state.withLock { $0.isOver = true }
    }
  }

  public var samples: [Int16] { state.withLock { $0.samples } }

  /// When a sample was heard; always late by the same small delay of the recording.
  public func instant(ofSample index: Int) -> Instant {
    Instant(nanoseconds: state.withLock { $0.origin } + Int64(index) * 1_000_000_000 / 48_000)
  }

  public func sample(at instant: Instant) -> Int {
    Int((instant.nanoseconds - state.withLock { $0.origin }) * 48 / 1_000_000)
  }

  /// The loudest sample between two instants.
  public func level(_ begin: Instant, _ end: Instant) -> Int {
    let samples = samples
    let range = max(0, sample(at: begin))..<max(0, min(samples.count, sample(at: end)))
    return samples[range].map { abs(Int($0)) }.max() ?? 0
  }

  /// Waits until the recording has reached an instant.
  public func has(until instant: Instant) async throws {
    for _ in 0..<1000 {
      let (count, origin) = state.withLock { ($0.samples.count, $0.origin) }
      if count > 0, origin + Int64(count) * 1_000_000_000 / 48_000 > instant.nanoseconds { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw SoundServerError(description: "the recording has no more samples")
  }

  /// The stretches of sound, from begin to end, in samples. A silence of less than `gap` samples is part of a stretch.
  ///
  /// - Parameter level: quieter samples count as silence.
  public func sounds(above level: Int16 = 300, gap: Int = 480) -> [Range<Int>] {
    let samples = samples
    var found: [Range<Int>] = []
    for (index, value) in samples.enumerated() where abs(Int(value)) > Int(level) {
      if let last = found.last, index - last.upperBound < gap {
        found[found.count - 1] = last.lowerBound..<(index + 1)
      } else {
        found.append(index..<(index + 1))
      }
    }
    return found
  }
}

/// A process that ends when this object is released. Unlike Foundation's it inherits no descriptor: a long-lived server
/// would keep those open that tell the end of other processes.
private final class Child: Sendable {
  private let pid: pid_t

  /// - Parameter output: the descriptor for its standard output.
  init(_ path: String, _ arguments: [String], _ environment: [String: String], output: Int32? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0)
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_RDWR, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_RDWR, 0)
    let all = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let closing = #"for fd in /proc/$$/fd/*; do fd=${fd##*/}; [ "$fd" -gt 2 ] && eval "exec $fd>&-"; done; exec "$@""#
    var words = (["bash", "-c", closing, "bash", path] + arguments).map { strdup($0) } + [nil]
    var variables = all.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, "/bin/bash", &actions, nil, &words, &variables)
    guard code == 0 else { throw SoundServerError(description: "\(path) can't be started: error \(code)") }
    self.pid = pid
  }

  deinit {
    kill(pid, SIGKILL)
    var status: Int32 = 0
    waitpid(pid, &status, 0)
  }
}
