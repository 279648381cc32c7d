import Glibc

/// A value behind a pthread mutex.
///
/// `Synchronization.Mutex` is a raw futex that the thread sanitizer can't see, so that it reports false races; it sees
/// this mutex.
///
/// `@unchecked Sendable` holds because `value` is only ever reached inside `withLock`, between lock and unlock,
/// and a value that is passed in is `sending`.
public final class Locked<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  public init(_ value: sending Value) {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    self.value = value
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with the value; other callers wait. `body` must not call code that may take the same lock.
  public func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
