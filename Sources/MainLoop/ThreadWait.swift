/// Has the calling thread wait for asynchronous work, and returns what came of it.
///
/// For a thread that has nothing else to do, as a program's first one. Nobody waits in Swift's own pool of threads then: once that has begun,
/// it looks after itself each second for as long as the process lives.
///
/// - Parameters:
///   - executor: where the work runs; not on the calling thread, which would wait for itself.
///   - work: what is waited for.
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
