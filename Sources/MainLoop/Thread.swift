import Glibc

/// Errors in setting up the loop.
public enum MainLoopError: Error, Equatable {
  /// `pthread_create` failed with this errno.
  case noThread(code: Int32)
}

/// A detached thread.
package enum Thread {
  /// Runs `body` once on a new thread, which is detached.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(MainLoopError) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(ThreadBody(body))
    let code = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw .noThread(code: code)
    }
    pthread_detach(thread)
  }
}

private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
