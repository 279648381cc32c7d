/// Blocks the calling thread until asynchronous work is done, and returns its result.
///
/// For a thread that has nothing else to do, such as the main thread. Swift's own thread pool isn't used: once it has
/// started, it wakes each second for as long as the process lives.
///
/// - Parameters:
///   - executor: runs the work; it must not be the calling thread's, which would wait for itself.
///   - work: the work to wait for.
public func waitInThisThread<Value: Sendable>(
  on executor: GLibExecutor, for work: @escaping @Sendable () async -> Value
) -> Value {
  let (ended, value) = (Alarm(), Locked<Value?>(nil))
  Task(executorPreference: executor) {
    let last = await work()
    value.withLock { $0 = last }
    ended.wake()
  }
  while true {
    if let value = value.withLock({ $0 }) { return value }
    ended.sleep(until: nil)
  }
}
