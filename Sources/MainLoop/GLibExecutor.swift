import CGLib
import CGLibShims
import Glibc

/// A GLib handle that any thread may hold.
///
/// `@unchecked Sendable` holds for `GMainContext`, `GMainLoop` and `GSource`: GLib guards each of them with its own
/// lock, and reference counting is atomic.
struct SharedHandle<Pointer>: @unchecked Sendable {
  let pointer: Pointer
}

/// Runs Swift jobs on one thread that iterates one private `GMainContext`.
///
/// Every source attached to the context and every job of an actor that names this executor run on the same thread,
/// so a source's callback may enter such an actor by `assumeIsolated`.
///
/// Jobs wake one persistent source. `g_main_context_invoke` would run them inline when the caller owns the context,
/// which breaks the atomicity of actors.
public final class GLibExecutor: SerialExecutor, TaskExecutor {
  private let contextHandle: SharedHandle<OpaquePointer>
  private let loopHandle: SharedHandle<OpaquePointer>
  private let wake: LoopSource
  private let core: ExecutorCore

  var context: OpaquePointer { contextHandle.pointer }

  /// Starts the loop on a new thread.
  ///
  /// - Parameter name: the thread's name, at most 15 characters.
  /// - Throws: `MainLoopError.noThread` when the system can't start another thread.
  public init(name: String = "vitrine-loop") throws {
    guard let context = g_main_context_new(), let loop = g_main_loop_new(context, 0) else {
      throw MainLoopError.noThread(code: ENOMEM)
    }
    let core = ExecutorCore()
    let source = vit_wake_source_new(
      Int32(G_PRIORITY_DEFAULT),
      { data in
        Unmanaged<ExecutorCore>.fromOpaque(data).takeUnretainedValue().drain()
        return 1
      }, Unmanaged.passRetained(core).toOpaque(),
      { data in if let data { Unmanaged<ExecutorCore>.fromOpaque(data).release() } })
    self.core = core
    contextHandle = SharedHandle(pointer: context)
    loopHandle = SharedHandle(pointer: loop)
    wake = LoopSource(source, attachedTo: context)
    core.executor.withLock { $0 = WeakExecutor(self) }

    let start = ThreadStart(name: name, context: contextHandle, loop: loopHandle)
    try Thread.start { start.run() }
  }

  deinit {
    // The thread holds its own references to the loop and the context, and ends after this.
    g_main_loop_quit(loopHandle.pointer)
    g_main_loop_unref(loopHandle.pointer)
    g_main_context_unref(contextHandle.pointer)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let unowned = UnownedJob(job)
    let isFirst = core.queue.withLock { queue in
      queue.append(unowned)
      return queue.count == 1
    }
    if isFirst { wake.wake() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
  public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

  /// The runtime asks this when `assumeIsolated` is called from a plain GLib callback.
  public func isIsolatingCurrentContext() -> Bool? { g_main_context_is_owner(context) != 0 }
  public func checkIsolated() { precondition(g_main_context_is_owner(context) != 0, "not on the loop's thread") }
}

/// The state that the wake source needs. It is apart from the executor, so that the source doesn't keep the executor
/// alive.
private final class ExecutorCore: Sendable {
  let queue = Locked<[UnownedJob]>([])
  let executor = Locked<WeakExecutor>(WeakExecutor(nil))

  func drain() {
    guard let executor = executor.withLock({ $0.value }) else { return }
    let jobs = queue.withLock { queue in
      let jobs = queue
      queue.removeAll(keepingCapacity: true)
      return jobs
    }
    for job in jobs {
      job.runSynchronously(
        isolatedTo: executor.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
    }
  }
}

private struct WeakExecutor: Sendable {
  weak let value: GLibExecutor?
  init(_ value: GLibExecutor?) { self.value = value }
}

/// The loop's thread: iterates the context until the executor is released.
private final class ThreadStart: Sendable {
  let name: String
  let context: SharedHandle<OpaquePointer>
  let loop: SharedHandle<OpaquePointer>

  init(name: String, context: SharedHandle<OpaquePointer>, loop: SharedHandle<OpaquePointer>) {
    self.name = name
    self.context = SharedHandle(pointer: g_main_context_ref(context.pointer))
    self.loop = SharedHandle(pointer: g_main_loop_ref(loop.pointer))
  }

  func run() {
    vit_thread_set_name(name)
    g_main_context_push_thread_default(context.pointer)
    g_main_loop_run(loop.pointer)
    g_main_context_pop_thread_default(context.pointer)
    g_main_loop_unref(loop.pointer)
    g_main_context_unref(context.pointer)
  }
}
