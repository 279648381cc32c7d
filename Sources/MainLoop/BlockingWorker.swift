internal import CGLibShims
import Glibc

/// One thread that runs blocking work in order, off the loop.
///
/// The loop never waits for it: results are posted to a `Mailbox`. Work that hangs holds only this worker, which its
/// owner then abandons.
public final class BlockingWorker: Sendable {
  public typealias Work = @Sendable () -> Void

  private struct State: Sendable {
    var queue: [(name: String?, work: Work)] = []
    var isRunning = false
    var isFinished = false
  }
  private let monitor = Monitor(State())

  private let start: @Sendable (@escaping Work) throws -> Void

  public convenience init() { self.init { work throws in try Thread.start(work) } }

  /// - Parameter start: runs its argument on a thread of its own, or throws.
  init(start: @escaping @Sendable (@escaping Work) throws -> Void) { self.start = start }

  /// Runs `work` after everything submitted before. The first submission starts the thread; when none can be had, the
  /// work waits for the next submission, which tries again: on the caller's thread, the loop's, it would hold up all
  /// that plays.
  public func submit(_ work: @escaping Work) { _ = canSubmit(work) }

  /// Runs `work` as `submit` does, unless work of this name still waits.
  public func submitOnce(_ name: String, _ work: @escaping Work) { _ = canSubmit(work, once: name) }

  /// Runs `work` as `submit` does, and says whether the thread runs.
  ///
  /// - Returns: false when no thread could be started; the work stays queued for the next submission.
  func canSubmit(_ work: @escaping Work, once name: String? = nil) -> Bool {
    let mustStart = monitor.withLock { state in
      if name == nil || !state.queue.contains(where: { $0.name == name }) { state.queue.append((name, work)) }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustStart else { return true }
    let monitor = monitor
    do {
      try start {
        // Otherwise the worker would inherit the name of the thread that happened to submit first.
        vit_thread_set_name("vitrine-worker")
        Self.run(monitor)
      }
      return true
    } catch {
      monitor.withLock { $0.isRunning = false }
      return false
    }
  }

  /// Ends the thread once its queue is empty. Nothing may be submitted after this.
  public func finish() {
    monitor.withLock { $0.isFinished = true }
  }

  deinit { finish() }

  private static func run(_ monitor: Monitor<State>) {
    while true {
      let work = monitor.wait { state -> Monitor<State>.Step<Work> in
        if !state.queue.isEmpty { return .take(state.queue.removeFirst().work) }
        return state.isFinished ? .end : .wait
      }
      guard let work else { return }
      work()
    }
  }
}

/// A value behind a mutex, with a condition variable that threads wait on until the value changes.
///
/// `@unchecked Sendable` holds because `value` is only reached between lock and unlock of a mutex that never moves.
private final class Monitor<Value>: @unchecked Sendable {
  enum Step<T> {
    case take(T)
    case wait
    case end
  }

  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Changes the value and wakes one waiter.
  func withLock<R>(_ body: (inout Value) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_signal(changed)
      pthread_mutex_unlock(mutex)
    }
    return body(&value)
  }

  /// Calls `step` after each change until it returns `take` or `end`. Returns nil at the end.
  func wait<T>(_ step: (inout Value) -> Step<T>) -> T? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      switch step(&value) {
      case .take(let taken): return taken
      case .end: return nil
      case .wait: pthread_cond_wait(changed, mutex)
      }
    }
  }
}
