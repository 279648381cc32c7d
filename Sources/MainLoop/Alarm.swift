import Glibc

/// Lets one thread sleep until a time, unless another thread wakes it before.
///
/// `@unchecked Sendable` holds because the flag is only reached between lock and unlock of a mutex that never moves,
/// and mutex and condition are made for use from any thread.
public final class Alarm: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let rung: UnsafeMutablePointer<pthread_cond_t>
  private var isRinging = false

  public init() {
    mutex = .allocate(capacity: 1)
    rung = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    rung.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // The clock of the loop and of GStreamer; the default would jump with the date.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(rung, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(rung)
    pthread_mutex_destroy(mutex)
    rung.deinitialize(count: 1)
    mutex.deinitialize(count: 1)
    rung.deallocate()
    mutex.deallocate()
  }

  /// Ends the present sleep, or the next one.
  public func wake() {
    pthread_mutex_lock(mutex)
    isRinging = true
    pthread_cond_signal(rung)
    pthread_mutex_unlock(mutex)
  }

  /// Sleeps. Only one thread may call it.
  ///
  /// - Parameter deadline: CLOCK_MONOTONIC in nanoseconds; nil sleeps until `wake`.
  public func sleep(until deadline: Int64?) {
    pthread_mutex_lock(mutex)
    defer {
      isRinging = false
      pthread_mutex_unlock(mutex)
    }
    guard let deadline else {
      while !isRinging { pthread_cond_wait(rung, mutex) }
      return
    }
    var time = timespec(tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    while !isRinging {
      if pthread_cond_timedwait(rung, mutex, &time) == ETIMEDOUT { return }
    }
  }
}
