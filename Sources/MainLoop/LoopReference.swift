/// Carries an object of the loop's thread through a closure that only runs there.
///
/// `@unchecked Sendable` holds because a weak reference may be copied on any thread, and `value` checks the thread.
public final class LoopReference<Object: AnyObject>: @unchecked Sendable {
  private let executor: GLibExecutor
  private weak var object: Object?

  public init(_ object: Object, of executor: GLibExecutor) {
    self.executor = executor
    self.object = object
  }

  /// The object, while it lives. On the loop.
  public var value: Object? {
    executor.checkIsolated()
    return object
  }
}
